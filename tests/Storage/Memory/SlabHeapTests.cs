using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Memory;

[TestFixture]
internal sealed unsafe class SlabHeapTests
{
    private const long Reserve = 5L << 30; // 1 GiB behind the part that stays free.

    [Test]
    public void A_block_takes_little_more_than_was_asked_for()
    {
        var previous = 0;
        Assert.That(SlabHeap.SizeOf(SlabHeap.WholeSlab), Is.EqualTo(SlabHeap.WholeSlab));
        foreach (var bytes in Enumerable.Range(1, 40_000).Where(bytes => bytes != SlabHeap.WholeSlab))
        {
            var size = SlabHeap.SizeOf(bytes);
            Assert.That(size, Is.GreaterThanOrEqualTo(bytes), $"{bytes}");
            Assert.That(size, Is.GreaterThanOrEqualTo(previous), $"{bytes}: sizes ascend");
            var most = bytes <= 2048 ? bytes + 8 + (bytes / 8) : bytes * 4 / 3 + 32;
            Assert.That(size, Is.LessThanOrEqualTo(most), $"{bytes}");
            previous = size;
        }
    }

    /// <summary>A million steps, in which the heap grows and shrinks.</summary>
    [Test]
    public void Blocks_keep_what_is_written_to_them()
        => ModelCheck.Run(
            ModelCheck.Swings(BlockOperation.Generator(70), BlockOperation.Generator(30), swings: 4, length: 2_500),
            count: 100,
            Replay);

    [Test]
    public void What_is_cleared_goes_back_step_by_step()
    {
        var budget = new MemoryBudget();
        using var region = new StripedRegion(Reserve, owners: 1, SlabHeap.SlabBits);
        using var heap = new SlabHeap(budget, region.Of(0));
        for (var i = 0; i < 10_000; i++)
        {
            _ = heap.Allocate(1 + (i % 500));
        }

        _ = heap.Allocate(1 << 20);
        heap.Clear();
        Assert.That(heap.UsedBytes, Is.Zero);
        Assert.That(heap.RetiredBytes, Is.EqualTo(heap.SizeBytes).And.GreaterThan(1 << 20));
        Assert.That(budget.RetiredBytes, Is.EqualTo(heap.RetiredBytes));
        var kept = heap.Allocate(100);
        var steps = 0;
        while (heap.TryRelease())
        {
            steps++;
        }

        Assert.That(steps, Is.GreaterThan(20));
        Assert.That(heap.UsedBytes, Is.EqualTo(SlabHeap.SizeOf(100)));
        Assert.That(budget.RetiredBytes, Is.Zero);
        Assert.That(budget.UsedBytes, Is.EqualTo(heap.SizeBytes));
        heap.Free(kept, 100);
    }

    [Test]
    public void What_is_left_when_it_is_disposed_of_is_not_charged_any_more()
    {
        var budget = new MemoryBudget();
        using var region = new StripedRegion(Reserve, owners: 1, SlabHeap.SlabBits);
        using (var heap = new SlabHeap(budget, region.Of(0)))
        {
            heap.Free(heap.Allocate(10), 10);
            _ = heap.Allocate(20);
            _ = heap.Allocate(1 << 20);
        }

        Assert.That(budget.UsedBytes, Is.Zero);
        Assert.That(budget.RetiredBytes, Is.Zero);
    }

    private static void Replay(BlockOperation[] operations)
    {
        var budget = new MemoryBudget();
        using var region = new StripedRegion(Reserve, owners: 1, SlabHeap.SlabBits);
        using var heap = new SlabHeap(budget, region.Of(0));
        var blocks = new List<(nint Block, int Bytes, byte Mark)>();
        var used = 0L;
        for (var step = 0; step < operations.Length; step++)
        {
            var (bytes, at, mark) = operations[step];
            if (bytes > 0)
            {
                var block = heap.Allocate(bytes);
                Assert.That((nint)block % 8 == 0, "aligned");
                new Span<byte>(block, bytes).Fill(mark);
                blocks.Add(((nint)block, bytes, mark));
                used += SlabHeap.SizeOf(bytes);
            }
            else if (blocks.Count > 0)
            {
                at %= blocks.Count;
                used -= SlabHeap.SizeOf(blocks[at].Bytes);
                Free(heap, blocks[at]);
                blocks[at] = blocks[^1];
                blocks.RemoveAt(blocks.Count - 1);
            }

            if (heap.UsedBytes != used || heap.SizeBytes < used)
            {
                Assert.Fail($"step {step}: {heap.UsedBytes} of {heap.SizeBytes} bytes used, {used} should be");
            }
        }

        blocks.ForEach(block => Free(heap, block));
        Assert.That(heap.UsedBytes, Is.Zero);
        Assert.That(heap.SizeBytes, Is.Zero);
        while (heap.TryTrim())
        {
            // Each is one slab that was kept.
        }

        Assert.That(budget.UsedBytes, Is.Zero);
    }

    private static void Free(SlabHeap heap, (nint Block, int Bytes, byte Mark) block)
    {
        var bytes = new Span<byte>((void*)block.Block, block.Bytes);
        Assert.That(!bytes.ContainsAnyExcept(block.Mark), "overwritten");
        heap.Free((byte*)block.Block, block.Bytes);
    }
}
