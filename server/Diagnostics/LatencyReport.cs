using System.Globalization;
using System.Text;
using Strata.Server.Options;

namespace Strata.Server.Diagnostics;

/// <summary>LATENCY DOCTOR: what the latency monitor saw, and what can be done about it.</summary>
internal static class LatencyReport
{
    public static string Write(IReadOnlyList<LatencySeries> all, ServerOptions options, long nowSeconds)
    {
        if (all.Count == 0)
        {
            return options.LatencyMonitorThresholdMs == 0
                ? "The latency monitor is off. Turn it on with CONFIG SET latency-monitor-threshold <milliseconds>, "
                    + "and ask again when it has seen some traffic.\n"
                : "Nothing took as long as latency-monitor-threshold ("
                    + string.Create(CultureInfo.InvariantCulture, $"{options.LatencyMonitorThresholdMs} ms) so far.\n");
        }

        var text = new StringBuilder("These events took as long as latency-monitor-threshold or longer:\n\n");
        foreach (var series in all)
        {
            text.Append("- ").Append(Describe(series, nowSeconds)).Append('\n');
        }

        text.Append("\nWhat can be done:\n\n");
        foreach (var advice in all.SelectMany(series => AdviceFor(series.Event, options)).Distinct())
        {
            text.Append("- ").Append(advice).Append('\n');
        }

        return text.ToString();
    }

    /// <summary>The events, each a text with its remedy.</summary>
    public static IEnumerable<string> Findings(
        IReadOnlyList<LatencySeries> all, ServerOptions options, long nowSeconds)
        => all.Select(series =>
            $"{Describe(series, nowSeconds)} {string.Join(' ', AdviceFor(series.Event, options))}");

    private static string Describe(LatencySeries series, long nowSeconds)
        => string.Create(CultureInfo.InvariantCulture,
            $"{series.Event}: {series.Samples.Count} times, {series.MeanMs} ms in the mean "
            + $"(mean deviation {series.MeanDeviationMs} ms), one every {series.PeriodSeconds(nowSeconds):0.0} s, "
            + $"{series.LongestMs} ms at worst.");

    private static IEnumerable<string> AdviceFor(string name, ServerOptions options)
    {
        switch (name)
        {
            case LatencyMonitor.Command:
                yield return options.SlowlogLogSlowerThanMicroseconds < 0
                    ? "Turn on the slow log (CONFIG SET slowlog-log-slower-than 1000) to learn which commands are slow."
                    : "Look into SLOWLOG GET for the commands that are slow. KEYS, FLUSHDB and large values take "
                        + "long; SCAN and smaller values do not.";
                break;
            case LatencyMonitor.FastCommand:
                yield return "Commands that are fast by themselves were slow: the machine is short of CPU or memory. "
                    + "Give the server cores of its own (workers), and see that it does not swap and that the virtual "
                    + "machine is not starved by others.";
                break;
            case LatencyMonitor.ExpireCycle:
                yield return "Many keys expire at the same time. Spread their times, or raise hz, so that less is left "
                    + "to each cycle.";
                break;
            case LatencyMonitor.EvictionCycle:
                yield return "Much must be evicted at once. Raise maxmemory, or write smaller values; a sharply "
                    + "lowered maxmemory does this once.";
                break;
            default:
                yield return $"No advice is known for the event {name}.";
                break;
        }
    }
}
