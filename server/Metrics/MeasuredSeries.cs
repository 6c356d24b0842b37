using System.Diagnostics.Metrics;
using System.Globalization;

namespace Strata.Server.Metrics;

/// <summary>Takes the figures of a metric as measurements of an instrument.</summary>
/// <param name="part">What of a histogram is taken.</param>
internal sealed class MeasuredSeries(HistogramPart part) : MetricSeries
{
    private readonly List<Measurement<double>> _measurements = [];

    /// <summary>What was taken.</summary>
    public IReadOnlyList<Measurement<double>> Measurements => _measurements;

    /// <inheritdoc/>
    public override void Add(double value, params ReadOnlySpan<string> labels)
    {
        Span<KeyValuePair<string, object?>> tags = new KeyValuePair<string, object?>[labels.Length / 2];
        Fill(tags, labels);
        _measurements.Add(new Measurement<double>(value, tags));
    }

    /// <inheritdoc/>
    public override void AddHistogram(
        ReadOnlySpan<double> bounds,
        ReadOnlySpan<long> counts,
        long count,
        double sum,
        params ReadOnlySpan<string> labels)
    {
        switch (part)
        {
            case HistogramPart.Sum:
                Add(sum, labels);
                break;
            case HistogramPart.Count:
                Add(count, labels);
                break;
            default:
                AddBuckets(bounds, counts, count, labels);
                break;
        }
    }

    private void AddBuckets(
        ReadOnlySpan<double> bounds, ReadOnlySpan<long> counts, long count, ReadOnlySpan<string> labels)
    {
        Span<KeyValuePair<string, object?>> tags = new KeyValuePair<string, object?>[(labels.Length / 2) + 1];
        Fill(tags, labels);
        for (var i = 0; i < bounds.Length; i++)
        {
            tags[^1] = new("le", bounds[i].ToString(CultureInfo.InvariantCulture));
            _measurements.Add(new Measurement<double>(counts[i], tags));
        }

        tags[^1] = new("le", "+Inf");
        _measurements.Add(new Measurement<double>(count, tags));
    }

    private static void Fill(Span<KeyValuePair<string, object?>> tags, ReadOnlySpan<string> labels)
    {
        for (var i = 0; i < labels.Length / 2; i++)
        {
            tags[i] = new(labels[2 * i], labels[(2 * i) + 1]);
        }
    }
}
