using NUnit.Framework;
using Strata.Server.Runtime;
using Strata.Storage.Memory;

namespace Strata.Tests.Server.Runtime;

/// <summary>Commands that wait, out of the receive buffer.</summary>
[TestFixture]
internal sealed unsafe class TakenInputTests
{
    private const int Offset = 5;
    private const int Gap = 7;
    private const int SmallBytes = 100;

    private static readonly int s_largeBytes = (int)PageMove.LeastBytes + 12_345;

    private readonly MemoryBudget _budget = new();
    private MappedMemory _received = null!;
    private TakenInput _taken = null!;
    private byte[] _before = null!;

    [SetUp]
    public void Receive()
    {
        _before = new byte[Offset + s_largeBytes + Gap + SmallBytes];
        new Random(1).NextBytes(_before);
        _received = MappedMemory.TryMap(_before.Length)!;
        _before.CopyTo(Received());
        _taken = new TakenInput(_budget);
    }

    [TearDown]
    public void Free()
    {
        _taken.Dispose();
        _received.Dispose();
        _budget.Buffers.ReleaseIdle();
        Assert.That(_budget.UsedBytes, Is.Zero);
    }

    [Test]
    public void A_large_command_comes_with_its_pages_and_those_beside_it_stay_readable()
    {
        var large = TakeBoth(_received);

        Assert.That(_taken.Movable!.Contains(large, s_largeBytes), Is.True, "it can be moved on");
        Assert.That(PageMove.PhaseOf(large), Is.EqualTo(Offset));
        Assert.That(Received().Count((byte)0), Is.GreaterThan(s_largeBytes - (4 * MappedMemory.PageBytes)));
        Assert.That(Received()[..PageMove.KeptBytes].SequenceEqual(_before.AsSpan(0, PageMove.KeptBytes)), Is.True);
        var behind = Offset + s_largeBytes;
        Assert.That(Received()[behind..].SequenceEqual(_before.AsSpan(behind)), Is.True);
    }

    [Test]
    public void Where_pages_may_not_be_moved_it_is_copied([Values] bool isElsewhere)
    {
        using var other = MappedMemory.TryMap(_before.Length)!;
        _ = TakeBoth(isElsewhere ? other : null);

        Assert.That(_taken.Movable, Is.Null);
        Assert.That(Received().SequenceEqual(_before), Is.True);
    }

    [Test]
    public void What_is_taken_is_charged_until_it_is_free()
    {
        _ = TakeBoth(_received);
        Assert.That(_budget.UsedBytes, Is.EqualTo(s_largeBytes + Gap + SmallBytes));

        _taken.MakeRoom(_received.Start, SmallBytes, movable: null);
        Assert.That(_budget.UsedBytes, Is.EqualTo(SmallBytes), "in place of those before");
    }

    private Span<byte> Received() => new(_received.Start, _before.Length);

    /// <summary>Takes a large command and a small one, which are as they were.</summary>
    /// <returns>Where the large one lies now.</returns>
    private byte* TakeBoth(MappedMemory? movable)
    {
        var source = _received.Start + Offset;
        _taken.MakeRoom(source, s_largeBytes + Gap + SmallBytes, movable);
        var large = _taken.Take(source, s_largeBytes);
        var small = _taken.Take(source + s_largeBytes + Gap, SmallBytes);
        Assert.That(new Span<byte>(large, s_largeBytes).SequenceEqual(_before.AsSpan(Offset, s_largeBytes)), Is.True);
        Assert.That(new Span<byte>(small, SmallBytes).SequenceEqual(_before.AsSpan(^SmallBytes..)), Is.True);
        return large;
    }
}
