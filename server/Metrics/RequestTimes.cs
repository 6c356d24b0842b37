using Strata.Storage.Devices;

namespace Strata.Server.Metrics;

/// <summary>How long requests of one kind to a disk took, by <see cref="LatencyBounds"/>, added up at one moment over
/// all who count them.</summary>
internal sealed class RequestTimes
{
    private static readonly RequestTimes s_none = new([]);

    private readonly long[] _counts = new long[LatencyBounds.Count];
    private readonly long _all;
    private readonly long _nanoseconds;

    /// <summary>Adds up what was counted.</summary>
    /// <param name="latencies">Those who count.</param>
    public RequestTimes(IEnumerable<RequestLatency> latencies)
    {
        foreach (var latency in latencies)
        {
            for (var i = 0; i < _counts.Length; i++)
            {
                _counts[i] += latency.CountBelow(LatencyBounds.BitsOf(i));
            }

            _all += latency.Count;
            _nanoseconds += latency.Nanoseconds;
        }

        _all = Math.Max(_all, _counts[^1]); // Who counts goes on meanwhile.
    }

    /// <summary>All requests.</summary>
    public long Count => _all;

    /// <summary>The time of all together.</summary>
    public long Microseconds => _nanoseconds / 1000;

    /// <summary>Writes it as a histogram.</summary>
    /// <param name="series">Where to.</param>
    /// <param name="labels">What it is of: names and values in turn.</param>
    public void Write(MetricSeries series, params ReadOnlySpan<string> labels)
        => series.AddHistogram(
            LatencyBounds.Seconds, _counts, _all, _nanoseconds * LatencyBounds.SecondsPerNanosecond, labels);

    /// <summary>The time that so many per cent of the requests did not exceed, seconds: within the bounds it lies
    /// between, as if requests were spread evenly there, which is how Prometheus has it. Not a number where there were
    /// none.</summary>
    /// <param name="percentile">Above 0, at most 100.</param>
    /// <param name="before">What was counted before, and is not meant; null for none.</param>
    public double Percentile(double percentile, RequestTimes? before)
    {
        before ??= s_none;
        var wanted = percentile / 100 * (_all - before._all);
        if (wanted <= 0)
        {
            return double.NaN;
        }

        var below = 0L;
        for (var i = 0; i < _counts.Length; i++)
        {
            var count = _counts[i] - before._counts[i];
            if (count >= wanted)
            {
                var least = i == 0 ? 0 : LatencyBounds.Seconds[i - 1];
                return least + ((LatencyBounds.Seconds[i] - least) * (wanted - below) / (count - below));
            }

            below = count;
        }

        return LatencyBounds.Seconds[^1];
    }
}
