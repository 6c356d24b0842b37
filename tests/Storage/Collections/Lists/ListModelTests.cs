using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Index;
using Strata.Tests.Storage.Sharding;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.Lists;

/// <summary>Generated edits of a list, each made in a plain list of arrays too.</summary>
[TestFixture]
internal sealed class ListModelTests
{
    /// <summary>Short lists go from packed to large and back, long ones have many blocks; each takes up to
    /// half a million steps.</summary>
    [TestCase(20, 100, 50, 50, 16, 16)]
    [TestCase(100, 100, 50, 50, 16, 16, Category = TestCategories.Long)]
    [TestCase(5, 4, 5_000, 40_000, -2, 1000)]
    [TestCase(25, 4, 5_000, 40_000, -2, 1000, Category = TestCategories.Long)]
    public void Every_edit_does_what_a_plain_list_does(
        int sequences, int swings, int stepsPerSwing, int longest, int limit, int stepsBetweenChecks)
    {
        var met = new int[2];
        ModelCheck.Run(
            ModelCheck.Swings(
                ListOperation.Generator(grows: true, longest), ListOperation.Generator(grows: false, longest),
                swings, stepsPerSwing),
            sequences,
            operations => Replay(operations, new ListpackLimit(limit), stepsBetweenChecks, met));
        Assert.That(met, Has.All.GreaterThan(1000), "steps that met a packed list and a large one");
    }

    [Test]
    public void A_million_elements_of_50_bytes_take_little_more_than_their_entries()
    {
        const int Count = 1_000_000;
        using var test = new TestShard(pageBits: 20);
        var key = test.Keys.Make(1, 8);
        Push(test, key, new byte[50], ListEnd.Tail, new ListpackLimit(-2));
        var list = Open(test, key, new ListpackLimit(-2));
        var element = new byte[50];
        for (var i = 1; i < Count; i++)
        {
            list.Push(element, (i & 1) == 0 ? ListEnd.Head : ListEnd.Tail);
        }

        Assert.That(list.Count, Is.EqualTo(Count));
        Assert.That(test.Shard.Collections.Heap.SizeBytes / (double)Count, Is.LessThanOrEqualTo(51.4));
    }

    private static void Replay(
        ListOperation[] operations, ListpackLimit limit, int stepsBetweenChecks, int[] met)
    {
        using var test = new TestShard(pageBits: 20);
        var model = new List<byte[]>();
        var key = test.Keys.Make(1, 8);
        for (var step = 0; step < operations.Length; step++)
        {
            Step(test, key, model, operations[step], limit);
            if (test.Shard.TryGet(key, test.NowMs, cold: null, out var record))
            {
                met[record.IsLarge ? 1 : 0]++;
            }

            if (step % stepsBetweenChecks == 0)
            {
                Compare(test, key, model);
            }
        }

        Compare(test, key, model);
        _ = test.Delete(key);
        while (test.Shard.Collections.HasDoomed)
        {
            test.Shard.Collections.FreeSome(100);
        }

        Assert.That(test.Shard.Collections.Heap.UsedBytes, Is.Zero, "bytes of a heap without collections");
    }

    private static void Step(
        TestShard test, in Key key, List<byte[]> model, in ListOperation operation, ListpackLimit limit)
    {
        var (kind, end, place, count, _, _) = operation;
        var element = operation.Element();
        if (model.Count == 0 || kind == ListOperationKind.Push)
        {
            Push(test, key, element, end, limit);
            model.Insert(end == ListEnd.Head ? 0 : model.Count, element);
            return;
        }

        var list = Open(test, key, limit);
        var index = place % model.Count;
        var cursor = list.Reader.At(index);
        switch (kind)
        {
            case ListOperationKind.Trim:
                var trimmed = place % (model.Count + 1);
                list.Trim(trimmed, end);
                model.RemoveRange(end == ListEnd.Head ? 0 : model.Count - trimmed, trimmed);
                break;
            case ListOperationKind.Rotate:
                list.Rotate(end);
                var moved = model[end == ListEnd.Head ? 0 : ^1];
                model.RemoveAt(end == ListEnd.Head ? 0 : model.Count - 1);
                model.Insert(end == ListEnd.Head ? model.Count : 0, moved);
                break;
            case ListOperationKind.Replace:
                list.Replace(ref cursor, element);
                model[index] = element;
                break;
            case ListOperationKind.Insert:
                list.Insert(ref cursor, element);
                model.Insert(index, element);
                Assert.That(cursor.Current.SequenceEqual(element), "the cursor is at the element inserted");
                break;
            case ListOperationKind.Pop:
                list.Pop(end);
                model.RemoveAt(end == ListEnd.Head ? 0 : model.Count - 1);
                break;
            case ListOperationKind.Freeze:
                FreezeAndThaw(test, key, model);
                return;
            default:
                RemoveSeveral(ref list, cursor, model, index, count);
                break;
        }

        Assert.That(list.Count, Is.EqualTo(model.Count));
        test.Shard.Settle(0, test.NowMs);
    }

