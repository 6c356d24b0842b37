using Spectre.Console;
using Spectre.Console.Rendering;
using static Strata.Bench.Top.TopText;

namespace Strata.Bench.Top;

/// <summary>What of a server is shown, and how: as far as the terminal has room, and the rest on further screens.
/// </summary>
/// <param name="address">The server's.</param>
/// <param name="options">What was chosen at the start.</param>
/// <param name="reports">What is known beside INFO's figures.</param>
internal sealed class TopView(string address, TopOptions options, TopReports reports)
{
    private const int HeadLines = 2;
    private const int FigureLines = 13;
    private const int MemoryLines = 9;
    private const int ListLines = TopReports.Entries + 2;
    private const int CurveLines = 14;
    private const int ShardLines = ShardPanel.MostRows + 2;

    private readonly TopHistory _history = new();
    private readonly List<TopPanel> _panels =
        [.. options.Panels.Any() ? options.Panels.Distinct() : Enum.GetValues<TopPanel>()];

    private TopInterval? _interval;
    private List<List<List<TopPanel>>> _screens = [];
    private int _screen;

    /// <summary>What hot keys are told by.</summary>
    public HotKeyOrder HotKeysBy { get; private set; } = options.HotKeysBy;

    /// <summary>What clients are put together by.</summary>
    public ClientOrder ClientsBy { get; private set; } = options.ClientsBy;

    /// <summary>Whether what is seen is held.</summary>
    public bool IsPaused { get; private set; }

    /// <summary>The panels that were seen last; before that all.</summary>
    public IReadOnlyCollection<TopPanel> Seen
        => _screens.Count == 0 ? _panels : [.. _screens[_screen].SelectMany(static column => column)];

    /// <summary>Takes in what happened last.</summary>
    public void Take(TopInterval interval)
    {
        _interval = interval;
        _history.Add(interval);
    }

    /// <summary>Does what a key is for.</summary>
    /// <returns>Whether it is for anything.</returns>
    public bool Press(ConsoleKeyInfo key)
    {
        var screens = Math.Max(1, _screens.Count);
        switch (key.Key)
        {
            case ConsoleKey.Tab when key.Modifiers.HasFlag(ConsoleModifiers.Shift):
            case ConsoleKey.LeftArrow:
            case ConsoleKey.UpArrow:
                _screen = (_screen + screens - 1) % screens;
                return true;
            case ConsoleKey.Tab:
            case ConsoleKey.RightArrow:
            case ConsoleKey.DownArrow:
                _screen = (_screen + 1) % screens;
                return true;
            default:
                break;
        }

        switch (key.KeyChar)
        {
            case >= '1' and <= '9' when key.KeyChar - '1' < screens:
                _screen = key.KeyChar - '1';
                return true;
            case 'm':
                HotKeysBy = Next(HotKeysBy);
                return true;
            case 'c':
                ClientsBy = Next(ClientsBy);
                return true;
            case 'p':
                IsPaused = !IsPaused;
                return true;
            default:
                return false;
        }
    }

    /// <summary>What a terminal of that size shows.</summary>
    public IRenderable Show(int width, int height)
    {
        var columns = TopScreens.ColumnsOf(width);
        var columnWidth = (width - (TopScreens.Gutter * (columns - 1))) / columns;
        _screens = TopScreens.Deal(
            Present().Select(panel => (panel, LinesOf(panel, columnWidth))), columns, height - HeadLines - 1);
        _screen = Math.Clamp(_screen, 0, Math.Max(0, _screens.Count - 1));
        var grid = new Grid { Expand = false };
        var screen = _screens.Count == 0 ? [] : _screens[_screen];
        for (var i = 0; i < screen.Count; i++)
        {
            grid.AddColumn(new GridColumn
            {
                Width = columnWidth,
                Padding = new Padding(0, 0, i == screen.Count - 1 ? 0 : TopScreens.Gutter, 0),
            });
        }

        if (screen.Count > 0)
        {
            grid.AddRow([.. screen.Select(column => Stacked(column, columnWidth))]);
        }

        return new Rows(Heading(), Keys(width), grid);
    }

    /// <summary>All panels, one below the other.</summary>
    public IRenderable ShowAll(int width) => new Rows(Heading(), Text.Empty, Stacked([.. Present()], width));

    private static T Next<T>(T order)
        where T : struct, Enum
    {
        var all = Enum.GetValues<T>();
        return all[(Array.IndexOf(all, order) + 1) % all.Length];
    }

    /// <summary>The panels that this server has.</summary>
    private IEnumerable<TopPanel> Present() => _panels.Where(IsPresent);

    private bool IsPresent(TopPanel panel)
        => _interval!.Now.IsStrata || !(reports.Has(panel) || panel == TopPanel.Shards);

    /// <summary>What is chosen and not shown, a sentence.</summary>
    private IEnumerable<string> LeftOut()
    {
        var left = _panels.Where(panel => !IsPresent(panel)).Select(Name).ToList();
        return left.Count == 0 ? [] : [$"Not shown, as this server does not tell: {string.Join(", ", left)}."];
    }

    private Rows Stacked(IReadOnlyList<TopPanel> panels, int width)
    {
        List<IRenderable> parts = [];
        foreach (var panel in panels)
        {
            if (parts.Count > 0)
            {
                parts.Add(Text.Empty);
            }

            parts.Add(Panel(panel, width));
        }

        return new Rows(parts);
    }

    private IRenderable Panel(TopPanel panel, int width) => panel switch
    {
        TopPanel.Figures => FigurePanels.Figures(_interval!, _history, width),
        TopPanel.Findings => FigurePanels.Findings(_interval!.Now, LeftOut()),
        TopPanel.Memory => FigurePanels.Memory(_interval!.Now),
        TopPanel.Commands => CommandPanels.Commands(_interval!),
        TopPanel.Slow => CommandPanels.Slow(_interval!.Now),
        TopPanel.Shards => _interval!.Shards.Count > 0 ? ShardPanel.Show(_interval, width) : Text.Empty,
        _ => ReportPanels.Of(panel, reports.Of(panel), HotKeysBy, ClientsBy),
    };

    private int LinesOf(TopPanel panel, int width) => panel switch
    {
        TopPanel.Figures => FigureLines,
        TopPanel.Findings => FigurePanels.Findings(_interval!.Now, LeftOut()).LinesAt(width),
        TopPanel.Memory => MemoryLines,
        TopPanel.Curve => CurveLines,
        TopPanel.Shards => ShardLines,
        _ => ListLines,
    };

    private Markup Heading()
    {
        var now = _interval!.Now;
        var version = now.IsStrata ? "Strata " + now.Text("strata_version") : "Redis " + now.Text("redis_version");
        return new Markup($"[bold]{Markup.Escape(version)}[/] at {Markup.Escape(address)}, up "
            + Markup.Escape(Duration(now.Number("uptime_in_seconds")))
            + (now.Findings.Count > 0 ? $"  [yellow]! {now.Findings.Count} found[/]" : "")
            + (IsPaused ? "  [yellow]paused[/]" : ""));
    }

    private Markup Keys(int width)
    {
        var names = string.Join(", ", Seen.Select(Name));
        var all = _screens.Count;
        var screens = all > 1 ? $"{_screen + 1} of {all} (tab, 1-{all}): {names}; " : "";
        var line = screens + "m, c: order, p: pause, q: end";
        return new Markup($"[grey]{Foreign(line, Math.Max(1, width))}[/]");
    }

    private static string Name(TopPanel panel) => panel.ToString().ToLowerInvariant();
}
