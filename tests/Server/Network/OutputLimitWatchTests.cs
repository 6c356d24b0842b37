using NUnit.Framework;
using Strata.Server.Network;
using Strata.Server.Options;

namespace Strata.Tests.Server.Network;

/// <summary>When unsent replies pass a limit.</summary>
public sealed class OutputLimitWatchTests
{
    private static readonly OutputBufferLimit s_limit = new(HardBytes: 1000, SoftBytes: 100, SoftSeconds: 10);

    private OutputLimitWatch _watch;

    [SetUp]
    public void Start() => _watch = default;

    [Test]
    public void The_hard_size_is_passed_at_once()
    {
        Assert.That(_watch.IsOver(s_limit, 1000, nowMs: 1), Is.False);
        Assert.That(_watch.IsOver(s_limit, 1001, nowMs: 2), Is.True);
    }

    [Test]
    public void The_soft_size_is_passed_when_it_lasts()
    {
        Assert.That(_watch.IsOver(s_limit, 101, nowMs: 1_000), Is.False);
        Assert.That(_watch.IsOver(s_limit, 999, nowMs: 11_000), Is.False);
        Assert.That(_watch.IsOver(s_limit, 101, nowMs: 11_001), Is.True);
    }

    [Test]
    public void The_time_starts_anew_after_a_moment_below_the_soft_size()
    {
        Assert.That(_watch.IsOver(s_limit, 101, nowMs: 1_000), Is.False);
        Assert.That(_watch.IsOver(s_limit, 100, nowMs: 5_000), Is.False);
        Assert.That(_watch.IsOver(s_limit, 101, nowMs: 12_000), Is.False);
        Assert.That(_watch.IsOver(s_limit, 101, nowMs: 22_001), Is.True);
    }

    [Test]
    public void Zero_does_not_limit()
        => Assert.That(_watch.IsOver(default, long.MaxValue, nowMs: 1), Is.False);
}
