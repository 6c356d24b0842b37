using System.Globalization;
using NUnit.Framework;
using Spectre.Console;
using Strata.Bench.Load;
using Strata.Bench.Top;
using Strata.Tests.Support;

namespace Strata.Tests.Bench;

/// <summary>What strata-bench top shows in terminals of different sizes, and what its keys do.</summary>
internal sealed class TopViewTests
{
    private ServerProcess _server = null!;
    private RespConnection _client = null!;
    private RespClient _top = null!;

    [SetUp]
    public void Start()
    {
        _server = StrataProcess.Start("--storage-tier", "yes", "--maxmemory", "64mb", "--appendonly", "yes");
        _client = _server.Connect();
        _top = RespClient.Connect("127.0.0.1", _server.Port, password: null);
        for (var i = 0; i < 300; i++)
        {
            _ = _client.Call("SET", $"prefix:{i}", new string('v', 100));
        }
    }

    [TearDown]
    public void Stop()
    {
        _top.Dispose();
        _client.Dispose();
        _server.Dispose();
    }

    [Test]
    public void All_of_it_fits_a_small_terminal_screen_by_screen()
    {
        var view = Look(new TopOptions());
        HashSet<TopPanel> seen = [];
        for (var screens = 0; seen.Count < Enum.GetValues<TopPanel>().Length; screens++)
        {
            Assert.That(screens, Is.LessThan(Enum.GetValues<TopPanel>().Length));
            var lines = Lines(view, 80, 24);
            Assert.That(lines, Has.Count.AtMost(24));
            Assert.That(lines.Select(static line => line.Length), Is.All.AtMost(80));
            Assert.That(lines[1], Does.Contain(view.Seen.First().ToString().ToLowerInvariant()));
            seen.UnionWith(view.Seen);
            Assert.That(Press(view, '\t', ConsoleKey.Tab), Is.True);
        }

        _ = Lines(view, 80, 24);
        Assert.That(view.Seen.First(), Is.EqualTo(TopPanel.Figures), "behind the last comes the first");
        _ = Press(view, '\0', ConsoleKey.LeftArrow);
        _ = Lines(view, 80, 24);
        Assert.That(view.Seen, Does.Contain(TopPanel.Shards));
        Assert.That(Press(view, '1'), Is.True);
        _ = Lines(view, 80, 24);
        Assert.That(view.Seen.First(), Is.EqualTo(TopPanel.Figures));
    }

    [Test]
    public void A_large_terminal_shows_all_at_once()
    {
        var view = Look(new TopOptions());
        var lines = Lines(view, 260, 70);
        Assert.That(view.Seen, Is.EquivalentTo(Enum.GetValues<TopPanel>()));
        Assert.That(lines, Has.Count.AtMost(70));
        Assert.That(lines.Select(static line => line.Length), Is.All.AtMost(260));
        Assert.That(lines, Has.Some.Contains("operations/s").And.Some.Contains("Shards and their pages"));
        Assert.That(lines, Has.Some.Contains("journal syncs, took").And.Some.Contains("disk reads, written"));
    }

    [Test]
    public void Keys_choose_what_reports_are_told_by_and_hold_what_is_seen()
    {
        var view = Look(new TopOptions { HotKeysBy = HotKeyOrder.Writes });
        Assert.That(Press(view, 'm') && view.HotKeysBy == HotKeyOrder.Bytes, Is.True);
        Assert.That(Press(view, 'm') && view.HotKeysBy == HotKeyOrder.Reads, Is.True);
        Assert.That(Press(view, 'c') && view.ClientsBy == ClientOrder.Name, Is.True);
        Assert.That(Press(view, 'p') && view.IsPaused, Is.True);
        Assert.That(Lines(view, 80, 24)[0], Does.Contain("paused"));
        Assert.That(Press(view, 'x'), Is.False);
    }

    /// <summary>Only what is shown is asked for, and no more often than the live page asks.</summary>
    [Test]
    public void Reports_are_asked_for_as_often_as_the_live_page_does()
    {
        var reports = new TopReports(_top);
        for (var tenths = 0; tenths <= 70; tenths++)
        {
            reports.Refresh(tenths / 10.0, [TopPanel.HotKeys, TopPanel.Prefixes], HotKeyOrder.Reads, ClientOrder.Owner);
        }

        Assert.That(Calls("hotkeys"), Is.EqualTo(4));
        Assert.That(Calls("prefixes"), Is.EqualTo(2));
        Assert.That(Calls("bigkeys") + Calls("clients") + Calls("curve"), Is.Zero);
        reports.Refresh(7.1, [TopPanel.HotKeys], HotKeyOrder.Bytes, ClientOrder.Owner);
        Assert.That(Calls("hotkeys"), Is.EqualTo(5), "another measure is another report");
    }

    private int Calls(string report)
    {
        var stats = _client.Call("INFO", "commandstats").Text;
        var line = stats.Split("\r\n").FirstOrDefault(
            line => line.StartsWith($"cmdstat_strata|{report}:", StringComparison.Ordinal));
        return line == null
            ? 0
            : int.Parse(line.Split("calls=")[1].Split(',')[0], CultureInfo.InvariantCulture);
    }

    private TopView Look(TopOptions options)
    {
        var reports = new TopReports(_top);
        var view = new TopView("here", options, reports);
        var first = TopSample.Take(_top, withShards: true);
        var second = TopSample.Take(_top, withShards: true);
        reports.Refresh(second.Seconds, view.Seen, view.HotKeysBy, view.ClientsBy);
        view.Take(new TopInterval(first, second));
        return view;
    }

    private static bool Press(TopView view, char letter, ConsoleKey key = ConsoleKey.None)
        => view.Press(new ConsoleKeyInfo(letter, key, shift: false, alt: false, control: false));

    private static List<string> Lines(TopView view, int width, int height)
    {
        using var writer = new StringWriter();
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings { Out = new AnsiConsoleOutput(writer), Ansi = AnsiSupport.No });
        console.Profile.Width = width;
        console.Write(view.Show(width, height));
        return [.. writer.ToString().TrimEnd('\n').Split('\n').Select(static line => line.TrimEnd())];
    }
}
