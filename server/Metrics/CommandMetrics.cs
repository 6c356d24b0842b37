using Strata.Server.Diagnostics;

namespace Strata.Server.Metrics;

/// <summary>What was counted of each command that was used.</summary>
internal static class CommandMetrics
{
    /// <summary>All of them.</summary>
    public static readonly Metric[] All =
    [
        OfCommands("commands", "Calls of each command.", command => command.Calls),
        OfCommands(
            "commands_duration_seconds", "Time that its calls took.",
            command => command.Nanoseconds * LatencyBounds.SecondsPerNanosecond),
        OfCommands("commands_rejected_calls", "Calls refused before execution.", command => command.Rejected),
        OfCommands("commands_failed_calls", "Calls answered with an error.", command => command.Failed),
        Metric.Several(
            "commands_latencies_seconds", MetricKind.Histogram, "Calls of each command by the time they took.",
            WriteLatencies),
    ];

    private static Metric OfCommands(string name, string help, Func<CommandTotals, double> value)
        => Metric.Several(name, MetricKind.Counter, help, (source, series) =>
        {
            foreach (var command in source.Totals.UsedCommands)
            {
                series.Add(value(command), "cmd", command.Row.FullName);
            }
        });

    private static void WriteLatencies(MetricSource source, MetricSeries series)
    {
        Span<long> counts = stackalloc long[LatencyBounds.Count];
        foreach (var command in source.Totals.UsedCommands)
        {
            if (!command.HasHistogram)
            {
                continue;
            }

            var all = LatencyHistogram.CountBelow(command.Histogram, LatencyBounds.BitsOf(0), counts);
            var sum = command.Nanoseconds * LatencyBounds.SecondsPerNanosecond;
            series.AddHistogram(LatencyBounds.Seconds, counts, all, sum, "cmd", command.Row.FullName);
        }
    }
}