    private static void FreezeAndThaw(TestShard test, in Key key, List<byte[]> model)
    {
        Assert.That(test.Shard.TryGet(key, test.NowMs, cold: null, out var large));
        if (!large.IsLarge)
        {
            return;
        }

        var wasQuicklist = ListReader.IsQuicklist(large);
        test.Shard.Collections.Freeze(key, large);
        _ = test.Shard.TryGet(key, test.NowMs, cold: null, out var frozen);
        Assert.That(frozen.IsFrozen, Is.True);
        Assert.That(ShardCollections.CountOf(frozen), Is.EqualTo(model.Count));
        Assert.That(ListReader.IsQuicklist(frozen), Is.EqualTo(wasQuicklist));
        _ = test.Shard.Collections.Thaw(key, frozen);
        _ = test.Shard.TryGet(key, test.NowMs, cold: null, out var thawed);
        Assert.That(ListReader.IsQuicklist(thawed), Is.EqualTo(wasQuicklist));
        Compare(test, key, model);
    }

    private static void RemoveSeveral(
        ref ListEditor list, ListCursor cursor, List<byte[]> model, int index, int count)
    {
        for (; count > 0 && index < model.Count; count--)
        {
            list.Remove(ref cursor);
            model.RemoveAt(index);
            Assert.That(cursor.IsEnd, Is.EqualTo(index == model.Count));
            Assert.That(cursor.IsEnd || cursor.Current.SequenceEqual(model[index]), "the cursor is at the next");
        }
    }

    private static void Push(TestShard test, in Key key, byte[] element, ListEnd end, ListpackLimit limit)
    {
        if (test.Shard.TryGet(key, test.NowMs, cold: null, out var record))
        {
            new ListEditor(test.Shard, key, record, limit).Push(element, end);
        }
        else
        {
            _ = ListEditor.Create(test.Shard, key, record, element, limit);
        }
    }

    private static ListEditor Open(TestShard test, in Key key, ListpackLimit limit)
    {
        Assert.That(test.Shard.TryGet(key, test.NowMs, cold: null, out var record));
        return new ListEditor(test.Shard, key, record, limit);
    }

    private static unsafe void Compare(TestShard test, in Key key, List<byte[]> model)
    {
        if (!test.Shard.TryGet(key, test.NowMs, cold: null, out var record))
        {
            Assert.That(model, Is.Empty);
            return;
        }

        var list = new ListReader(record);
        Assert.That(list.Count, Is.EqualTo(model.Count));
        var cursor = list.At(0);
        for (var i = 0; i < model.Count; i++, cursor.MoveNext())
        {
            Assert.That(cursor.Current.SequenceEqual(model[i]), $"element {i} of {model.Count}");
        }

        Assert.That(cursor.IsEnd);
        for (var i = model.Count - 1; i >= 0; i--)
        {
            Assert.That(cursor.TryMovePrevious() && cursor.Current.SequenceEqual(model[i]), $"element {i} from behind");
            Assert.That(i % 97 != 0 || list.At(i).Current.SequenceEqual(model[i]), $"element {i} by its index");
        }

        Assert.That(cursor.TryMovePrevious(), Is.False);
        if (record.IsLarge)
        {
            Audit((ListRoot*)ShardCollections.RootOf(record), model);
        }
    }

    /// <summary>Counts what the root has counts of.</summary>
    private static unsafe void Audit(ListRoot* root, List<byte[]> model)
    {
        long weight = Strata.Storage.Memory.SlabHeap.SizeOf(sizeof(ListRoot));
        var packed = 0L;
        ListBlock* previous = null;
        for (var block = root->First; block != null; block = block->Next)
        {
            Assert.That(block->Count, Is.Positive);
            Assert.That(block->Previous == previous);
            weight += Strata.Storage.Memory.SlabHeap.SizeOf(sizeof(ListBlock) + block->Capacity);
            packed += block->PackedBytes;
            Assert.That(block->Start >= 0 && block->Used <= block->Capacity && block->End <= block->Capacity);
            previous = block;
        }

        Assert.That(root->Last == previous);
        Assert.That(root->Weight, Is.EqualTo(weight), "weight");
        Assert.That(root->EntryBytes, Is.EqualTo(packed), "bytes of entries");
        Assert.That(packed, Is.EqualTo(model.Sum(static element => (long)ListEntry.SizeOf(element.Length))));
        Assert.That(root->ListpackBytes, Is.EqualTo(model.Sum(static element => ListpackSize.Of(element))));
    }
}
