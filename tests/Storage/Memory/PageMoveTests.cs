using NUnit.Framework;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

[TestFixture]
internal sealed unsafe class PageMoveTests
{
    private const int Room = 1 << 20;

    private MappedMemory _from = null!;
    private ReservedRegion _to = null!;

    [SetUp]
    public void Map()
    {
        _from = MappedMemory.TryMap(Room)!;
        _to = new ReservedRegion(Room);
    }

    [TearDown]
    public void Unmap()
    {
        _from.Dispose();
        _to.Dispose();
    }

    /// <summary>Both with the same phase, where pages change their address, and with another, where bytes are copied.
    /// </summary>
    [Test]
    public void Bytes_arrive_and_nothing_around_them_changes(
        [Values(0, 1, 8, 4095)] int sourceOffset,
        [Values(0, 1, 8, 4095, 4096 + 8)] int targetOffset,
        [Values(1, 4096, 12_288, 500_001)] int length)
    {
        var bytes = new byte[length];
        new Random(length + sourceOffset).NextBytes(bytes);
        bytes.CopyTo(new Span<byte>(_from.Start + sourceOffset, length));
        new Span<byte>(_to.Base, Room).Fill(7);

        PageMove.Move(_from.Start + sourceOffset, _to.Base + targetOffset, length);

        Assert.That(new Span<byte>(_to.Base + targetOffset, length).SequenceEqual(bytes), Is.True);
        Assert.That(new Span<byte>(_to.Base, targetOffset).IndexOfAnyExcept((byte)7), Is.EqualTo(-1));
        Assert.That(
            new Span<byte>(_to.Base + targetOffset + length, Room - targetOffset - length).IndexOfAnyExcept((byte)7),
            Is.EqualTo(-1));
        var kept = Math.Min(length, PageMove.KeptBytes);
        Assert.That(new Span<byte>(_from.Start + sourceOffset, kept).SequenceEqual(bytes.AsSpan(0, kept)), Is.True);
    }

    [TestCase(5)]
    [TestCase(6)]
    public void What_was_moved_takes_memory_once(int targetOffset)
    {
        const int Length = 500_000;
        new Span<byte>(_from.Start, Room).Fill(1);
        PageMove.Move(_from.Start + 5, _to.Base + targetOffset, Length);

        // What gave its page away, or gave it back, reads as zeros.
        var zeros = new Span<byte>(_from.Start, Length).Count((byte)0);
        Assert.That(zeros, Is.GreaterThan(Length - (4 * MappedMemory.PageBytes)));
    }

    [Test]
    public void A_place_that_pages_were_moved_to_can_be_mapped_anew()
    {
        new Span<byte>(_from.Start, Room).Fill(1);
        PageMove.Move(_from.Start, _to.Base, Room);

        ReservedRegion.Renew(_to.Base, Room);

        Assert.That(new Span<byte>(_to.Base, Room).IndexOfAnyExcept((byte)0), Is.EqualTo(-1));
    }

    [Test]
    public void Mapped_memory_grows_and_keeps_what_it_holds()
    {
        new Span<byte>(_from.Start, Room).Fill(1);

        _from.Grow(64L * Room);

        Assert.That(_from.Bytes, Is.EqualTo(64L * Room));
        Assert.That(new Span<byte>(_from.Start, Room).IndexOfAnyExcept((byte)1), Is.EqualTo(-1));
        Assert.That(_from.Contains(_from.Start + Room, 63L * Room), Is.True);
        Assert.That(_from.Contains(_from.Start + Room, (63L * Room) + 1), Is.False);
    }

    [Test]
    public void A_range_of_mapped_memory_has_its_pages_when_it_is_populated()
    {
        Assume.That(Environment.OSVersion.Version, Is.GreaterThanOrEqualTo(new Version(5, 14)), "Linux knows how");
        const int Pages = 20;
        _from.Populate(MappedMemory.PageBytes + 1, (Pages - 2) * MappedMemory.PageBytes);

        // One word for each page; the highest bit says whether it is there.
        var words = new byte[(Pages + 1) * sizeof(ulong)];
        using var map = File.OpenRead("/proc/self/pagemap");
        map.Position = (long)_from.Start / MappedMemory.PageBytes * sizeof(ulong);
        map.ReadExactly(words);
        var areThere = Enumerable.Range(0, Pages + 1).Select(page => words[(page * sizeof(ulong)) + 7] >> 7).ToArray();
        Assert.That(areThere, Is.EqualTo((int[])[0, .. Enumerable.Repeat(1, Pages - 1), 0]));
    }
}
