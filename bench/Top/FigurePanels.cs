using Spectre.Console;
using Spectre.Console.Rendering;
using static System.FormattableString;
using static Strata.Bench.Top.TopText;

namespace Strata.Bench.Top;

/// <summary>The panels of INFO's figures: what happens, what is wrong, and memory by part.</summary>
internal static class FigurePanels
{
    private const int ColumnsBesideLines = 56;
    private const int LongestLine = 60;
    private const int BarWidth = 24;

    /// <summary>Figures of the last interval, some with the last minute.</summary>
    public static IRenderable Figures(TopInterval interval, TopHistory history, int width)
    {
        var line = Math.Clamp(width - ColumnsBesideLines, 1, LongestLine);
        var table = PanelTable.New("", "now", "last minute");
        table.Columns[2].LeftAligned();
        var now = interval.Now;
        table.AddRow(
            "operations/s", Count(interval.PerSecond("total_commands_processed")), history.Line("operations", line));
        table.AddRow("latency p50, p99, p99.9",
            $"{Bound(interval.Percentile(50))}, {Bound(interval.Percentile(99))}, {Bound(interval.Percentile(99.9))}",
            history.Line("latency", line));
        table.AddRow("hit ratio", Percent(interval.HitRatio), history.Line("hits", line));
        table.AddRow("keys", Invariant($"{now.Keys:N0}"),
            $"{Count(interval.PerSecond("expired_keys"))} expired, "
            + $"{Count(interval.PerSecond("evicted_keys"))} evicted/s");
        table.AddRow("error replies/s", Count(interval.PerSecond("total_error_replies")), "");
        table.AddRow("clients", Count(now.Number("connected_clients")),
            $"{Count(now.Number("blocked_clients"))} waiting, at most {Count(now.Number("maxclients"))}");
        table.AddRow("network in, out",
            $"{Bytes(interval.PerSecond("total_net_input_bytes"))}/s, "
            + $"{Bytes(interval.PerSecond("total_net_output_bytes"))}/s", history.Line("network", line));
        table.AddRow("CPU server, kernel",
            $"{Percent(100 * interval.PerSecond("used_cpu_user"))}, "
            + $"{Percent(100 * interval.PerSecond("used_cpu_sys"))}", history.Line("cpu", line));
        AddDisk(table, interval, history, line);
        return table;
    }

    /// <summary>What the doctors find, and what cannot be told.</summary>
    /// <param name="now">The server.</param>
    /// <param name="left">What is left out, a sentence for each kind.</param>
    public static Paragraphs Findings(TopSample now, IEnumerable<string> left)
    {
        List<(string Text, string Style)> found = now.Findings.Count == 0
            ? [("Nothing is wrong that the doctors know of.", "green")]
            : now.Findings.ConvertAll(static text => ("! " + text, "yellow"));
        return new Paragraphs([.. found, .. now.Refusals.Concat(left).Select(static text => (text, "grey"))]);
    }

    /// <summary>Memory by what holds it.</summary>
    public static IRenderable Memory(TopSample now)
    {
        var used = now.Number("used_memory");
        var limit = now.Number("maxmemory");
        var table = PanelTable.New("memory", "bytes", "share", "");
        table.Columns[3].LeftAligned();
        table.AddRow(
            "used", Bytes(used), limit > 0 ? Invariant($"{100 * used / limit:F1} % of {Bytes(limit)}") : "no limit",
            Bar(limit > 0 ? used / limit : double.NaN, BarWidth));
        foreach (var (name, bytes) in PartsOf(now).Where(part => part.Bytes >= 0))
        {
            var share = bytes / Math.Max(1, used);
            table.AddRow("  " + name, Bytes(bytes), Invariant($"{100 * share:F1} %"), Bar(share, BarWidth));
        }

        if (now.Number("tier_used_bytes") is >= 0 and var onDisk)
        {
            table.AddRow("on disk", Bytes(onDisk), Invariant($"{now.Number("tier_cold_pages"):N0} pages"), "");
        }

        return table;
    }

    /// <summary>Parts that add up to what is used, as on the live page; of Redis what it tells.</summary>
    private static IEnumerable<(string Name, double Bytes)> PartsOf(TopSample now)
    {
        var used = now.Number("used_memory");
        var (pages, live, dead) =
            (now.Number("log_page_bytes"), now.Number("log_live_bytes"), now.Number("log_garbage_bytes"));
        var (retired, heap, index) =
            (now.Number("log_retired_bytes"), now.Number("heap_bytes"), now.Number("index_bytes"));
        if (!double.IsFinite(pages))
        {
            return
            [
                ("data", now.Number("used_memory_dataset")), ("overhead", now.Number("used_memory_overhead")),
                ("  of it clients", now.Number("mem_clients_normal")),
            ];
        }

        return
        [
            ("live records", live), ("rest of their pages", Math.Max(0, pages - live - dead)),
            ("dead records and slack", dead + retired), ("large collections", heap), ("index", index),
            ("clients and all else", Math.Max(0, used - pages - retired - heap - index)),
        ];
    }

    private static void AddDisk(Table table, TopInterval interval, TopHistory history, int line)
    {
        var now = interval.Now;
        if (now.Number("tier_reads") >= 0)
        {
            table.AddRow("disk reads, written",
                $"{Count(interval.PerSecond("tier_reads"))}/s, {Bytes(interval.PerSecond("tier_written_bytes"))}/s",
                history.Line("reads", line));
            table.AddRow("disk read, write took",
                $"{Micros(interval.Mean("tier_read_usec", "tier_read_requests"))}, "
                + Micros(interval.Mean("tier_write_usec", "tier_write_requests")),
                $"{Count(now.Number("tier_requests_in_flight"))} under way, "
                + $"{Count(interval.PerSecond("tier_swept_pages"))} swept/s");
        }

        if (now.Number("aof_enabled") > 0 && now.Number("aof_fsyncs") >= 0)
        {
            table.AddRow("journal syncs, took",
                $"{Count(interval.PerSecond("aof_fsyncs"))}/s, "
                + Micros(interval.Mean("aof_fsync_usec", "aof_fsyncs")), history.Line("syncs", line));
        }
    }
}
