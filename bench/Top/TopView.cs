using System.Globalization;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Strata.Bench.Top;

/// <summary>Figures of a server as a terminal shows them. It keeps a minute of some for their lines.</summary>
internal sealed class TopView
{
    private const int Kept = 60;
    private const int MostCommands = 8;
    private const string Dash = "-";
    private const string Bars = "▁▂▃▄▅▆▇█";

    private readonly Queue<double> _operations = new(Kept);
    private readonly Queue<double> _latencies = new(Kept);
    private readonly Queue<double> _hits = new(Kept);

    /// <summary>Takes in what happened last, and shows it.</summary>
    public IRenderable Show(string address, TopInterval interval)
    {
        Keep(_operations, interval.PerSecond("total_commands_processed"));
        Keep(_latencies, interval.Percentile(99));
        Keep(_hits, interval.HitRatio);
        List<IRenderable> parts = [Heading(address, interval.Now), Figures(interval), Memory(interval.Now)];
        if (interval.Commands(MostCommands) is { Count: > 0 } commands)
        {
            parts.Add(CommandTable(commands));
        }

        if (interval.Now.Slow.Count > 0)
        {
            parts.Add(SlowTable(interval.Now));
        }

        parts.Add(Findings(interval.Now));
        parts.AddRange(interval.Now.Refusals.Select(text => new Markup("[grey]" + Markup.Escape(text) + "[/]")));
        return new Rows(parts);
    }

    private static Markup Heading(string address, TopSample now)
    {
        var version = now.Text("strata_version") is { Length: > 0 } own ? "Strata " + own : now.Text("redis_version");
        return new Markup($"[bold]{Markup.Escape(version)}[/] at {Markup.Escape(address)}, up "
            + Markup.Escape(Duration(now.Number("uptime_in_seconds"))));
    }

    private static Markup Findings(TopSample now)
        => now.Findings.Count == 0
            ? new Markup("[green]Nothing is wrong that the doctors know of.[/]")
            : new Markup(string.Join('\n', now.Findings.Select(text => "[yellow]! [/]" + Markup.Escape(text))));

    private static Table CommandTable(
        IReadOnlyList<(string Name, double CallsPerSecond, double Mean, double Share)> commands)
    {
        var table = new Table().Border(TableBorder.Simple).AddColumns("command", "calls/s", "mean", "share of time");
        AlignRight(table);
        foreach (var (name, calls, mean, share) in commands)
        {
            table.AddRow(Markup.Escape(name), Count(calls), Micros(mean), Invariant($"{100 * share:F0} %"));
        }

        return table;
    }

    private static Table SlowTable(TopSample now)
    {
        var table = new Table().Border(TableBorder.Simple).AddColumns("slow command", "took", "at");
        AlignRight(table);
        foreach (var (verb, microseconds, unixSeconds) in now.Slow)
        {
            var at = DateTimeOffset.FromUnixTimeSeconds(unixSeconds).LocalDateTime;
            table.AddRow(Markup.Escape(Printable(verb)), Micros(microseconds), Invariant($"{at:HH:mm:ss}"));
        }

        return table;
    }

    private static Table Memory(TopSample now)
    {
        var used = now.Number("used_memory");
        var limit = now.Number("maxmemory");
        var table = new Table().Border(TableBorder.Simple).AddColumns("memory", "bytes", "share");
        AlignRight(table);
        table.AddRow(
            "used", Bytes(used), limit > 0 ? Invariant($"{100 * used / limit:F1} % of {Bytes(limit)}") : "no limit");
        foreach (var (name, field) in new[]
        {
            ("live records", "log_live_bytes"), ("dead records and slack", "log_garbage_bytes"),
            ("large collections", "heap_bytes"), ("index", "index_bytes"), ("clients", "mem_clients_normal"),
        })
        {
            if (now.Number(field) is >= 0 and var bytes)
            {
                table.AddRow("  " + name, Bytes(bytes), Invariant($"{100 * bytes / Math.Max(1, used):F1} %"));
            }
        }

        if (now.Number("tier_used_bytes") is >= 0 and var onDisk)
        {
            table.AddRow("on disk", Bytes(onDisk), Invariant($"{now.Number("tier_cold_pages"):N0} pages"));
        }

        return table;
    }

