namespace Strata.Bench.Top;

/// <summary>Where panels stand: one below the other in columns, and what finds no room on further screens. Each has the
/// room that it may need, so that none moves about as its rows come and go.</summary>
internal static class TopScreens
{
    /// <summary>The narrowest column that panels are made for.</summary>
    public const int ColumnWidth = 79;

    /// <summary>Lines between panels.</summary>
    public const int Gap = 1;

    /// <summary>Letters between columns.</summary>
    public const int Gutter = 3;

    /// <summary>How many columns a terminal has.</summary>
    public static int ColumnsOf(int width) => Math.Max(1, (width + Gutter) / (ColumnWidth + Gutter));

    /// <summary>Deals panels out: screens of columns of panels, in their order. A panel that is higher than a screen
    /// has one column for itself.</summary>
    /// <param name="panels">The panels, with the lines that each may need.</param>
    /// <param name="columns">Columns of a screen.</param>
    /// <param name="height">Lines of a screen.</param>
    public static List<List<List<TopPanel>>> Deal(
        IEnumerable<(TopPanel Panel, int Lines)> panels, int columns, int height)
    {
        List<List<List<TopPanel>>> screens = [];
        var used = 0;
        foreach (var (panel, lines) in panels)
        {
            if (screens.Count == 0 || used + Gap + lines > height)
            {
                if (screens.Count == 0 || screens[^1].Count == columns)
                {
                    screens.Add([]);
                }

                screens[^1].Add([]);
                used = -Gap;
            }

            screens[^1][^1].Add(panel);
            used += Gap + lines;
        }

        return screens;
    }
}
