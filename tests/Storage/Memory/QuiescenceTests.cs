using NUnit.Framework;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

[TestFixture]
internal sealed class QuiescenceTests
{
    [Test]
    public void What_is_retired_waits_for_the_end_of_all_others_reads()
    {
        using var quiescence = new Quiescence(3);
        quiescence.BeginReads(0);
        quiescence.BeginReads(1);
        quiescence.BeginReads(2);
        var stamp = quiescence.Retire();
        Assert.That(quiescence.HasPassed(stamp, self: 0), Is.False);
        quiescence.EndReads(1);
        quiescence.BeginReads(1);
        Assert.That(quiescence.HasPassed(stamp, self: 0), Is.False);
        quiescence.EndReads(2);
        Assert.That(quiescence.HasPassed(stamp, self: 0), Is.True);
        Assert.That(quiescence.HasPassed(stamp, self: 1), Is.False, "worker 0 still reads");
        Assert.That(quiescence.HasPassed(stamp, Quiescence.Nobody), Is.False);
    }

    [Test]
    public void Who_reads_on_is_held_to_when_it_began()
    {
        using var quiescence = new Quiescence(2);
        quiescence.BeginReads(1);
        var stamp = quiescence.Retire();
        quiescence.BeginReads(1);
        Assert.That(quiescence.HasPassed(stamp, self: 0), Is.False);
    }

    [Test]
    public void Workers_that_wait_hold_nothing_up()
    {
        using var quiescence = new Quiescence(4);
        Assert.That(quiescence.HasPassed(quiescence.Retire(), self: 0), Is.True);
    }
}
