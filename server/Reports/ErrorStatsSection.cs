using System.Globalization;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO errorstats: a line for every code that an error reply began with.</summary>
internal static class ErrorStatsSection
{
    public static void Write(InfoText text, MetricSource source)
    {
        text.Section("Errorstats");
        foreach (var (code, count) in source.Totals.Errors)
        {
            text.Field($"errorstat_{code}", string.Create(CultureInfo.InvariantCulture, $"count={count}"));
        }
    }
}
