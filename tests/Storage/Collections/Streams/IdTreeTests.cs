using NUnit.Framework;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Collections.Streams;

/// <summary>Ids put into a tree and taken out in various orders, as into a sorted set of the framework's.</summary>
internal sealed unsafe class IdTreeTests
{
    private const int Steps = 100_000;

    private static readonly int s_emptyBytes = SlabHeap.SizeOf(sizeof(StreamRoot));

    [Test]
    public void It_holds_what_a_sorted_set_holds(
        [Values(0, 1, 3)] int words, [Values(40, 3_000, 1_000_000_000)] int range, [Values(1)] int seed)
    {
        using var test = new TestHeap();
        var root = StreamRoot.Create(test.Heap);
        var memory = new StreamMemory(test.Heap, root);
        var tree = new IdTree(words);
        var model = new SortedSet<StreamId>();
        var random = new Random(seed);
        for (var step = 0; step < Steps; step++)
        {
            // It grows and shrinks again, at either end, in the middle, and everywhere.
            var isGrowing = step / (Steps / 8) % 2 == 0;
            var id = Draw(random, model, range, step);
            if (random.Next(10) < (isGrowing ? 8 : 2))
            {
                if (model.Add(id))
                {
                    Fill(tree.Add(memory, id), words, id);
                }
            }
            else
            {
                Assert.That(tree.Remove(memory, id), Is.EqualTo(model.Remove(id)));
            }

            if (step % 5_000 == 0)
            {
                Compare(tree, words, model, random, range);
            }
        }

        Compare(tree, words, model, random, range);
        foreach (var id in model)
        {
            Assert.That(tree.Remove(memory, id));
        }

        Assert.That(tree.First.IsNone && tree.Last.IsNone && tree.From(StreamId.Min).IsNone);
        while (!tree.IsGone)
        {
            tree.FreeLastLeaf(memory);
        }

        test.Heap.Free((byte*)root, sizeof(StreamRoot));
        Assert.That(test.Heap.UsedBytes, Is.Zero);
    }

    [Test]
    public void A_tree_that_empties_keeps_its_leaf_for_the_next_entry()
    {
        using var test = new TestHeap();
        var root = StreamRoot.Create(test.Heap);
        var memory = new StreamMemory(test.Heap, root);
        var tree = new IdTree(words: 3);
        _ = tree.Add(memory, new StreamId(1, 0));
        var used = test.Heap.UsedBytes;
        for (var i = 1UL; i < 100; i++)
        {
            Assert.That(tree.Remove(memory, new StreamId(i, 0)));
            Assert.That(tree.Count, Is.Zero);
            Assert.That(test.Heap.UsedBytes, Is.EqualTo(used));
            _ = tree.Add(memory, new StreamId(i + 1, 0));
        }

        tree.FreeLastLeaf(memory);
        test.Heap.Free((byte*)root, sizeof(StreamRoot));
        Assert.That(test.Heap.UsedBytes, Is.Zero);
    }

    [Test]
    public void Ids_in_order_fill_the_nodes_and_leave_them_from_the_front()
    {
        const int Count = 100_000;
        using var test = new TestHeap();
        var root = StreamRoot.Create(test.Heap);
        var memory = new StreamMemory(test.Heap, root);
        var tree = new IdTree(words: 1);
        for (var i = 0; i < Count; i++)
        {
            *tree.Add(memory, new StreamId((ulong)i, 0)) = (ulong)i;
        }

        Assert.That(root->Weight / (double)Count, Is.LessThan(26.5), "bytes an id and its word take, which have 24");
        for (var i = 0; i < Count - 1; i++)
        {
            Assert.That(tree.Remove(memory, tree.First.Id));
            if (i % 1_000 == 0)
            {
                Assert.That(root->Weight / (double)(Count - i), Is.LessThan(40), $"after {i}");
            }
        }

        Assert.That(*tree.Last.Words, Is.EqualTo(Count - 1));
        tree.FreeLastLeaf(memory);
        Assert.That(tree.IsGone);
        test.Heap.Free((byte*)root, sizeof(StreamRoot));
    }

    [Test]
    public void A_tree_is_given_up_leaf_by_leaf()
    {
        using var test = new TestHeap();
        var root = StreamRoot.Create(test.Heap);
        var memory = new StreamMemory(test.Heap, root);
        var tree = new IdTree(words: 0);
        var random = new Random(5);
        for (var i = 0; i < 50_000; i++)
        {
            var id = new StreamId((ulong)random.NextInt64(), 1);
            if (tree.Find(id) == null)
            {
                _ = tree.Add(memory, id);
            }
        }

        while (!tree.IsGone)
        {
            tree.FreeLastLeaf(memory);
        }

        test.Heap.Free((byte*)root, sizeof(StreamRoot));
        Assert.That(test.Heap.UsedBytes, Is.Zero);
    }

