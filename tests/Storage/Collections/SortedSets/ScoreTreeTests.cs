using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Memory;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.SortedSets;

/// <summary>The tree against a sorted list: inserts, removals and changed scores in any order and in order, many and
/// few.</summary>
[TestFixture]
internal sealed unsafe class ScoreTreeTests
{
    /// <summary>20,000 steps a sequence. The tree grows to some ten thousand elements and shrinks to none.</summary>
    [TestCase(1_000_000, 10)]
    [TestCase(1_000_000, 50, Category = TestCategories.Long)]
    [TestCase(20, 10)]
    [TestCase(20, 50, Category = TestCategories.Long)]
    [TestCase(1, 10)]
    [TestCase(1, 50, Category = TestCategories.Long)]
    public void Is_a_sorted_list(int scores, int sequences)
    {
        const int Phases = 8;
        const int StepsPerPhase = 2_500;
        ModelCheck.Run(
            ModelCheck.Phases(ScoreOperation.Phases(scores), ScoreOperation.Phases(scores), Phases, StepsPerPhase),
            sequences,
            operations => Replay(operations, stepsBetweenChecks: StepsPerPhase));
    }

    [TestCase(false, 17.8)]
    [TestCase(true, 21.5)]
    public void A_member_costs_few_bytes(bool isRandom, double most)
    {
        const int Members = 300_000;
        using var test = new TestHeap();
        var heap = test.Heap;
        var random = new Random(4);
        var tree = ScoreTree.Create(heap);
        for (var i = 0; i < Members; i++)
        {
            var score = isRandom ? random.NextDouble() : i;
            tree.Insert(heap, ScoredElement.Create(heap, Encoding.ASCII.GetBytes($"m{i}"), score));
        }

        TestContext.Out.WriteLine($"{(double)tree.WeightBytes / Members:0.00} bytes");
        Assert.That((double)tree.WeightBytes / Members, Is.LessThan(most));
    }

    private static void Replay(ScoreOperation[] operations, int stepsBetweenChecks)
    {
        using var test = new TestHeap();
        var tree = ScoreTree.Create(test.Heap);
        var model = new List<Entry>();
        for (var step = 0; step < operations.Length; step++)
        {
            Step(test.Heap, ref tree, model, operations[step]);
            if (step % stepsBetweenChecks == 0)
            {
                Check(tree, model);
            }
        }

        Check(tree, model);
        model.ForEach(entry => ScoredElement.Free(test.Heap, (byte*)entry.Block));
        while (!tree.IsGone)
        {
            tree.FreeLastLeaf(test.Heap);
        }

        Assert.That(test.Heap.UsedBytes, Is.Zero, "bytes left in the heap");
    }

    private static void Step(SlabHeap heap, ref ScoreTree tree, List<Entry> model, in ScoreOperation operation)
    {
        if (model.Count == 0 || operation.Kind == ScoreOperationKind.Insert)
        {
            Insert(heap, ref tree, model, operation.Score, operation.Member);
            return;
        }

        var place = operation.Place % model.Count;
        switch (operation.Kind)
        {
            case ScoreOperationKind.InsertFirst:
                Insert(heap, ref tree, model, model[0].Score - 1, operation.Member);
                break;
            case ScoreOperationKind.InsertLast:
                Insert(heap, ref tree, model, model[^1].Score + 1, operation.Member);
                break;
            case ScoreOperationKind.Nudge:
                ChangeScore(heap, ref tree, model, place, operation.Nudged(model[place].Score));
                break;
            case ScoreOperationKind.ChangeScore:
                ChangeScore(heap, ref tree, model, place, operation.Score);
                break;
            case ScoreOperationKind.RemoveFirst:
                Remove(heap, ref tree, model, 0);
                break;
            case ScoreOperationKind.RemoveLast:
                Remove(heap, ref tree, model, model.Count - 1);
                break;
            default:
                Remove(heap, ref tree, model, place);
                break;
        }
    }

    private static void Insert(SlabHeap heap, ref ScoreTree tree, List<Entry> model, double score, int member)
    {
        var entry = new Entry(score, Encoding.ASCII.GetBytes($"m{member}"), 0);
        var place = model.BinarySearch(entry);
        if (place < 0)
        {
            entry = entry with { Block = (nint)ScoredElement.Create(heap, entry.Member, score) };
            tree.Insert(heap, (byte*)entry.Block);
            model.Insert(~place, entry);
        }
    }

    private static void Remove(SlabHeap heap, ref ScoreTree tree, List<Entry> model, int place)
    {
        var entry = model[place];
        if (place % 2 == 0)
        {
            tree.FindRank(place, out var path);
            Assert.That((nint)tree.RemoveAt(heap, path), Is.EqualTo(entry.Block));
        }
        else
        {
            tree.Find(new ElementBound(entry.Score, entry.Member, isBehind: false), out var path);
            Assert.That(path.Rank, Is.EqualTo(place));
            tree.FindRank(path.Rank, out path);
            Assert.That((nint)tree.RemoveAt(heap, path), Is.EqualTo(entry.Block));
        }

        ScoredElement.Free(heap, (byte*)entry.Block);
        model.RemoveAt(place);
    }

    private static void ChangeScore(SlabHeap heap, ref ScoreTree tree, List<Entry> model, int place, double score)
    {
        var entry = model[place];
        var changed = entry with { Score = score };
        model.RemoveAt(place);
        var target = model.BinarySearch(changed);
        if (target >= 0)
        {
            model.Insert(place, entry); // The same member with the same score is there: members of a set differ.
            return;
        }

        tree.ChangeScore(heap, (byte*)entry.Block, score);
        model.Insert(~target, changed);
    }

    private static void Check(in ScoreTree tree, List<Entry> model)
    {
        Assert.That(tree.Count, Is.EqualTo(model.Count));
        var leaf = tree.First;
        var index = 0;
        for (var rank = 0; rank < model.Count; rank++)
        {
            if (index == leaf->Count)
            {
                Assert.That(leaf->Next->Previous == leaf);
                leaf = leaf->Next;
                index = 0;
            }

            var entry = model[rank];
            if ((nint)leaf->BlockAt(index) != entry.Block || leaf->Scores[index] != entry.Score)
            {
                Assert.Fail($"the element with rank {rank}");
            }

            tree.FindRank(rank, out var path);
            var bound = new ElementBound(entry.Score, entry.Member, isBehind: true);
            if (path.Leaf != leaf || path.Index != index || tree.RankOf(bound) != rank + 1)
            {
                Assert.Fail($"the place of the element with rank {rank}");
            }

            index++;
        }

        Assert.That(leaf == tree.Last && index == leaf->Count);
    }

    private sealed record Entry(double Score, byte[] Member, nint Block) : IComparable<Entry>
    {
        public int CompareTo(Entry? other)
        {
            var order = Score.CompareTo(other!.Score);
            return order != 0 ? order : Member.AsSpan().SequenceCompareTo(other.Member);
        }
    }
}
