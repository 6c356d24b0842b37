using Spectre.Console;
using Spectre.Console.Rendering;
using Strata.Bench.Load;
using static Strata.Bench.Top.TopReport;
using static Strata.Bench.Top.TopText;

namespace Strata.Bench.Top;

/// <summary>The panels of STRATA's reports.</summary>
internal static class ReportPanels
{
    private const int BarWidth = 10;
    private const int LongestKey = 30;
    private const int LongestOwner = 36;

    /// <summary>The panel of a report; what stands there where the user may not ask.</summary>
    public static IRenderable Of(TopPanel panel, TopReport report, HotKeyOrder hotKeysBy, ClientOrder clientsBy)
    {
        if (report.Reply is not { } reply)
        {
            var command = panel.ToString().ToUpperInvariant();
            return new Markup(report.Refusal is { } refusal
                ? $"[grey]STRATA {command} is not shown: {Markup.Escape(refusal)}[/]"
                : "[grey]Looking …[/]");
        }

        return panel switch
        {
            TopPanel.HotKeys => HotKeys(reply, hotKeysBy),
            TopPanel.Prefixes => Prefixes(reply),
            TopPanel.BigKeys => BigKeys(reply),
            TopPanel.Clients => Clients(reply, clientsBy),
            _ => Curve(reply),
        };
    }

    private static IRenderable HotKeys(RespNode reply, HotKeyOrder by)
    {
        var table = WithBar("key", "db", "a second", "at least", "at most", "share");
        Func<double, string> write = by == HotKeyOrder.Bytes ? Bytes : Count;
        foreach (var key in ItemsOf(reply, "keys"))
        {
            var share = Number(key, "share");
            table.AddRow(
                Foreign(Text(key, "key"), LongestKey), Markup.Escape(Text(key, "db")), write(Number(key, "per-second")),
                write(Number(key, "at-least")), write(Number(key, "at-most")), Percent(100 * share),
                Bar(share, BarWidth));
        }

        return PanelTable.Titled(
            "Hot keys", $"by {Lower(by)}, last minutes (m: another measure)", table,
            "No key was used in the last minutes.");
    }

    private static IRenderable Prefixes(RespNode reply)
    {
        var table = WithBar("prefix", "db", "keys", "memory", "disk", "share");
        foreach (var prefix in ItemsOf(reply, "prefixes"))
        {
            var name = Text(prefix, "prefix");
            var share = Number(prefix, "share");
            table.AddRow(
                name.Length == 0 ? "(no prefix)" : Foreign(name, LongestKey), Markup.Escape(Text(prefix, "db")),
                Count(Number(prefix, "keys")), Bytes(Number(prefix, "memory-bytes")),
                Bytes(Number(prefix, "disk-bytes")), Percent(100 * share), Bar(share, BarWidth));
        }

        var seen = $"estimated from {Count(Number(reply, "keys-seen"))} of {Count(Number(reply, "keys"))} keys";
        return PanelTable.Titled("Memory by prefix", seen, table, "There are no keys.");
    }

    private static IRenderable BigKeys(RespNode reply)
    {
        var table = PanelTable.New("large key", "db", "bytes", "where");
        foreach (var key in ItemsOf(reply, "keys"))
        {
            table.AddRow(
                Foreign(Text(key, "key"), LongestKey), Markup.Escape(Text(key, "db")), Bytes(Number(key, "bytes")),
                Number(key, "on-disk") > 0 ? "on disk" : "in memory");
        }

        return PanelTable.Titled(
            "Large keys", $"complete above {Bytes(Number(reply, "complete-above"))}", table, "There are no keys.");
    }

    private static IRenderable Clients(RespNode reply, ClientOrder by)
    {
        var table = WithBar("client", "now", "commands", "bytes", "time", "share");
        foreach (var client in ItemsOf(reply, "clients"))
        {
            var share = Number(client, "share");
            table.AddRow(
                Foreign(OwnerOf(client, by), LongestOwner), Count(Number(client, "connections")),
                Count(Number(client, "commands")), Bytes(Number(client, "bytes-in") + Number(client, "bytes-out")),
                Micros(Number(client, "microseconds")), Percent(100 * share), Bar(share, BarWidth));
        }

        return PanelTable.Titled(
            "Clients by what they cost", $"by {Lower(by)}, since they first came (c: by something else)", table,
            "No client was here yet.");
    }

    private static IRenderable Curve(RespNode reply)
    {
        var table = WithBar("memory", "times", "hits, hour", "at least", "at most", "hits, day");
        var day = ItemsOf(reply, "day").ToDictionary(point => Text(point, "factor"), StringComparer.Ordinal);
        foreach (var point in ItemsOf(reply, "hour"))
        {
            var hits = Number(point, "hit-ratio");
            var ofDay = day.TryGetValue(Text(point, "factor"), out var other) ? Number(other, "hit-ratio") : double.NaN;
            table.AddRow(
                Bytes(Number(point, "memory-bytes")), "× " + Markup.Escape(Text(point, "factor")), Percent(100 * hits),
                Percent(100 * Number(point, "at-least")), Percent(100 * Number(point, "at-most")), Percent(100 * ofDay),
                Bar(hits, BarWidth));
        }

        return PanelTable.Titled(
            "Hits with other memory", "simulated, last hour and day", table, "Nothing was read in the last hour.");
    }

    private static string OwnerOf(RespNode client, ClientOrder by)
    {
        string[] fields = by switch
        {
            ClientOrder.Name => ["name", "lib-name"],
            ClientOrder.Address => ["address"],
            ClientOrder.User => ["user"],
            _ => ["name", "lib-name", "address", "user"],
        };
        var told = string.Join(
            " · ", fields.Select(field => Text(client, field)).Where(text => text is not ("" or "*")));
        return told.Length == 0 ? "(no name)" : told;
    }

    private static Table WithBar(params string[] heads)
    {
        var table = PanelTable.New([.. heads, ""]);
        table.Columns[^1].LeftAligned();
        return table;
    }

    private static IReadOnlyList<RespNode> ItemsOf(RespNode reply, string name) => Field(reply, name)?.Items ?? [];

    private static string Lower(Enum order) => order.ToString().ToLowerInvariant();
}
