using Spectre.Console;
using Spectre.Console.Rendering;
using static Strata.Bench.Top.TopText;

namespace Strata.Bench.Top;

/// <summary>The map of shards: what the pages of each hold, as letters that stand for equally many bytes.</summary>
internal static class ShardPanel
{
    /// <summary>Rows of shards that are shown.</summary>
    public const int MostRows = 16;

    // The number, what it holds, and room between columns.
    private const int LettersBesideBar = 18;
    private const int LeastBar = 10;
    private const int LongestBar = 50;

    // Live, dead, the rest of the pages, emptied, and on the disk alone.
    private static readonly (string Name, string Letter, string Colour)[] s_states =
    [
        ("live", "█", "blue"), ("dead", "▓", "yellow"), ("free, or on disk, too", "▒", "teal"),
        ("emptied", "·", "grey"), ("on disk alone", "□", "purple"),
    ];

    /// <summary>The map; of so many shards that it has no room for all, the first, and what the others hold.</summary>
    public static IRenderable Show(TopInterval interval, int width)
    {
        var shards = interval.Shards;
        var columns = Math.Clamp(
            (shards.Count + MostRows - 1) / MostRows, 1, Math.Max(1, width / (LettersBesideBar + LeastBar)));
        var bar = Math.Clamp((width / columns) - LettersBesideBar, LeastBar, LongestBar);
        var most = Math.Max(1, shards.Max(shard => shard.TotalBytes));
        var grid = new Grid();
        for (var i = 0; i < columns; i++)
        {
            grid.AddColumn(new GridColumn { NoWrap = true, Padding = new Padding(0, 0, 1, 0) });
        }

        var rows = Math.Min(MostRows, (shards.Count + columns - 1) / columns);
        for (var row = 0; row < rows; row++)
        {
            grid.AddRow([.. Enumerable.Range(0, columns).Select(column => (column * rows) + row)
                .Select(at => at < shards.Count ? new Markup(RowOf(shards[at], bar, most)) : new Markup(""))]);
        }

        var legend = string.Join("  ", s_states.Where((_, i) => i < 4 || interval.Now.Number("tier_cold_pages") >= 0)
            .Select(state => $"[{state.Colour}]{state.Letter}[/] {state.Name}"));
        var others = shards.Skip(rows * columns).ToList();
        var rest = others.Count == 0 ? "" : $", {others.Count} more: {Bytes(others.Sum(shard => shard.TotalBytes))}";
        return PanelTable.Titled(
            "Shards and their pages", $"a letter is {Bytes(most / bar)}, ◆ being compacted{rest}",
            new Rows(grid, new Markup(legend)));
    }

    private static string RowOf(TopShard shard, int width, double most)
    {
        double[] bytes = [shard.LiveBytes, shard.DeadBytes, shard.RestBytes, shard.RetiredBytes, shard.DiskBytes];
        var (sum, drawn) = (0.0, 0);
        var line = "";
        for (var i = 0; i < bytes.Length; i++)
        {
            sum += bytes[i];
            var end = (int)Math.Round(sum / most * width); // So that the whole is as long as it should be.
            line += $"[{s_states[i].Colour}]{string.Concat(Enumerable.Repeat(s_states[i].Letter, end - drawn))}[/]";
            drawn = end;
        }

        var mark = shard.IsCompacting ? "◆" : " ";
        return $"{shard.Number,3} {line}{new string(' ', width - drawn)}{mark} {Bytes(shard.TotalBytes),8}";
    }
}
