using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Memory;

namespace Strata.Tests.Storage.Collections.SortedSets;

/// <summary>The tree against a sorted list: inserts, removals and changed scores in any order and in order, many and
/// few.</summary>
[TestFixture]
internal sealed unsafe class ScoreTreeTests
{
    private const long Reserve = 5L << 30;
    private const int Steps = 1_000_000;
    private const int StepsBetweenChecks = 20_000;

    private StripedRegion _region = null!;
    private SlabHeap _heap = null!;

    [SetUp]
    public void Start()
    {
        _region = new StripedRegion(Reserve, owners: 1, SlabHeap.SlabBits);
        _heap = new SlabHeap(new MemoryBudget(), _region.Of(0));
    }

    [TearDown]
    public void Stop()
    {
        _heap.Dispose();
        _region.Dispose();
    }

    [TestCase(1, 1_000_000)]
    [TestCase(2, 20)]
    [TestCase(3, 1)]
    public void A_million_steps_are_those_of_a_sorted_list(int seed, int scores)
    {
        var random = new Random(seed);
        var tree = ScoreTree.Create(_heap);
        var model = new List<Entry>();
        var target = 0;
        for (var step = 0; step < Steps; step++)
        {
            if (step % StepsBetweenChecks == 0)
            {
                Check(tree, model);
                target = random.Next(10) switch { 0 => 0, 1 => 100, 2 => 10_000, _ => random.Next(4_000) };
            }

            if (model.Count > 0 && random.Next(3) == 0)
            {
                ChangeScore(ref tree, model, random, scores);
            }
            else if (model.Count <= target)
            {
                Insert(ref tree, model, NextScore(random, model, step, scores), $"m{random.NextInt64(1L << 40)}");
            }
            else
            {
                var place = random.Next(3) switch { 0 => 0, 1 => model.Count - 1, _ => random.Next(model.Count) };
                Remove(ref tree, model, place);
            }
        }

        Check(tree, model);
        model.ForEach(entry => ScoredElement.Free(_heap, (byte*)entry.Block));
        while (!tree.IsGone)
        {
            tree.FreeLastLeaf(_heap);
        }

        Assert.That(_heap.UsedBytes, Is.Zero);
    }

    [TestCase(false, 17.8)]
    [TestCase(true, 21.5)]
    public void A_member_costs_few_bytes(bool isRandom, double most)
    {
        const int Members = 300_000;
        var random = new Random(4);
        var tree = ScoreTree.Create(_heap);
        for (var i = 0; i < Members; i++)
        {
            var score = isRandom ? random.NextDouble() : i;
            tree.Insert(_heap, ScoredElement.Create(_heap, Encoding.ASCII.GetBytes($"m{i}"), score));
        }

        TestContext.Out.WriteLine($"{(double)tree.WeightBytes / Members:0.00} bytes");
        Assert.That((double)tree.WeightBytes / Members, Is.LessThan(most));
    }

    private static double NextScore(Random random, List<Entry> model, int step, int scores)
        => (step / StepsBetweenChecks % 4) switch
        {
            0 when model.Count > 0 => model[^1].Score + 1,
            1 when model.Count > 0 => model[0].Score - 1,
            _ => random.Next(scores),
        };

    private void Insert(ref ScoreTree tree, List<Entry> model, double score, string member)
    {
        var entry = new Entry(score, Encoding.ASCII.GetBytes(member), 0);
        var place = model.BinarySearch(entry);
        if (place < 0)
        {
            entry = entry with { Block = (nint)ScoredElement.Create(_heap, entry.Member, score) };
            tree.Insert(_heap, (byte*)entry.Block);
            model.Insert(~place, entry);
        }
    }

    private void Remove(ref ScoreTree tree, List<Entry> model, int place)
    {
        var entry = model[place];
        if (place % 2 == 0)
        {
            tree.FindRank(place, out var path);
            Assert.That((nint)tree.RemoveAt(_heap, path), Is.EqualTo(entry.Block));
        }
        else
        {
            tree.Find(new ElementBound(entry.Score, entry.Member, isBehind: false), out var path);
            Assert.That(path.Rank, Is.EqualTo(place));
            tree.FindRank(path.Rank, out path);
            Assert.That((nint)tree.RemoveAt(_heap, path), Is.EqualTo(entry.Block));
        }

        ScoredElement.Free(_heap, (byte*)entry.Block);
        model.RemoveAt(place);
    }

    private void ChangeScore(ref ScoreTree tree, List<Entry> model, Random random, int scores)
    {
        var place = random.Next(model.Count);
        var entry = model[place];
        var changed = entry with
        {
            Score = random.Next(3) switch
            {
                0 => entry.Score + random.Next(-2, 3),
                1 => entry.Score + 0.25,
                _ => random.Next(scores),
            },
        };
        tree.ChangeScore(_heap, (byte*)entry.Block, changed.Score);
        model.RemoveAt(place);
        model.Insert(~model.BinarySearch(changed), changed);
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
