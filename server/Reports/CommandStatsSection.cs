using System.Globalization;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO commandstats: a line for every command that was used.</summary>
internal static class CommandStatsSection
{
    private const double NanosecondsPerMicrosecond = 1000;

    public static void Write(InfoText text, MetricSource source)
    {
        text.Section("Commandstats");
        foreach (var command in source.Totals.UsedCommands)
        {
            var microseconds = command.Nanoseconds / NanosecondsPerMicrosecond;
            var perCall = command.Calls == 0 ? 0 : microseconds / command.Calls;
            text.Field($"cmdstat_{command.Row.FullName}", string.Create(CultureInfo.InvariantCulture,
                $"calls={command.Calls},usec={(long)microseconds},usec_per_call={perCall:F2},"
                + $"rejected_calls={command.Rejected},failed_calls={command.Failed}"));
        }
    }
}
