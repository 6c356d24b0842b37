using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Tiering;

namespace Strata.Tests.Storage.Tiering;

/// <summary>How many large pages are read back from the device at a time.</summary>
[TestFixture]
internal sealed class PageRoomTests
{
    private readonly MemoryBudget _budget = new() { LimitBytes = 64 << 20 };
    private PageRoom _room = null!;

    [SetUp]
    public void Make() => _room = new PageRoom();

    [Test]
    public void One_is_read_however_large()
    {
        Assert.That(TryTake(100 << 20));
        Assert.That(TryTake(2 << 20), Is.False);
        _room.Release(100 << 20);
        Assert.That(TryTake(2 << 20));
    }

    [Test]
    public void More_are_read_as_far_as_a_part_of_the_limit_goes()
    {
        for (var i = 0; i < 64 / Limits.ColdReadShare / 2; i++)
        {
            Assert.That(TryTake(2 << 20));
        }

        Assert.That(TryTake(2 << 20), Is.False);
        Assert.That(TryTake(Limits.FreePageReadBytes), "what is small does not count");
        _room.Release(Limits.FreePageReadBytes);
        _room.Release(2 << 20);
        Assert.That(TryTake(2 << 20));
    }

    [Test]
    public void A_large_one_waits_for_memory_unless_there_can_never_be_so_much()
    {
        _budget.Charge(64 << 20);
        Assert.That(TryTake(60 << 20), Is.False);
        Assert.That(TryTake(200 << 20));
        _room.Release(200 << 20);
        _budget.Charge(-(64 << 20));
        Assert.That(TryTake(60 << 20));
        _room.Release(60 << 20);
    }

    private bool TryTake(long bytes) => _room.TryTake(bytes, _budget);
}
