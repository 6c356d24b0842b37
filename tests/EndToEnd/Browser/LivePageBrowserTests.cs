using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Microsoft.Playwright;
using NUnit.Framework;
using Strata.Tests.Support;
using ReservedPort = Strata.Bench.Servers.ReservedPort;

namespace Strata.Tests.EndToEnd.Browser;

/// <summary>The live page in Debian's Chromium, as somebody sees it.</summary>
[TestFixture]
internal sealed class LivePageBrowserTests
{
    private const string Hostile = "<img/src=x/onerror=alert(1)>";

    private readonly List<string> _complaints = [];
    private readonly List<string> _requests = [];
    private readonly List<IPage> _pages = [];
    private ReservedPort _port = null!;
    private ServerProcess _server = null!;
    private RespConnection _client = null!;
    private IPlaywright _playwright = null!;
    private IBrowser _browser = null!;

    private string Address => $"http://127.0.0.1:{_port.Number}/";

    [OneTimeSetUp]
    public async Task StartAsync()
    {
        var chromium = new[] { "chromium", "chromium-browser", "google-chrome" }
            .Select(ProgramRun.Find).FirstOrDefault(path => path != null);
        if (chromium == null)
        {
            Assert.Ignore("No Chromium is in PATH: install it to run this.");
        }

        _port = ReservedPort.Take();
        _server = StrataProcess.Start(
            "--metrics-port", _port.Number.ToString(CultureInfo.InvariantCulture), "--maxmemory", "64mb",
            "--slowlog-log-slower-than", "0", "--rename-command", "STRLEN", Hostile);
        _client = _server.Connect();
        for (var i = 0; i < 1003; i++)
        {
            _ = _client.Call("SET", $"key:{i}", new string('v', 1000));
        }

        _ = _client.Call("GET", "nothing");
        _playwright = await Playwright.CreateAsync();
        // Without a sandbox, for root may have none; it sees this page alone.
        _browser = await _playwright.Chromium.LaunchAsync(
            new() { ExecutablePath = chromium, Args = ["--no-sandbox", "--disable-gpu"] });
    }

    [OneTimeTearDown]
    public async Task StopAsync()
    {
        await (_browser?.CloseAsync() ?? Task.CompletedTask);
        _playwright?.Dispose();
        _client?.Dispose();
        _server?.Dispose();
        _port?.Dispose();
    }

    [SetUp]
    public void Forget()
    {
        _complaints.Clear();
        _requests.Clear();
    }

    [TearDown]
    public async Task Nothing_is_complained_of_and_nobody_else_asked()
    {
        foreach (var page in _pages)
        {
            await page.CloseAsync();
        }

        _pages.Clear();
        Assert.That(_complaints, Is.Empty);
        Assert.That(_requests, Is.Not.Empty.And.All.StartsWith(Address));
    }

    [Test]
    public async Task Numbers_are_those_of_info()
    {
        var page = await OpenAsync();
        await AwaitTextAsync(page, "#tiles", "1,003 in all");
        await AwaitTextAsync(page, "#tiles", "of 64.0 MiB");
        var commands = ServerInfo.Number(_client, "stats", "total_commands_processed");
        await AwaitTextAsync(page, "#tiles", (commands + 1).ToString("N0", CultureInfo.InvariantCulture) + " in all");
        var figures = await page.EvaluateAsync<JsonElement>("live.now.figures");
        foreach (var (section, field, name) in new[]
        {
            ("stats", "keyspace_misses", "keyspace_misses"), ("clients", "connected_clients", "connected_clients"),
            ("memory", "index_bytes", "memory_index_bytes"), ("memory", "log_live_bytes", "memory_log_live_bytes"),
        })
        {
            Assert.That(
                figures.GetProperty(name).GetInt64(), Is.EqualTo(ServerInfo.Number(_client, section, field)), name);
        }

        var rest = await page.EvaluateAsync<double>(
            """
            live.now.figures.memory_used_bytes - PANELS.find(panel => panel.title === "Memory by part").series
              .reduce((sum, series) => sum + live.history.value(series.figure, 0), 0)
            """);
        Assert.That(rest, Is.Zero, "the parts make the whole");
    }

