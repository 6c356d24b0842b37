using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

/// <summary>What counts towards the end of memory.</summary>
public sealed class MemoryBudgetTests
{
    private const long LimitBytes = 64 << 20;
    private const long End = LimitBytes + (LimitBytes / Limits.EndShare) + Limits.EndBytes;

    [TestCase(0, 0)]
    [TestCase(Limits.FreeManagedBytes, 0)]
    [TestCase(Limits.FreeManagedBytes + 100, 100)]
    [TestCase(1L << 40, Limits.EndBytes)]
    public void The_runtimes_heap_brings_the_end_nearer_but_gives_up_nothing(long managedBytes, long nearer)
    {
        var budget = new MemoryBudget { LimitBytes = LimitBytes };
        budget.NoteManaged(1L << 30);
        budget.NoteManaged(managedBytes);

        Assert.That(budget.WouldPassEnd(End - nearer), Is.False);
        Assert.That(budget.WouldPassEnd(End - nearer + 1), Is.True);
        Assert.That(budget.WouldExceed(LimitBytes), Is.False, "data has its room");
        Assert.That(budget.UsedBytes, Is.Zero);
    }
}
