using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Tests.Storage.Sharding;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.SortedSets;

/// <summary>Sets of a shard, packed, large, frozen and thawed, against sorted lists.</summary>
[TestFixture]
[Category(TestCategories.Long)]
internal sealed class SortedSetEditorTests
{
    private const int Keys = 5;
    private const int Members = 60;

    private static readonly SortedSetLimits s_limits = new(Elements: 16, MemberBytes: 300);

    /// <summary>A million steps, in which the sets grow and shrink several times.</summary>
    [Test]
    public void Sets_are_those_of_a_model()
    {
        var met = new int[4];
        ModelCheck.Run(
            ModelCheck.Swings(
                SortedSetOperation.Generator(Keys, Members, setPercent: 60, removePercent: 32),
                SortedSetOperation.Generator(Keys, Members, setPercent: 4, removePercent: 88),
                swings: 4,
                length: 1_250),
            count: 200,
            operations => Replay(operations, met));
        Assert.That(met, Has.All.GreaterThan(1000), "steps that met no set, a packed, a large and a frozen one");
    }

    private static void Replay(SortedSetOperation[] operations, int[] met)
    {
        const int StepsBetweenChecks = 500;
        using var test = new TestShard(pageBits: 14);
        var models = Enumerable.Range(0, Keys).Select(_ => new Dictionary<string, double>()).ToArray();
        for (var step = 0; step < operations.Length; step++)
        {
            var number = operations[step].Key;
            met[Step(test, test.Keys.Make(number, 8), models[number], operations[step])]++;
            test.Shard.Settle(0, test.NowMs);
            if (step % StepsBetweenChecks == 0)
            {
                Check(test, models);
            }
        }

        Check(test, models);
        for (var number = 0; number < Keys; number++)
        {
            _ = test.Delete(test.Keys.Make(number, 8));
        }

        while (test.Shard.Collections.HasDoomed)
        {
            test.Shard.Settle(0, test.NowMs);
        }

        Assert.That(test.Shard.Collections.Heap.UsedBytes, Is.Zero);
    }

    /// <returns>What was met: 0 no set, 1 a packed, 2 a large, 3 a frozen one.</returns>
    private static int Step(
        TestShard test, Key key, Dictionary<string, double> model, in SortedSetOperation operation)
    {
        var exists = test.Shard.TryGet(key, test.NowMs, cold: null, out var record);
        Assert.That(exists, Is.EqualTo(model.Count > 0));
        var met = !exists ? 0 : record.IsFrozen ? 3 : record.IsLarge ? 2 : 1;
        if (exists && record.IsFrozen)
        {
            record = test.Shard.Collections.Thaw(key, record);
        }

        var editor = new SortedSetEditor(test.Shard, key, record, s_limits);
        var member = MemberOf(operation.Key, operation.Member);
        var score = operation.Quarters / 4.0;
        if (!exists || operation.Kind == SortedSetOperationKind.Set)
        {
            SetScore(ref editor, model, member, score);
        }
        else if (operation.Kind == SortedSetOperationKind.Remove)
        {
            Assert.That(editor.Remove(Encoding.ASCII.GetBytes(member)), Is.EqualTo(model.Remove(member)));
        }
        else if (operation.Kind == SortedSetOperationKind.RemoveRange)
        {
            editor.Remove(new SortedSetReader(record).ByScore(new ScoreRange(score, false, score + 1, true)));
            foreach (var gone in model.Where(pair => pair.Value >= score && pair.Value < score + 1).ToList())
            {
                _ = model.Remove(gone.Key);
            }
        }
        else if (record.IsLarge)
        {
            test.Shard.Collections.Freeze(key, record);
            return met;
        }

        editor.End(TestChange.Any);
        return met;
    }

    private static void SetScore(
        ref SortedSetEditor editor, Dictionary<string, double> model, string member, double score)
    {
        var bytes = Encoding.ASCII.GetBytes(member);
        var isMember = editor.TryFind(bytes, out var current);
        Assert.That(isMember, Is.EqualTo(model.TryGetValue(member, out var expected)));
        Assert.That(current, Is.EqualTo(expected));
        if (isMember)
        {
            editor.SetScore(score);
        }
        else
        {
            editor.Insert(bytes, score);
        }

        model[member] = score;
    }

    /// <summary>Two of the sets have so few members that they stay packed.</summary>
    private static string MemberOf(int key, int number) => (key < 2 ? number % s_limits.Elements : number) switch
    {
        7 => new string('x', 290),
        Members - 1 => new string('y', 301),
        var other => $"member-{other}",
    };

    private static void Check(TestShard test, Dictionary<string, double>[] models)
    {
        for (var number = 0; number < models.Length; number++)
        {
            var key = test.Keys.Make(number, 8);
            if (!test.Shard.TryGet(key, test.NowMs, cold: null, out var record))
            {
                continue;
            }

            record = record.IsFrozen ? test.Shard.Collections.Thaw(key, record) : record;
            var set = new SortedSetReader(record);
            var sorted = models[number].OrderBy(pair => pair.Value).ThenBy(pair => pair.Key, StringComparer.Ordinal)
                .Select(pair => (pair.Key, pair.Value)).ToList();
            Assert.That(set.Count, Is.EqualTo(sorted.Count));
            Assert.That(Read(set, isReverse: false), Is.EqualTo(sorted));
            sorted.Reverse();
            Assert.That(Read(set, isReverse: true), Is.EqualTo(sorted));
            for (var i = 0; i < sorted.Count; i++)
            {
                var isMember = set.TryGetRank(Encoding.ASCII.GetBytes(sorted[i].Key), out var rank, out var score);
                Assert.That((isMember, rank, score), Is.EqualTo((true, sorted.Count - 1 - i, sorted[i].Value)));
            }
        }
    }

    private static List<(string Member, double Score)> Read(in SortedSetReader set, bool isReverse)
    {
        var elements = new List<(string, double)>();
        for (var cursor = set.Walk(set.All, isReverse); cursor.TryNext(out var element);)
        {
            elements.Add((Encoding.ASCII.GetString(element.Member), element.Score));
        }

        return elements;
    }
}