    /// <summary>What a client calls a command is shown as it is, and is no markup.</summary>
    [Test]
    public async Task A_hostile_name_is_text()
    {
        _ = _client.Call(Hostile, "key:1");
        var page = await OpenAsync();
        await AwaitTextAsync(page, "#panels", Hostile);
        Assert.That(await page.Locator("img").CountAsync(), Is.Zero);
    }

    /// <summary>What only some may see comes by itself; buttons choose what of it is shown.</summary>
    [Test]
    public async Task Prefixes_large_keys_and_clients_are_shown()
    {
        const string Prefixes = ".panel:has-text('Memory by prefix')";
        const string Clients = ".panel:has-text('Clients by what they cost')";
        _ = _client.Call("CLIENT", "SETNAME", "<b>me</b>");
        _ = _client.Call("SET", "key:1", new string('v', 5000)); // So large that it is known, whatever was drawn.
        var page = await OpenAsync();
        await AwaitTextAsync(page, Prefixes, "key:");
        await AwaitTextAsync(page, Prefixes, "1.00k");
        await page.Locator($"{Prefixes} button:text('large')").ClickAsync();
        await AwaitTextAsync(page, Prefixes, "key:1");
        await AwaitTextAsync(page, Clients, "<b>me</b> · 127.0.0.1 · default");
        await page.Locator($"{Clients} button:text('user')").ClickAsync();
        await Assertions.Expect(page.Locator($"{Clients} tbody tr td").First).ToHaveTextAsync("default");
    }

    /// <summary>A panel comes when there is something to tell, and goes.</summary>
    [Test]
    public async Task What_the_journal_s_syncs_take_is_shown_while_there_is_one()
    {
        const string Latency = ".panel:has-text('Disk: latency')";
        var page = await OpenAsync();
        await AwaitTextAsync(page, "#stateText", "live");
        Assert.That(await page.Locator(Latency).CountAsync(), Is.Zero);
        Assert.That(_client.Call("CONFIG", "SET", "appendfsync", "always").Text, Is.EqualTo("OK"));
        Assert.That(_client.Call("CONFIG", "SET", "appendonly", "yes").Text, Is.EqualTo("OK"));
        await AwaitTextAsync(page, Latency, "fsync p99");
        Assert.That(await page.Locator(Latency).InnerTextAsync(), Does.Not.Contain("read p50"));
        var clock = Stopwatch.StartNew();
        do
        {
            Assert.That(clock.ElapsedMilliseconds, Is.LessThan(Patience.Ms));
            Assert.That(_client.Call("SET", "key:1", "v").Text, Is.EqualTo("OK"));
        }
        while (!await page.EvaluateAsync<bool>("live.history.value('syncP99', 0) >= (live.now.disk.sync?.p50 ?? NaN)"));
        Assert.That(_client.Call("CONFIG", "SET", "appendonly", "no").Text, Is.EqualTo("OK"));
        await Assertions.Expect(page.Locator(Latency)).ToHaveCountAsync(0, new() { Timeout = Patience.Ms });
    }

    [Test]
    public async Task A_phone_shows_all_of_it_dark_where_that_is_wanted()
    {
        var page = await OpenAsync(width: 380, ColorScheme.Dark);
        await AwaitTextAsync(page, "#stateText", "live");
        Assert.That(await page.EvaluateAsync<int>("document.documentElement.scrollWidth"), Is.AtMost(380));
        Assert.That(await BackgroundAsync(page), Is.EqualTo("rgb(15, 20, 26)"));
        await page.Locator("#theme").ClickAsync();
        Assert.That(await BackgroundAsync(page), Is.EqualTo("rgb(244, 245, 247)"));
        Assert.That(await page.Locator("canvas:not([aria-label]):not([aria-hidden])").CountAsync(), Is.Zero);
    }