    private Table Figures(TopInterval interval)
    {
        var table = new Table().Border(TableBorder.Simple).AddColumns("", "now", "last minute");
        table.Columns[1].RightAligned();
        var now = interval.Now;
        table.AddRow("operations/s", Count(interval.PerSecond("total_commands_processed")), Line(_operations));
        table.AddRow("latency p50, p99, p99.9",
            $"{Bound(interval.Percentile(50))}, {Bound(interval.Percentile(99))}, {Bound(interval.Percentile(99.9))}",
            Line(_latencies));
        table.AddRow("hit ratio", Percent(interval.HitRatio), Line(_hits));
        table.AddRow("keys", Invariant($"{now.Keys:N0}"),
            $"{Count(interval.PerSecond("expired_keys"))} expired, "
            + $"{Count(interval.PerSecond("evicted_keys"))} evicted/s");
        table.AddRow("clients", Count(now.Number("connected_clients")),
            $"{Count(now.Number("blocked_clients"))} waiting, at most {Count(now.Number("maxclients"))}");
        table.AddRow("network in, out",
            $"{Bytes(interval.PerSecond("total_net_input_bytes"))}/s, "
            + $"{Bytes(interval.PerSecond("total_net_output_bytes"))}/s", "");
        if (now.Number("tier_reads") >= 0)
        {
            table.AddRow("disk reads, written",
                $"{Count(interval.PerSecond("tier_reads"))}/s, {Bytes(interval.PerSecond("tier_written_bytes"))}/s",
                $"{Count(now.Number("tier_requests_in_flight"))} requests under way");
        }

        return table;
    }

    private static void AlignRight(Table table)
    {
        for (var i = 1; i < table.Columns.Count; i++)
        {
            table.Columns[i].RightAligned();
        }
    }

    private static void Keep(Queue<double> queue, double value)
    {
        if (queue.Count == Kept)
        {
            _ = queue.Dequeue();
        }

        queue.Enqueue(value);
    }

    /// <summary>A bar for each value, from nothing to the largest.</summary>
    private static string Line(Queue<double> values)
    {
        var most = values.Where(double.IsFinite).DefaultIfEmpty(0).Max();
        return string.Concat(values.Select(value =>
            double.IsFinite(value) && most > 0 ? Bars[(int)(value / most * (Bars.Length - 1))] : ' '));
    }

    /// <summary>A text of a client's, without what would steer the terminal.</summary>
    private static string Printable(string text)
        => string.Concat(text.Select(letter => char.IsControl(letter) ? '?' : letter));

    private static string Bound(double micros) => double.IsFinite(micros) ? "≤ " + Micros(micros) : Dash;

    private static string Micros(double micros) => Scaled(micros, 1000, ["µs", "ms", "s"]);

    private static string Count(double value) => Scaled(value, 1000, ["", "k", "M", "G"]);

    private static string Bytes(double value) => Scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);

    private static string Percent(double value) => double.IsFinite(value) ? Invariant($"{value:F1} %") : Dash;

    private static string Scaled(double value, int step, string[] units)
    {
        if (!double.IsFinite(value))
        {
            return Dash;
        }

        var unit = 0;
        while (value >= step && unit < units.Length - 1)
        {
            value /= step;
            unit++;
        }

        var digits = unit == 0 && value == Math.Floor(value) ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0;
        var text = value.ToString("F" + digits, CultureInfo.InvariantCulture);
        return units[unit] is "" or "k" or "M" or "G" ? text + units[unit] : text + " " + units[unit];
    }

    private static string Duration(double seconds)
        => double.IsFinite(seconds) ? TimeSpan.FromSeconds(Math.Floor(seconds)).ToString("c") : Dash;

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
