using NUnit.Framework;
using Strata.Server.Metrics;
using Strata.Storage.Devices;

namespace Strata.Tests.Server.Metrics;

/// <summary>Percentiles of what disks took.</summary>
internal sealed class RequestTimesTests
{
    private const double Unit = 1e-9;

    /// <summary>Of 100 requests between 2^20 and 2^21 ns the p50 lies in the middle, as Prometheus has it.</summary>
    [TestCase(50, (1 << 20) + (1 << 19))]
    [TestCase(100, 1 << 21)]
    public void A_percentile_lies_within_its_bounds_in_proportion(double percentile, long nanoseconds)
    {
        var latency = Of(100, (1 << 20) + 5);
        Assert.That(
            new RequestTimes([latency]).Percentile(percentile, null), Is.EqualTo(nanoseconds * Unit).Within(Unit));
    }

    [Test]
    public void Of_several_all_count_and_what_was_before_does_not()
    {
        var (one, other) = (Of(98, 1 << 20), Of(1, 1 << 30));
        var before = new RequestTimes([one, other]);
        Assert.That(before.Percentile(98, null), Is.EqualTo((1 << 21) * Unit).Within(1e-4));
        Assert.That(before.Percentile(100, null), Is.EqualTo(2.0 * (1 << 30) * Unit).Within(Unit));
        Assert.That(before.Count, Is.EqualTo(99));
        Assert.That(before.Percentile(50, before), Is.NaN);
        one.Add(3000);
        Assert.That(new RequestTimes([one, other]).Percentile(50, before), Is.InRange(2048 * Unit, 4096 * Unit));
        Assert.That(new RequestTimes([]).Percentile(50, null), Is.NaN);
    }

    /// <summary>What is longer than the last bound is told by that.</summary>
    [Test]
    public void The_longest_are_at_the_last_bound()
        => Assert.That(
            new RequestTimes([Of(3, 1L << 38)]).Percentile(99, null), Is.EqualTo(LatencyBounds.Seconds[^1]));

    private static RequestLatency Of(int requests, long nanoseconds)
    {
        var latency = new RequestLatency();
        for (var i = 0; i < requests; i++)
        {
            latency.Add(nanoseconds);
        }

        return latency;
    }
}
