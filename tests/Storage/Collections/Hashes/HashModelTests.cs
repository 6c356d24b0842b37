using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Collections.Hashes;

/// <summary>Hashes of a shard and dictionaries, changed at random in the same way.</summary>
[TestFixture]
internal sealed unsafe class HashModelTests
{
    private static readonly int[] s_lengths = [0, 1, 5, 20, 60, 64, 65, 253, 254, 300, 12_000];

    private readonly byte[] _field = new byte[16_000];
    private readonly byte[] _value = new byte[16_000];

    [TestCase(1, 8)]
    [TestCase(2, 40)]
    [TestCase(3, 5_000)]
    public void Agree_with_dictionaries_over_many_steps(int seed, int fields)
    {
        const int Steps = 350_000;
        const int Keys = 4;
        var random = new Random(seed);
        using var shard = new TestShard();
        var models = Enumerable.Range(0, Keys).Select(_ => new Dictionary<string, string>()).ToArray();
        for (var step = 0; step < Steps; step++)
        {
            var number = random.Next(Keys);
            Step(shard, number, models[number], random, fields);
            if (step % 64 == 0)
            {
                shard.Shard.Settle(0, shard.NowMs);
            }

            if (step % (Steps / 200) == 0)
            {
                Check(shard, number, models[number]);
            }
        }

        for (var number = 0; number < Keys; number++)
        {
            Check(shard, number, models[number]);
            _ = shard.Delete(KeyOf(shard, number));
        }

        while (shard.Shard.Collections.HasDoomed)
        {
            shard.Shard.Collections.FreeSome(100);
        }

        Assert.That(shard.Shard.Collections.Heap.UsedBytes, Is.Zero, "bytes left in the heap");
    }

    private static Key KeyOf(TestShard shard, int number) => shard.Keys.Make($"hash:{number}");

    private void Step(TestShard shard, int number, Dictionary<string, string> model, Random random, int fields)
    {
        var key = KeyOf(shard, number);
        var limits = new HashLimits(10, 64);
        var record = Find(shard, key);
        var editor = new HashEditor(shard.Shard, key, record);
        var name = $"field:{random.Next(fields)}";
        var field = _field.AsSpan(0, Encoding.ASCII.GetBytes(name, _field));
        switch (random.Next(20))
        {
            case < 9:
                var text = new string((char)('a' + random.Next(26)), s_lengths[random.Next(s_lengths.Length)]);
                var value = _value.AsSpan(0, Encoding.ASCII.GetBytes(text, _value));
                Assert.That(editor.Set(field, value, limits), Is.EqualTo(model.TryAdd(name, text)));
                model[name] = text;
                break;
            case < 15:
                Assert.That(editor.Remove(field), Is.EqualTo(model.Remove(name)));
                Assert.That(editor.IsMissing, Is.EqualTo(model.Count == 0));
                break;
            case < 19:
                var isFound = editor.Read().TryGet(field, out var found);
                Assert.That(isFound, Is.EqualTo(model.TryGetValue(name, out var expected)));
                Assert.That(Encoding.ASCII.GetString(found), Is.EqualTo(expected ?? string.Empty));
                break;
            default:
                Rare(shard, key, record, model, random);
                break;
        }
    }

    /// <summary>Leaves memory, or is deleted.</summary>
    private static void Rare(
        TestShard shard, in Key key, in Record record, Dictionary<string, string> model, Random random)
    {
        if (record.IsNull)
        {
            return;
        }

        if (record.IsLarge)
        {
            Assert.That(shard.Shard.Collections.TryFreeze(key, record, int.MaxValue, out _), Is.True);
        }

        if (random.Next(50) == 0)
        {
            Assert.That(shard.Delete(key), Is.True);
            model.Clear();
        }
    }

    private static Record Find(TestShard shard, in Key key)
        => !shard.Get(key, out var record) ? default
            : record.IsFrozen ? shard.Shard.Collections.Thaw(key, record)
            : record;

    private static void Check(TestShard shard, int number, Dictionary<string, string> model)
    {
        var record = Find(shard, KeyOf(shard, number));
        Assert.That(record.IsNull, Is.EqualTo(model.Count == 0));
        if (record.IsNull)
        {
            return;
        }

        var hash = new HashReader(record);
        Assert.That(hash.Count, Is.EqualTo(model.Count));
        var seen = new Dictionary<string, string>();
        for (var position = 0; hash.Table == null && hash.TryNext(ref position, out var field);)
        {
            seen.Add(Encoding.ASCII.GetString(hash.NameOf(field)), Encoding.ASCII.GetString(hash.ValueOf(field)));
        }

        if (hash.Table != null)
        {
            for (var walk = ElementTable.Walk(hash.Table); walk.TryNext(out var block);)
            {
                seen.Add(
                    Encoding.ASCII.GetString(hash.NameOf((nint)block)),
                    Encoding.ASCII.GetString(hash.ValueOf((nint)block)));
            }
        }

        Assert.That(seen, Is.EquivalentTo(model));
    }
}
