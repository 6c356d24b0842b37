using NUnit.Framework;
using Strata.Storage.Records;

namespace Strata.Tests.Storage.Records;

[TestFixture]
internal sealed class QueueBalanceTests
{
    private const double Least = 1.0 / QueueBalance.LeastParts;

    [Test]
    public void It_begins_with_the_least()
        => Assert.That(new QueueBalance().Share, Is.EqualTo(Least));

    [Test]
    public void It_grows_where_more_of_the_small_queue_return_and_shrinks_where_more_of_the_main_one_do()
    {
        var balance = new QueueBalance();
        Evict(balance, 100_000, smallReturns: 0.2, mainReturns: 0.1);
        Assert.That(balance.Share, Is.InRange(0.8, 0.95));
        Evict(balance, 100_000, smallReturns: 0.1, mainReturns: 0.2);
        Assert.That(balance.Share, Is.EqualTo(Least).Within(1e-9));
    }

    [TestCase(0.0, 0.0)]
    [TestCase(0.1, 0.1)]
    public void It_stays_where_both_are_worth_the_same(double smallReturns, double mainReturns)
    {
        var balance = new QueueBalance();
        Evict(balance, 2_000, smallReturns: 0.2, mainReturns: 0);
        var before = balance.Share;
        Assert.That(before, Is.InRange(0.05, 0.85));
        Evict(balance, 100_000, smallReturns, mainReturns);
        Assert.That(balance.Share, Is.InRange(before, 0.95), "what came before may count once more");
        before = balance.Share;
        Evict(balance, 100_000, smallReturns, mainReturns);
        Assert.That(balance.Share, Is.EqualTo(before));
    }

    /// <summary>A main queue that is not full yet gives up nothing: nobody knows what its keys are worth.</summary>
    [Test]
    public void It_stays_while_the_main_queue_gives_up_nothing()
    {
        var balance = new QueueBalance();
        for (var i = 0; i < 100_000; i++)
        {
            balance.CountEvicted(isProven: false, held: 1000);
            _ = balance.IsForMain(new Ghost(IsKnown: true, IsProven: false, IsYoung: true));
        }

        Assert.That(balance.Share, Is.EqualTo(Least));
    }

    /// <summary>Of each ten evictions one is of the main queue; returns are spread evenly.</summary>
    private static void Evict(QueueBalance balance, int evictions, double smallReturns, double mainReturns)
    {
        var (small, main) = (0.0, 0.0);
        for (var i = 0; i < evictions; i++)
        {
            var isProven = i % 10 == 0;
            balance.CountEvicted(isProven, held: 1000);
            ref var due = ref isProven ? ref main : ref small;
            due += isProven ? mainReturns : smallReturns;
            if (due >= 1)
            {
                due--;
                _ = balance.IsForMain(new Ghost(IsKnown: true, isProven, IsYoung: true));
            }
        }
    }
}
