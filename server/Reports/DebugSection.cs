using System.Diagnostics;
using Strata.Server.Diagnostics;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>INFO debug: more of all workers' loops than stats tells, which nothing but its name asks for. None of them
/// writes the append-only file, which has a thread of its own. What Lua takes comes from the C library, which tells
/// nothing of what more it keeps: as in a Redis with that, the fields of an allocator of Lua's own are zero.</summary>
internal static class DebugSection
{
    private const double MicrosecondsPerSecond = 1e6;

    public static void Write(InfoText text, MetricSource source)
    {
        text.Section("Debug");
        text.Field("eventloop_duration_aof_sum", 0);
        text.Field(
            "eventloop_duration_cron_sum",
            (long)(source.Totals[ServerCounter.CronTicks] * (MicrosecondsPerSecond / Stopwatch.Frequency)));
        text.Field(
            "eventloop_duration_max", (long)(TrafficMetrics.LongestTurn.Value!(source) * MicrosecondsPerSecond));
        text.Field(TrafficMetrics.MostCommandsOfTurn, source);
        text.Zeros(
            "allocator_allocated_lua", "allocator_active_lua", "allocator_resident_lua", "allocator_frag_bytes_lua");
    }
}
