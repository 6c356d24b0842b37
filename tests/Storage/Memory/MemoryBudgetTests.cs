using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

/// <summary>How much may be held while the limit changes.</summary>
internal sealed class MemoryBudgetTests
{
    private const long Limit = 64 << 20;
    private const long End = Limit + (Limit / Limits.EndShare) + Limits.EndBytes;

    [Test]
    public void Its_end_stays_where_it_is_while_the_limit_is_lowered_and_raised_again_and_again()
    {
        var budget = new MemoryBudget { LimitBytes = Limit };
        for (var round = 0; round < 5; round++)
        {
            FillTo(End, budget);
            budget.LimitBytes = Limit / 2;
            Assert.That(budget.WouldPassEnd(1), "nothing more than before");
            budget.LimitBytes = Limit;
            Assert.That(budget.WouldPassEnd(1), "nor after it");
        }
    }

    [Test]
    public void A_lowered_limit_leaves_room_beyond_what_the_one_before_allowed()
    {
        var budget = new MemoryBudget { LimitBytes = Limit };
        budget.Charge(Limit);
        budget.LimitBytes = Limit / 2;
        Assert.That(budget.WouldPassEnd(End - Limit), Is.False, "as much beyond it as before");
        Assert.That(budget.WouldPassEnd(End - Limit + 1));
        Assert.That(budget.IsOverGlide, Is.False);
        budget.Charge(-Limit / 4);
        budget.Glide();
        Assert.That(budget.WouldPassEnd((Limit / 4) + (End - Limit)), "what was given up stays given up");
    }

    [Test]
    public void A_first_limit_is_glided_to_from_all_that_is_held()
    {
        var budget = new MemoryBudget();
        budget.Charge(10 * Limit);
        budget.LimitBytes = Limit;
        Assert.That((budget.IsOver, budget.IsOverGlide), Is.EqualTo((true, false)));
        Assert.That(budget.WouldPassEnd(Limit), Is.False);
    }

    private static void FillTo(long bytes, MemoryBudget budget) => budget.Charge(bytes - budget.UsedBytes);
}
