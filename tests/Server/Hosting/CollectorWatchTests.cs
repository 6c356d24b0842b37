using NUnit.Framework;
using Strata.Server.Hosting;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Hosting;

/// <summary>That the budget knows what the garbage collector holds.</summary>
public sealed class CollectorWatchTests
{
    [Test]
    public void The_budget_is_told_after_each_collection()
    {
        var budget = new MemoryBudget { LimitBytes = 64 << 20 };
        budget.Charge(budget.LimitBytes + (budget.LimitBytes / Limits.EndShare) + Limits.EndBytes - 1);
        var held = GC.AllocateUninitializedArray<byte>((int)(Limits.FreeManagedBytes + Limits.EndBytes));
        CollectorWatch.Follow(budget);

        for (var i = 0; i < 3; i++)
        {
            budget.NoteManaged(0);
            Assert.That(budget.IsAtEnd, Is.False);
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Assert.That(budget.IsAtEnd, Is.True, $"collection {i}");
        }

        GC.KeepAlive(held);
    }
}
