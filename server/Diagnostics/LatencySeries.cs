namespace Strata.Server.Diagnostics;

/// <summary>The latest samples of one event of the latency monitor, oldest first: a snapshot that does not change.
/// </summary>
/// <param name="Event">The event's name.</param>
/// <param name="Samples">At most 160 samples, at least one.</param>
/// <param name="LongestMs">The longest the event ever took, milliseconds.</param>
public sealed record LatencySeries(string Event, IReadOnlyList<LatencySample> Samples, long LongestMs)
{
    /// <summary>Samples kept of an event.</summary>
    public const int MaxSamples = 160;

    /// <summary>The newest sample.</summary>
    public LatencySample Latest => Samples[^1];

    /// <summary>The mean of the samples, milliseconds.</summary>
    public long MeanMs => Samples.Sum(sample => sample.Milliseconds) / Samples.Count;

    /// <summary>The mean distance of the samples from their mean, milliseconds.</summary>
    public long MeanDeviationMs => Samples.Sum(sample => Math.Abs(sample.Milliseconds - MeanMs)) / Samples.Count;

    /// <summary>Seconds between two samples in the mean, up to now.</summary>
    public double PeriodSeconds(long nowSeconds)
        => (double)Math.Max(1, nowSeconds - Samples[0].UnixSeconds) / Samples.Count;

    /// <summary>The series with one more sample; within one second only the longest counts.</summary>
    public LatencySeries With(LatencySample sample)
    {
        var samples = Samples.ToList();
        if (samples.Count > 0 && Latest.UnixSeconds == sample.UnixSeconds)
        {
            samples[^1] = sample with { Milliseconds = Math.Max(sample.Milliseconds, Latest.Milliseconds) };
        }
        else
        {
            samples.Add(sample);
        }

        return this with
        {
            Samples = samples[Math.Max(0, samples.Count - MaxSamples)..],
            LongestMs = Math.Max(LongestMs, sample.Milliseconds),
        };
    }
}
