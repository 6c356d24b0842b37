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

        using var client = RespClient.Connect(options.Host, options.Port, options.Password);
        var address = string.Create(CultureInfo.InvariantCulture, $"{options.Host}:{options.Port}");
        var interval = TimeSpan.FromSeconds(options.IntervalSeconds);
        var view = new TopView();
        var first = TopSample.Take(client);
        if (options.Once)
        {
            Thread.Sleep(interval);
            console.Results.Write(view.Show(address, new TopInterval(first, TopSample.Take(client))));
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
            Watch(client, address, interval, view, first, console.Results, ended);
        }
        finally
        {
            Console.CancelKeyPress -= end;
        }

        return 0;
    }

    private static void Watch(
        RespClient client,
        string address,
        TimeSpan interval,
        TopView view,
        TopSample first,
        IAnsiConsole console,
        ManualResetEventSlim ended)
        => console.Live(new Text("Looking …")).Overflow(VerticalOverflow.Crop).Start(live =>
        {
            var before = first;
            while (!IsEnded(ended, interval))
            {
                var now = TopSample.Take(client);
                live.UpdateTarget(view.Show(address, new TopInterval(before, now)));
                live.Refresh();
                before = now;
            }
        });

    /// <summary>Waits for an interval, or for who wants to end.</summary>
    private static bool IsEnded(ManualResetEventSlim ended, TimeSpan interval)
    {
        var end = Environment.TickCount64 + (long)interval.TotalMilliseconds;
        while (Environment.TickCount64 < end)
        {
            if (ended.Wait(KeyCheckMs) || IsKeyPressed())
            {
                return true;
            }
        }

        return ended.IsSet;
    }

    private static bool IsKeyPressed()
        => !Console.IsInputRedirected && Console.KeyAvailable && Console.ReadKey(intercept: true).KeyChar == 'q';
}
