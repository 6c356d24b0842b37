using NUnit.Framework;
using Strata.Server;
using Strata.Server.Diagnostics.Keyspace;

namespace Strata.Tests.Server.Diagnostics.Keyspace;

/// <summary>One report at a time, and none that waits for ever.</summary>
[TestFixture]
internal sealed class ReportTurnTests
{
    [Test]
    public void One_has_it_until_it_ends()
    {
        var turn = new ReportTurn();
        var (first, second) = (new object(), new object());
        Assert.That(turn.TryTake(first, 0));
        Assert.That(turn.TryTake(second, 1), Is.False);
        Assert.That(turn.TryTake(first, 2));
        turn.End(second);
        Assert.That(turn.TryTake(second, 3), Is.False, "it was not its to end");
        turn.End(first);
        Assert.That(turn.TryTake(second, 4));
    }

    [Test]
    public void Who_is_held_up_loses_it([Values(1, -1)] int direction)
    {
        var turn = new ReportTurn();
        var (first, second) = (new object(), new object());
        Assert.That(turn.TryTake(first, 0));
        Assert.That(turn.TryTake(second, direction * (ObservationLimits.ReportTurnMs - 1)), Is.False);
        Assert.That(turn.TryTake(second, direction * ObservationLimits.ReportTurnMs));
        Assert.That(turn.TryTake(first, direction * ObservationLimits.ReportTurnMs), Is.False);
    }
}
