using Spectre.Console;
using Spectre.Console.Rendering;

namespace Strata.Bench.Top;

/// <summary>A panel: a title, and lines or a table below it.</summary>
internal static class PanelTable
{
    /// <summary>A table without a frame: all columns but the first stand to the right, and no row is broken.</summary>
    public static Table New(params string[] heads)
    {
        var table = new Table().NoBorder();
        foreach (var head in heads)
        {
            var column = new TableColumn($"[grey]{Markup.Escape(head)}[/]").NoWrap();
            column.Padding = new Padding(0, 0, 2, 0);
            table.AddColumn(table.Columns.Count == 0 ? column : column.RightAligned());
        }

        return table;
    }

    /// <summary>Puts a title above.</summary>
    /// <param name="title">What it shows.</param>
    /// <param name="unit">What is said behind it.</param>
    /// <param name="body">What it shows.</param>
    public static IRenderable Titled(string title, string unit, IRenderable body)
        => new Rows(new Markup($"[bold]{Markup.Escape(title)}[/] [grey]{Markup.Escape(unit)}[/]"), body);

    /// <summary>A title with a table, or what is said in place of one that is empty.</summary>
    public static IRenderable Titled(string title, string unit, Table table, string nothing)
        => Titled(title, unit, table.Rows.Count > 0 ? table : new Markup($"[grey]{Markup.Escape(nothing)}[/]"));
}
