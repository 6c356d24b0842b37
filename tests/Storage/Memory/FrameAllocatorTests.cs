using NUnit.Framework;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Memory;

[TestFixture]
internal sealed class FrameAllocatorTests
{
    private const int FrameBits = 14;
    private const long Reserve = 5L << 30; // 1 GiB behind the part that stays free.

    [Test]
    public unsafe void Hands_out_memory_that_does_not_overlap()
    {
        var random = new Random(11);
        var budget = new MemoryBudget();
        using var region = new StripedRegion(Reserve, owners: 1, FrameBits);
        var frames = new FrameAllocator(budget, region.Of(0));
        var rented = new List<(int Frame, long Bytes, bool IsRun, byte Mark)>();
        var inUse = new HashSet<int>();
        for (var step = 0; step < 20_000; step++)
        {
            if (random.Next(2) == 0 && rented.Count < 300)
            {
                var isRun = random.Next(3) == 0;
                var bytes = isRun ? 4096L * random.Next(1, 40) : random.Next(50) == 0 ? 8192 : 1 << FrameBits;
                var frame = isRun ? frames.RentRun(bytes) : frames.Rent(bytes);
                var mark = (byte)random.Next(1, 256);
                Mark(frames, frame, bytes, mark);
                rented.Add((frame, bytes, isRun, mark));
                for (var i = 0; i < FramesOf(bytes); i++)
                {
                    Assert.That(inUse.Add(frame + i), Is.True, "handed out twice");
                }
            }
            else if (rented.Count > 0)
            {
                var at = random.Next(rented.Count);
                var (frame, bytes, isRun, mark) = rented[at];
                rented.RemoveAt(at);
                var memory = new ReadOnlySpan<byte>(frames.Address(frame), (int)bytes);
                Assert.That(memory.ContainsAnyExcept(mark), Is.False, "content of rented memory");
                inUse.ExceptWith(Enumerable.Range(frame, FramesOf(bytes)));
                GiveBack(frames, frame, bytes, isRun);
            }

            Assert.That(budget.UsedBytes, Is.EqualTo(rented.Sum(r => r.Bytes) + frames.ResidentFreeBytes));
        }
    }

    /// <summary>Frames given back, told apart from huge pages, and rented again; by several owners of one region.
    /// </summary>
    [Test]
    public unsafe void Owners_of_one_region_do_not_overlap_and_rented_memory_begins_as_zeros()
    {
        const int Owners = 4;
        var random = new Random(7);
        using var region = new StripedRegion(Reserve, Owners, FrameBits);
        var allocators = Enumerable.Range(0, Owners).Select(owner =>
            new FrameAllocator(new MemoryBudget(), region.Of(owner))).ToArray();
        region.UseHugePages(true);
        var rented = new List<(int Owner, int Frame, byte Mark)>();
        var places = new HashSet<nint>();
        for (var step = 0; step < 20_000; step++)
        {
            if (random.Next(5) < (step / 4000 % 2 == 0 ? 4 : 1))
            {
                var owner = random.Next(Owners);
                var frame = allocators[owner].Rent(1 << FrameBits);
                var mark = (byte)random.Next(1, 256);
                Assert.That(places.Add((nint)allocators[owner].Address(frame)), "handed out twice");
                Mark(allocators[owner], frame, 1 << FrameBits, mark);
                rented.Add((owner, frame, mark));
            }
            else if (rented.Count > 0)
            {
                var at = random.Next(rented.Count);
                var (owner, frame, mark) = rented[at];
                rented.RemoveAt(at);
                var memory = new ReadOnlySpan<byte>(allocators[owner].Address(frame), 1 << FrameBits);
                Assert.That(memory.ContainsAnyExcept(mark), Is.False, "content of rented memory");
                Assert.That(places.Remove((nint)allocators[owner].Address(frame)));
                allocators[owner].ReturnRun(frame, 1 << FrameBits);
                Assert.That(memory.ContainsAnyExcept((byte)0), Is.False, "memory given back reads as zeros");
            }
        }
    }

    [Test]
    public void Keeps_few_frames_and_gives_them_back_when_asked()
    {
        var budget = new MemoryBudget();
        using var region = new StripedRegion(Reserve, owners: 1, FrameBits);
        var frames = new FrameAllocator(budget, region.Of(0));
        var rented = Enumerable.Range(0, 20).Select(_ => frames.Rent(8192)).ToArray();
        Array.ForEach(rented, frame => frames.Return(frame, 8192));
        Assert.That(frames.ResidentFree, Is.EqualTo(Strata.Storage.Limits.MaxFreeFramesPerShard));
        Assert.That(budget.UsedBytes, Is.EqualTo(frames.ResidentFreeBytes));
        Assert.That(frames.TryTrim(), Is.True);
        frames.Trim();
        Assert.That(frames.TryTrim(), Is.False);
        Assert.That(budget.UsedBytes, Is.Zero);
        Assert.That(frames.Rent(8192), Is.Zero, "the lowest frame comes first");
    }

    [Test]
    public void Says_so_when_the_reserve_is_used_up()
    {
        using var region = new StripedRegion(Reserve, owners: 1, FrameBits);
        var frames = new FrameAllocator(new MemoryBudget(), region.Of(0));
        _ = frames.RentRun(1L << 29);
        Assert.That(() => frames.RentRun(1L << 30), Throws.InstanceOf<MemoryExhaustedException>());
        _ = frames.RentRun(1L << 28);
    }

    private static int FramesOf(long bytes) => (int)((bytes + (1 << FrameBits) - 1) >> FrameBits);

    private static unsafe void Mark(FrameAllocator frames, int frame, long bytes, byte mark)
        => new Span<byte>(frames.Address(frame), (int)bytes).Fill(mark);

    private static void GiveBack(FrameAllocator frames, int frame, long bytes, bool isRun)
    {
        if (isRun)
        {
            frames.ReturnRun(frame, bytes);
        }
        else
        {
            frames.Return(frame, bytes);
        }
    }
}