    [Test]
    public void What_lies_before_an_id_is_cut_off(
        [Values(0, 1, 3)] int words, [Values(30, 2_000, 20_000)] int count, [Values(1, 2)] int seed)
    {
        using var test = new TestHeap();
        var root = StreamRoot.Create(test.Heap);
        var memory = new StreamMemory(test.Heap, root);
        var random = new Random(seed);
        for (var round = 0; round < 20; round++)
        {
            var range = count * 2;
            var tree = new IdTree(words);
            var model = new SortedSet<StreamId>();
            for (var i = 0; i < count * 3 / 2; i++)
            {
                var id = new StreamId((ulong)random.Next(range), (ulong)random.Next(2));
                if (random.Next(3) > 0 ? model.Add(id) : model.Remove(id))
                {
                    if (model.Contains(id))
                    {
                        Fill(tree.Add(memory, id), words, id);
                    }
                    else
                    {
                        _ = tree.Remove(memory, id);
                    }
                }
            }

            var from = random.Next(5) == 0 ? StreamId.Max : new StreamId((ulong)random.Next(range), 1);
            var front = tree.CutBefore(memory, from, model.Count(id => id < from));
            var before = new SortedSet<StreamId>(model.Take((int)front.Count));
            model.ExceptWith(before);
            Assert.That(model.Count(id => id < from), Is.AtMost(IdNode.CapacityOf(IdNode.StrideOf(words))));
            Assert.That(front.WeightBytes + tree.WeightBytes, Is.EqualTo(test.Heap.UsedBytes - s_emptyBytes));
            Compare(front, words, before, random, range);
            Compare(tree, words, model, random, range);
            foreach (var id in model.Where(_ => random.Next(2) == 0).ToList())
            {
                Assert.That(tree.Remove(memory, id) && model.Remove(id));
            }

            Compare(tree, words, model, random, range);
            foreach (ref var given in (Span<IdTree>)[front, tree])
            {
                while (!given.IsGone)
                {
                    given.FreeLastLeaf(memory);
                }
            }

            Assert.That(test.Heap.UsedBytes, Is.EqualTo(s_emptyBytes));
        }
    }

    private static StreamId Draw(Random random, SortedSet<StreamId> model, int range, int step)
    {
        var ms = (ulong)random.Next(range);
        return (step / 2_000 % 4) switch
        {
            0 when model.Count > 0 => random.Next(2) == 0 ? model.Min
                : model.Max.TryNext(out var next) ? next : default,
            1 when model.Count > 0 => random.Next(2) == 0 ? model.Max : new StreamId(model.Max.Ms + 1, ms),
            _ => new StreamId(ms, (ulong)random.Next(3)),
        };
    }

    private static void Fill(ulong* target, int words, StreamId id)
    {
        for (var i = 0; i < words; i++)
        {
            target[i] = WordOf(id, i);
        }
    }

    private static ulong WordOf(StreamId id, int word) => (id.Ms * 31) + (id.Seq * 7) + (ulong)word;

    private static void Compare(in IdTree tree, int words, SortedSet<StreamId> model, Random random, int range)
    {
        Assert.That(tree.Count, Is.EqualTo(model.Count));
        var place = tree.First;
        foreach (var id in model)
        {
            Assert.That(place.Id, Is.EqualTo(id));
            for (var i = 0; i < words; i++)
            {
                Assert.That(place.Words[i], Is.EqualTo(WordOf(id, i)));
            }

            place.MoveNext();
        }

        Assert.That(place.IsNone);
        place = tree.Last;
        foreach (var id in model.Reverse())
        {
            Assert.That(place.Id, Is.EqualTo(id));
            place.MovePrevious();
        }

        Assert.That(place.IsNone);
        for (var i = 0; i < 50; i++)
        {
            var sought = new StreamId((ulong)random.Next(range), (ulong)random.Next(3));
            Assert.That(tree.Find(sought) != null, Is.EqualTo(model.Contains(sought)));
            var from = tree.From(sought);
            var above = model.GetViewBetween(sought, StreamId.Max);
            Assert.That(from.IsNone ? (StreamId?)null : from.Id, Is.EqualTo(above.Count == 0 ? null : above.Min));
            var to = tree.UpTo(sought);
            var below = model.GetViewBetween(StreamId.Min, sought);
            Assert.That(to.IsNone ? (StreamId?)null : to.Id, Is.EqualTo(below.Count == 0 ? null : below.Max));
        }
    }
}
