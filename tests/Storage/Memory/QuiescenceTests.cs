using NUnit.Framework;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

[TestFixture]
internal sealed class QuiescenceTests
{
    [Test]
    public void What_is_retired_waits_for_the_next_turn_of_all_others()
    {
        using var quiescence = new Quiescence(3);
        quiescence.BeginTurn(0);
        quiescence.BeginTurn(1);
        quiescence.BeginTurn(2);
        var stamp = quiescence.Retire();
        Assert.That(quiescence.HasPassed(stamp, self: 0), Is.False);
        quiescence.BeginTurn(1);
        Assert.That(quiescence.HasPassed(stamp, self: 0), Is.False);
        quiescence.EndTurn(2);
        Assert.That(quiescence.HasPassed(stamp, self: 0), Is.True);
        Assert.That(quiescence.HasPassed(stamp, self: 1), Is.False, "worker 0 is still in its turn");
    }

    [Test]
    public void Workers_that_wait_hold_nothing_up()
    {
        using var quiescence = new Quiescence(4);
        Assert.That(quiescence.HasPassed(quiescence.Retire(), self: 0), Is.True);
    }
}
