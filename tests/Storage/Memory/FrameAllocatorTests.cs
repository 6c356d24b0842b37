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
        using var frames = new FrameAllocator(budget, Reserve, FrameBits);
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

    [Test]
    public void Keeps_few_frames_and_gives_them_back_when_asked()
    {
        var budget = new MemoryBudget();
        using var frames = new FrameAllocator(budget, Reserve, FrameBits);
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
        using var frames = new FrameAllocator(new MemoryBudget(), Reserve, FrameBits);
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
