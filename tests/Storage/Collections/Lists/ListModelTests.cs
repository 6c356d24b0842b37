using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Index;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Collections.Lists;

/// <summary>Random edits of a list, each made in a plain list of arrays too.</summary>
[TestFixture]
internal sealed class ListModelTests
{
    private const int Steps = 125_000;

    private static readonly int[] s_lengths = [0, 1, 3, 10, 50, 50, 50, 200, 253, 254, 300, 1500, 3000, 9000, 40_000];

    [Test]
    public void Every_edit_does_what_a_plain_list_does([Values(1, 2, 3, 4)] int seed, [Values] bool isShort)
    {
        using var test = new TestShard(pageBits: 20);
        var random = new Random(seed);
        var model = new List<byte[]>();
        var key = test.Keys.Make(seed, 8);
        var longest = isShort ? 12 : 4000;
        for (var step = 0; step < Steps; step++)
        {
            // The list grows and shrinks by turns, so that all sizes are met.
            var grows = random.Next(longest) > model.Count || (step / 20_000 % 2 == 0 && random.Next(3) > 0);
            Step(test, key, model, random, grows, isShort ? 7 : s_lengths.Length);
            if (step % 1000 == 0 || (isShort && step % 16 == 0))
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

    [Test]
    public void A_frozen_list_thaws_as_it_was()
    {
        using var test = new TestShard(pageBits: 20);
        var key = test.Keys.Make(1, 8);
        var model = new List<byte[]>();
        var random = new Random(7);
        for (var i = 0; i < 5000; i++)
        {
            Step(test, key, model, random, grows: true, s_lengths.Length - 3);
        }

        _ = test.Shard.TryGet(key, test.NowMs, out var large);
        var wasQuicklist = ListReader.IsQuicklist(large);
        Assert.That(test.Shard.Collections.TryFreeze(key, large, long.MaxValue, out _), Is.True);
        _ = test.Shard.TryGet(key, test.NowMs, out var frozen);
        Assert.That(frozen.IsFrozen, Is.True);
        Assert.That(ShardCollections.CountOf(frozen), Is.EqualTo(model.Count));
        Assert.That(ListReader.IsQuicklist(frozen), Is.EqualTo(wasQuicklist));
        _ = test.Shard.Collections.Thaw(key, frozen);
        Compare(test, key, model);
        _ = test.Shard.TryGet(key, test.NowMs, out var thawed);
        Assert.That(ListReader.IsQuicklist(thawed), Is.EqualTo(wasQuicklist));
    }

    [Test]
    public void A_million_elements_of_50_bytes_take_little_more_than_their_entries()
    {
        const int Count = 1_000_000;
        using var test = new TestShard(pageBits: 20);
        var key = test.Keys.Make(1, 8);
        Push(test, key, new byte[50], ListEnd.Tail);
        var list = Open(test, key);
        var element = new byte[50];
        for (var i = 1; i < Count; i++)
        {
            list.Push(element, (i & 1) == 0 ? ListEnd.Head : ListEnd.Tail);
        }

        Assert.That(list.Count, Is.EqualTo(Count));
        Assert.That(test.Shard.Collections.Heap.SizeBytes / (double)Count, Is.LessThanOrEqualTo(52.4));
    }

    private static void Step(
        TestShard test, in Key key, List<byte[]> model, Random random, bool grows, int lengths)
    {
        var element = Element(random, lengths);
        var end = random.Next(2) == 0 ? ListEnd.Head : ListEnd.Tail;
        var kind = random.Next(20);
        if (model.Count == 0 || (grows && kind < 14))
        {
            Push(test, key, element, end);
            model.Insert(end == ListEnd.Head ? 0 : model.Count, element);
            return;
        }

        var list = Open(test, key);
        var index = random.Next(model.Count);
        var cursor = list.Reader.At(index);
        switch (kind)
        {
            case 19 when random.Next(200) == 0:
                var trimmed = random.Next(model.Count + 1);
                list.Trim(trimmed, end);
                model.RemoveRange(end == ListEnd.Head ? 0 : model.Count - trimmed, trimmed);
                break;
            case 18:
                list.Rotate(end);
                var moved = model[end == ListEnd.Head ? 0 : ^1];
                model.RemoveAt(end == ListEnd.Head ? 0 : model.Count - 1);
                model.Insert(end == ListEnd.Head ? model.Count : 0, moved);
                break;
            case 17:
                list.Replace(ref cursor, element);
                model[index] = element;
                break;
            case 14 or 15 or 16 when grows:
                list.Insert(ref cursor, element);
                model.Insert(index, element);
                Assert.That(cursor.Current.SequenceEqual(element), "the cursor is at the element inserted");
                break;
            case < 10:
                list.Pop(end);
                model.RemoveAt(end == ListEnd.Head ? 0 : model.Count - 1);
                break;
            default:
                RemoveSeveral(ref list, cursor, model, index, random.Next(1, 5));
                break;
        }

        Assert.That(list.Count, Is.EqualTo(model.Count));
        test.Shard.Settle(0, test.NowMs);
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

    private static byte[] Element(Random random, int lengths)
    {
        // Half of the choices are small, so that blocks hold many.
        var element = random.Next(4) == 0
            ? new byte[s_lengths[random.Next(lengths)]]
            : new byte[random.Next(20)];
        random.NextBytes(element);
        if (random.Next(4) == 0)
        {
            element = System.Text.Encoding.ASCII.GetBytes($"{random.Next(-100_000, 100_000)}");
        }

        return element;
    }

    private static void Push(TestShard test, in Key key, byte[] element, ListEnd end)
    {
        if (test.Shard.TryGet(key, test.NowMs, out var record))
        {
            new ListEditor(test.Shard, key, record, new ListpackLimit(-2)).Push(element, end);
        }
        else
        {
            _ = ListEditor.Create(test.Shard, key, record, element, new ListpackLimit(-2));
        }
    }

    private static ListEditor Open(TestShard test, in Key key)
    {
        Assert.That(test.Shard.TryGet(key, test.NowMs, out var record));
        return new ListEditor(test.Shard, key, record, new ListpackLimit(-2));
    }

    private static unsafe void Compare(TestShard test, in Key key, List<byte[]> model)
    {
        if (!test.Shard.TryGet(key, test.NowMs, out var record))
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
        var used = 0L;
        ListBlock* previous = null;
        for (var block = root->First; block != null; block = block->Next)
        {
            Assert.That(block->Count, Is.Positive);
            Assert.That(block->Previous == previous);
            weight += Strata.Storage.Memory.SlabHeap.SizeOf(sizeof(ListBlock) + block->Capacity);
            used += block->Used;
            previous = block;
        }

        Assert.That(root->Last == previous);
        Assert.That(root->Weight, Is.EqualTo(weight), "weight");
        Assert.That(root->EntryBytes, Is.EqualTo(used), "bytes of entries");
        Assert.That(used, Is.EqualTo(model.Sum(static element => (long)ListEntry.SizeOf(element.Length))));
        Assert.That(root->ListpackBytes, Is.EqualTo(model.Sum(static element => ListpackSize.Of(element))));
    }
}
