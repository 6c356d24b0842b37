using System.Globalization;
using Spectre.Console;
using Strata.Bench.Load;

namespace Strata.Bench.Top;

/// <summary><c>strata-bench top</c>: shows what a server is doing.</summary>
internal static class TopCommand
{
    private const int KeyCheckMs = 50;

    /// <summary>Returns the exit code: 0.</summary>
    /// <exception cref="BenchException">The server cannot be reached, or ends.</exception>
    public static int Run(TopOptions options, BenchConsole console)
    {
        if (options.IntervalSeconds is not (>= 0.1 and <= 3600))
        {
            throw new BenchException(FormattableString.Invariant(
                $"--interval {options.IntervalSeconds} is out of range: give 0.1 to 3600."));
        }

        using var client = RespClient.Connect(options);
        var address = string.Create(CultureInfo.InvariantCulture, $"{options.Host}:{options.Port}");
        var interval = TimeSpan.FromSeconds(options.IntervalSeconds);
        var reports = new TopReports(client);
        var view = new TopView(address, options, reports);
        var first = TopSample.Take(client, view.Seen.Contains(TopPanel.Shards));
        if (options.Once)
        {
            Thread.Sleep(interval);
            view.Take(new TopInterval(first, Look(client, view, reports)));
            console.Results.Write(view.ShowAll(console.Results.Profile.Width));
            return 0;
        }

        using var ended = new ManualResetEventSlim();
        ConsoleCancelEventHandler end = (_, cancel) =>
        {
            cancel.Cancel = true; // The screen is put in order first.
            ended.Set();
        };
        Console.CancelKeyPress += end;
        try
        {
            var terminal = console.Results;
            void Show() => Watch(() => Look(client, view, reports), interval, view, first, terminal, ended);
            if (terminal.Profile.Capabilities.AlternateBuffer && terminal.Profile.Capabilities.Ansi)
            {
                terminal.AlternateScreen(Show);
            }
            else
            {
                Show();
            }
        }
        finally
        {
            Console.CancelKeyPress -= end;
        }

        return 0;
    }

    /// <summary>Asks for what is shown.</summary>
    private static TopSample Look(RespClient client, TopView view, TopReports reports)
    {
        var sample = TopSample.Take(client, view.Seen.Contains(TopPanel.Shards));
        if (sample.IsStrata)
        {
            reports.Refresh(sample.Seconds, view.Seen, view.HotKeysBy, view.ClientsBy);
        }

        return sample;
    }

    private static void Watch(
        Func<TopSample> look,
        TimeSpan interval,
        TopView view,
        TopSample first,
        IAnsiConsole console,
        ManualResetEventSlim ended)
        => console.Live(new Text("Looking …")).Overflow(VerticalOverflow.Crop).Start(live =>
        {
            var before = first;
            var isKnown = false;
            while (AwaitNext(ended, interval, view, () => Draw(isKnown)))
            {
                if (!view.IsPaused)
                {
                    var now = look();
                    view.Take(new TopInterval(before, now));
                    before = now;
                    isKnown = true;
                    Draw(isKnown: true);
                }
            }

            void Draw(bool isKnown)
            {
                if (isKnown)
                {
                    live.UpdateTarget(view.Show(console.Profile.Width, console.Profile.Height));
                    live.Refresh();
                }
            }
        });

    /// <summary>Waits for an interval, and does meanwhile what keys are for.</summary>
    /// <returns>False for who wants to end.</returns>
    private static bool AwaitNext(ManualResetEventSlim ended, TimeSpan interval, TopView view, Action draw)
    {
        var end = Environment.TickCount64 + (long)interval.TotalMilliseconds;
        while (Environment.TickCount64 < end)
        {
            if (ended.Wait(KeyCheckMs))
            {
                return false;
            }

            while (!Console.IsInputRedirected && Console.KeyAvailable)
            {
                var key = Console.ReadKey(intercept: true);
                if (key.KeyChar == 'q')
                {
                    return false;
                }

                if (view.Press(key))
                {
                    draw();
                }
            }
        }

        return !ended.IsSet;
    }
}
