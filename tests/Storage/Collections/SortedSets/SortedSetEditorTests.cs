using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Collections.SortedSets;

/// <summary>Sets of a shard, packed, large, frozen and thawed, against sorted lists.</summary>
[TestFixture]
internal sealed class SortedSetEditorTests
{
    private const int Steps = 300_000;
    private const int Keys = 20;
    private const int StepsBetweenChecks = 10_000;

    private static readonly SortedSetLimits s_limits = new(Elements: 16, MemberBytes: 300);

    [Test]
    public void Sets_are_those_of_a_model()
    {
        using var test = new TestShard(pageBits: 14);
        var random = new Random(12);
        var models = Enumerable.Range(0, Keys).Select(_ => new Dictionary<string, double>()).ToArray();
        for (var step = 0; step < Steps; step++)
        {
            var number = random.Next(Keys);
            Step(test, test.Keys.Make(number, 8), models[number], random);
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

    private static void Step(TestShard test, Key key, Dictionary<string, double> model, Random random)
    {
        var exists = test.Shard.TryGet(key, test.NowMs, out var record);
        Assert.That(exists, Is.EqualTo(model.Count > 0));
        if (exists && record.IsFrozen)
        {
            record = test.Shard.Collections.Thaw(key, record);
        }

        var editor = new SortedSetEditor(test.Shard, key, record, s_limits);
        var member = MemberOf(random.Next(60));
        var action = random.Next(model.Count > 25 ? 12 : 8);
        if (exists && action == 0)
        {
            var range = new SortedSetReader(record).ByScore(new ScoreRange(2, false, 3, true));
            editor.Remove(range);
            foreach (var gone in model.Where(pair => pair.Value is >= 2 and < 3).ToList())
            {
                _ = model.Remove(gone.Key);
            }
        }
        else if (exists && action == 1 && record.IsLarge)
        {
            Assert.That(test.Shard.Collections.TryFreeze(key, record, long.MaxValue, out _), Is.True);
            return;
        }
        else if (exists && action is 2 or >= 8)
        {
            Assert.That(editor.Remove(Encoding.ASCII.GetBytes(member)), Is.EqualTo(model.Remove(member)));
        }
        else
        {
            var score = random.Next(20) / 4.0;
            SetScore(ref editor, model, member, score);
        }

        if (model.Count == 0)
        {
            test.Shard.Remove(key, editor.Record);
        }
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

    private static string MemberOf(int number) => number == 7 ? new string('x', 290) : $"member-{number}";

    private static void Check(TestShard test, Dictionary<string, double>[] models)
    {
        for (var number = 0; number < models.Length; number++)
        {
            var key = test.Keys.Make(number, 8);
            if (!test.Shard.TryGet(key, test.NowMs, out var record))
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
