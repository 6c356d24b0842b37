using NUnit.Framework;
using Strata.Server.Journal;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Journal;

/// <summary>How long what is to be synced next waits for those who were answered.</summary>
[TestFixture]
internal sealed class GroupCommitTests
{
    private const double SyncMs = 2;

    private readonly ManualClock _clock = new();

    [Test]
    public void Those_who_were_answered_are_waited_for()
    {
        var group = new GroupCommit(_clock);
        Sync(group, synced: 25, last: 50);
        Assert.That(group.Waits(50), "those who came during the sync");
        Assert.That(group.Waits(74));
        Assert.That(group.Waits(75), Is.False, "all are back");
        Assert.That(group.Waits(75), Is.False);
    }

    [TestCase(SyncMs, SyncMs / 2)]
    [TestCase(1000, 2)]
    public void Half_as_long_as_the_sync_took_at_most_and_never_long(double syncMs, double waitMs)
    {
        var group = new GroupCommit(_clock);
        Sync(group, synced: 25, last: 50, syncMs);
        _clock.AdvanceMs(waitMs - 0.01);
        Assert.That(group.Waits(70));
        _clock.AdvanceMs(0.02);
        Assert.That(group.Waits(70), Is.False);
    }

    [Test]
    public void A_fast_disk_does_not_wait()
    {
        var group = new GroupCommit(_clock);
        Sync(group, synced: 25, last: 50, tookMs: 0.3);
        Assert.That(group.Waits(50), Is.False);
    }

    [Test]
    public void Where_few_come_back_it_is_tried_seldom()
    {
        var group = new GroupCommit(_clock);
        var last = 0;
        var waits = 0;
        for (var i = 0; i < 170; i++)
        {
            last += 10;
            Sync(group, synced: last, last);
            waits += group.Waits(last) ? 1 : 0;
            _clock.AdvanceMs(SyncMs);
            Assert.That(group.Waits(last + 4), Is.False);
        }

        Assert.That(waits, Is.EqualTo(10));
    }

    private void Sync(GroupCommit group, long synced, long last, double tookMs = SyncMs)
    {
        group.Begin();
        _clock.AdvanceMs(tookMs);
        group.End(synced, last);
    }
}