    [Test]
    public async Task A_pause_holds_what_is_seen_while_the_server_is_watched_on()
    {
        var page = await OpenAsync();
        await AwaitTextAsync(page, "#stateText", "live");
        await page.Locator("#pause").ClickAsync();
        await AwaitTextAsync(page, "#stateText", "paused");
        var seen = await page.Locator("#tiles").InnerTextAsync();
        var samples = await page.EvaluateAsync<int>("live.history.count");
        _ = _client.Call("GET", "key:1");
        await AwaitAsync(page, $"live.history.count >= {samples + 2}");
        Assert.That(await page.Locator("#tiles").InnerTextAsync(), Is.EqualTo(seen));
        await page.Locator("#pause").ClickAsync();
        await AwaitTextAsync(page, "#stateText", "live");
        await AwaitAsync(page, "view.history === live.history && view.now === live.now");
    }

    /// <summary>More than an hour of looks, one after the other: the ring holds ten minutes, and nothing else stays.
    /// </summary>
    [Test]
    public async Task A_page_that_stays_open_does_not_grow()
    {
        var page = await OpenAsync();
        await AwaitTextAsync(page, "#stateText", "live");
        var browser = await page.Context.NewCDPSessionAsync(page);
        await FeedAsync(page, 1000);
        var before = await HeapBytesAsync(browser);
        await FeedAsync(page, 4000);
        var after = await HeapBytesAsync(browser);
        Assert.That(after - before, Is.LessThan(300_000));
        Assert.That(await page.EvaluateAsync<int>("live.history.length"), Is.InRange(600, 700));
    }

    private static async Task FeedAsync(IPage page, int looks) => _ = await page.EvaluateAsync(
        """
        looks => {
          for (let i = 0; i < looks; i++) {
            const now = structuredClone(live.now);
            now.at += 1000;
            now.clock += 1;
            now.figures.commands_processed += 1000 + i % 7;
            take(now);
            charts.forEach(chart => i % 10 || chart.draw(colors));
          }
        }
        """,
        looks);

    private static async Task<long> HeapBytesAsync(ICDPSession browser)
    {
        _ = await browser.SendAsync("HeapProfiler.collectGarbage");
        var usage = await browser.SendAsync("Runtime.getHeapUsage");
        return (long)usage!.Value.GetProperty("usedSize").GetDouble();
    }

    private static Task<string> BackgroundAsync(IPage page)
        => page.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor");

    private static Task AwaitTextAsync(IPage page, string place, string text)
        => Assertions.Expect(page.Locator(place)).ToContainTextAsync(text, new() { Timeout = Patience.Ms });

    /// <summary>Asks again and again from outside: the page's policy lets it evaluate no text.</summary>
    private static async Task AwaitAsync(IPage page, string condition)
    {
        var clock = Stopwatch.StartNew();
        while (!await page.EvaluateAsync<bool>(condition))
        {
            Assert.That(clock.ElapsedMilliseconds, Is.LessThan(Patience.Ms), condition);
            await Task.Delay(50);
        }
    }

    private async Task<IPage> OpenAsync(int width = 1280, ColorScheme scheme = ColorScheme.Light)
    {
        var page = await _browser.NewPageAsync(
            new() { ViewportSize = new() { Width = width, Height = 800 }, ColorScheme = scheme });
        _pages.Add(page);
        page.SetDefaultTimeout(Patience.Ms);
        page.Console += (_, message) => _complaints.Add(message.Text);
        page.PageError += (_, error) => _complaints.Add(error);
        page.Request += (_, request) => _requests.Add(request.Url);
        _ = await page.GotoAsync(Address);
        return page;
    }
}
