using Strata.Bench.Statistics;

namespace Strata.Bench.Reports;

/// <summary>One figure: the median of its samples, for one server under one load.</summary>
/// <param name="Load">What was done to the server, for example <c>get-p30</c>.</param>
/// <param name="Server">The server's name in this run.</param>
/// <param name="Metric">What was measured: the <see cref="Reports.Metric.Id"/>.</param>
/// <param name="Value">The median, in the metric's unit.</param>
/// <param name="Samples">What each round gave, in order.</param>
public sealed record Measurement(
    string Load, string Server, string Metric, double Value, IReadOnlyList<double> Samples)
{
    public static Measurement Of(string load, string server, Metric metric, IReadOnlyList<double> samples)
    {
        ArgumentNullException.ThrowIfNull(metric);
        ArgumentNullException.ThrowIfNull(samples);
        return new Measurement(load, server, metric.Id, Median.Of(samples), samples);
    }
}
