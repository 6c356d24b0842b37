using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections;

[TestFixture]
internal sealed unsafe class TimeHeapTests
{
    private const int BlockBytes = 24;

    /// <summary>5,000 steps a sequence, with many equal times and with few.</summary>
    [TestCase(10, 20)]
    [TestCase(10, 100, Category = TestCategories.Long)]
    [TestCase(1_000_000, 20)]
    [TestCase(1_000_000, 100, Category = TestCategories.Long)]
    public void What_comes_first_is_what_comes_first_in_a_sorted_set(int times, int sequences)
        => ModelCheck.Run(
            ModelCheck.Swings(
                TimeOperation.Generator(times, addPercent: 60, removePercent: 20),
                TimeOperation.Generator(times, addPercent: 20, removePercent: 60), swings: 4, length: 1_250),
            sequences,
            Replay);

    private static void Replay(TimeOperation[] operations)
    {
        using var test = new TestHeap();
        var times = default(TimeHeap<TestItem>);
        var items = new List<nint>();
        var sorted = new SortedSet<(long TimeMs, long Number)>();
        for (var step = 0; step < operations.Length; step++)
        {
            Step(test.Heap, ref times, items, sorted, operations[step], number: step);
            if (times.Count != sorted.Count || times.FirstMs != (sorted.Count == 0 ? long.MaxValue : sorted.Min.TimeMs))
            {
                Assert.Fail($"step {step}: {times.FirstMs} comes first, {sorted.Min} should");
            }
        }

        Assert.That(test.Heap.UsedBytes, Is.EqualTo(times.SizeBytes + (items.Count * SlabHeap.SizeOf(BlockBytes))));
        while (sorted.Count > 0)
        {
            Assert.That(times.FirstMs, Is.EqualTo(sorted.Min.TimeMs));
            Remove(test.Heap, ref times, items, sorted, items.IndexOf((nint)times.First));
        }

        Assert.That(times.Count, Is.Zero);
        Assert.That(test.Heap.UsedBytes, Is.Zero, "bytes left in the heap");
    }

    private static void Step(
        SlabHeap heap,
        ref TimeHeap<TestItem> times,
        List<nint> items,
        SortedSet<(long TimeMs, long Number)> sorted,
        in TimeOperation operation,
        long number)
    {
        if (items.Count == 0 || operation.Kind == TimeOperationKind.Add)
        {
            var added = (TestItem*)heap.Allocate(BlockBytes);
            *added = new TestItem { TimeMs = operation.TimeMs, Number = number };
            times.Add(heap, (byte*)added);
            items.Add((nint)added);
            sorted.Add((operation.TimeMs, number));
            return;
        }

        var at = operation.Item % items.Count;
        var item = (TestItem*)items[at];
        switch (operation.Kind)
        {
            case TimeOperationKind.RemoveFirst:
                Remove(heap, ref times, items, sorted, items.IndexOf((nint)times.First));
                break;
            case TimeOperationKind.Remove:
                Remove(heap, ref times, items, sorted, at);
                break;
            case TimeOperationKind.Move:
                sorted.Remove((item->TimeMs, item->Number));
                item->TimeMs = operation.TimeMs;
                sorted.Add((item->TimeMs, item->Number));
                times.Move((byte*)item);
                break;
            default:
                var replacement = (TestItem*)heap.Allocate(BlockBytes);
                *replacement = new TestItem { TimeMs = item->TimeMs, Number = item->Number };
                times.Replace((byte*)item, (byte*)replacement);
                heap.Free((byte*)item, BlockBytes);
                items[at] = (nint)replacement;
                break;
        }
    }

    private static void Remove(
        SlabHeap heap,
        ref TimeHeap<TestItem> times,
        List<nint> items,
        SortedSet<(long TimeMs, long Number)> sorted,
        int at)
    {
        var item = (TestItem*)items[at];
        times.Remove(heap, (byte*)item);
        Assert.That(sorted.Remove((item->TimeMs, item->Number)), "the item is what it was");
        heap.Free((byte*)item, BlockBytes);
        items[at] = items[^1];
        items.RemoveAt(items.Count - 1);
    }

    private struct TestItem : ITimedItem
    {
        public long TimeMs;
        public long Number;
        public uint Position;

        public static long TimeOf(byte* block) => ((TestItem*)block)->TimeMs;

        public static uint PositionOf(byte* block) => ((TestItem*)block)->Position;

        public static void SetPosition(byte* block, uint position) => ((TestItem*)block)->Position = position;
    }
}
