using Spectre.Console;
using Spectre.Console.Rendering;
using static System.FormattableString;
using static Strata.Bench.Top.TopText;

namespace Strata.Bench.Top;

/// <summary>The panels of commands: those that took most time, and those that were slow.</summary>
internal static class CommandPanels
{
    private const int BarWidth = 16;
    private const int LongestName = 24;

    /// <summary>The commands that took most of the last interval.</summary>
    public static IRenderable Commands(TopInterval interval)
    {
        var table = PanelTable.New("command", "calls/s", "mean", "p99", "share of time", "");
        table.Columns[5].LeftAligned();
        foreach (var (name, calls, mean, p99, share) in interval.Commands(TopReports.Entries))
        {
            table.AddRow(
                Foreign(name, LongestName), Count(calls), Micros(mean), Bound(p99), Invariant($"{100 * share:F0} %"),
                Bar(share, BarWidth));
        }

        return PanelTable.Titled(
            "Commands by time taken", "last interval", table, "No command in the last interval.");
    }

    /// <summary>The newest entries of the slow log.</summary>
    public static IRenderable Slow(TopSample now)
    {
        var table = PanelTable.New("slow command", "took", "at", "SLOWLOG");
        foreach (var (id, verb, microseconds, unixSeconds) in now.Slow)
        {
            var at = DateTimeOffset.FromUnixTimeSeconds(unixSeconds).LocalDateTime;
            table.AddRow(
                Foreign(verb, LongestName), Micros(microseconds), Invariant($"{at:HH:mm:ss}"), Invariant($"#{id}"));
        }

        return PanelTable.Titled(
            "Slow commands", "slowlog-log-slower-than", table, "None was slow enough for the slow log.");
    }
}
