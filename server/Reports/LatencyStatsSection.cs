using Strata.Server.Diagnostics;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO latencystats: percentiles of every tracked command's time.</summary>
internal static class LatencyStatsSection
{
    private const double NanosecondsPerMicrosecond = 1000;

    public static void Write(InfoText text, MetricSource source)
    {
        var percentiles = source.Server.Configuration.Current.LatencyTrackingInfoPercentiles;
        text.Section("Latencystats");
        foreach (var command in source.Totals.UsedCommands.Where(command => command.HasHistogram))
        {
            var values = percentiles.Select(percentile =>
                $"p{InfoText.Percentile(percentile)}="
                + InfoText.Fixed(
                    LatencyHistogram.Percentile(command.Histogram, percentile) / NanosecondsPerMicrosecond, 3));
            text.Field($"latency_percentiles_usec_{command.Row.FullName}", string.Join(',', values));
        }
    }
}
