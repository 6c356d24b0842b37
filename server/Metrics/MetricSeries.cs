namespace Strata.Server.Metrics;

/// <summary>Takes the figures of one metric.</summary>
public abstract class MetricSeries
{
    /// <summary>A figure.</summary>
    /// <param name="value">The figure.</param>
    /// <param name="labels">What it is of: names and values in turn. Values may be any text.</param>
    public abstract void Add(double value, params ReadOnlySpan<string> labels);

    /// <summary>The figures of one histogram.</summary>
    /// <param name="bounds">The upper bounds of its buckets, ascending, the infinite one not among them.</param>
    /// <param name="counts">What was at most so large: as many as bounds.</param>
    /// <param name="count">All that was measured.</param>
    /// <param name="sum">Its sum.</param>
    /// <param name="labels">What it is of: names and values in turn.</param>
    public abstract void AddHistogram(
        ReadOnlySpan<double> bounds,
        ReadOnlySpan<long> counts,
        long count,
        double sum,
        params ReadOnlySpan<string> labels);
}
