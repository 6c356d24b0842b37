using NUnit.Framework;
using Strata.Server.Diagnostics;

namespace Strata.Tests.Server.Diagnostics;

[TestFixture]
internal sealed class LatencyMonitorTests
{
    [Test]
    public void Within_one_second_only_the_longest_counts()
    {
        var monitor = new LatencyMonitor(TimeProvider.System);
        monitor.Add("command", 20, unixSeconds: 100);
        monitor.Add("command", 50, unixSeconds: 100);
        monitor.Add("command", 30, unixSeconds: 100);
        monitor.Add("command", 10, unixSeconds: 101);

        var series = monitor.Find("command")!;

        Assert.That(series.Samples, Is.EqualTo(new LatencySample[] { new(100, 50), new(101, 10) }));
        Assert.That(series.LongestMs, Is.EqualTo(50));
        Assert.That(series.MeanMs, Is.EqualTo(30));
        Assert.That(series.MeanDeviationMs, Is.EqualTo(20));
        Assert.That(series.PeriodSeconds(nowSeconds: 110), Is.EqualTo(5));
    }

    [Test]
    public void The_oldest_samples_go_and_the_longest_is_remembered()
    {
        var monitor = new LatencyMonitor(TimeProvider.System);
        monitor.Add("command", 999, unixSeconds: 0);
        for (var second = 1; second <= LatencySeries.MaxSamples; second++)
        {
            monitor.Add("command", 1, second);
        }

        var series = monitor.Find("command")!;

        Assert.That(series.Samples, Has.Count.EqualTo(LatencySeries.MaxSamples));
        Assert.That(series.Samples[0].UnixSeconds, Is.EqualTo(1));
        Assert.That(series.LongestMs, Is.EqualTo(999));
    }

    [Test]
    public void Reset_forgets_one_event_or_all()
    {
        var monitor = new LatencyMonitor(TimeProvider.System);
        monitor.Add("command", 1);
        monitor.Add("fast-command", 1);
        monitor.Add("expire-cycle", 1);

        Assert.That(monitor.Reset("COMMAND"), Is.EqualTo(1));
        Assert.That(monitor.Reset("nothing"), Is.Zero);
        Assert.That(monitor.All.Select(series => series.Event), Is.EqualTo(new[] { "expire-cycle", "fast-command" }));
        Assert.That(monitor.Reset(), Is.EqualTo(2));
        Assert.That(monitor.All, Is.Empty);
    }

    [Test]
    public void The_graph_has_a_column_for_every_sample()
    {
        var monitor = new LatencyMonitor(TimeProvider.System);
        monitor.Add("command", 10, unixSeconds: 100);
        monitor.Add("command", 80, unixSeconds: 160);

        var lines = LatencyGraph.Draw(monitor.Find("command")!, nowSeconds: 165).Split('\n');

        Assert.That(lines[0], Is.EqualTo("command - high 80 ms, low 10 ms (all time high 80 ms)"));
        Assert.That(lines[2], Is.EqualTo(" █"));
        Assert.That(lines[5], Is.EqualTo("▁█"));
        Assert.That(lines[6..8], Is.EqualTo(new[] { "15", "ms" }));
    }
}
