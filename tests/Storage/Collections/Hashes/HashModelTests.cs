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

    // When fields expire, by key and field.
    private readonly Dictionary<(int Key, string Field), long> _times = [];
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
        _times.Clear();
        var models = Enumerable.Range(0, Keys).Select(_ => new Dictionary<string, string>()).ToArray();
        for (var step = 0; step < Steps; step++)
        {
            var number = random.Next(Keys);
            Step(shard, number, models[number], random, fields);
            if (step % 16 == 0)
            {
                Pass(shard, models, inBackground: step % 32 == 0);
            }

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

        Assert.That(shard.Shard.Collections.Fields.Count, Is.Zero);
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
                _ = _times.Remove((number, name));
                break;
            case < 15:
                Assert.That(editor.Remove(field), Is.EqualTo(model.Remove(name)));
                Assert.That(editor.IsMissing, Is.EqualTo(model.Count == 0));
                _ = _times.Remove((number, name));
                break;
            case < 16:
                SetExpiry(shard, ref editor, number, name, field, random);
                break;
            case < 19:
                var isFound = editor.Read().TryGet(field, out var found);
                Assert.That(isFound, Is.EqualTo(model.TryGetValue(name, out var expected)));
                Assert.That(Encoding.ASCII.GetString(found), Is.EqualTo(expected ?? string.Empty));
                break;
            default:
                Rare(shard, number, record, model, random);
                break;
        }
    }

    private void SetExpiry(
        TestShard shard, ref HashEditor editor, int number, string name, ReadOnlySpan<byte> field, Random random)
    {
        var isFound = editor.Read().TryGetExpiry(field, out var present);
        Assert.That(present, Is.EqualTo(_times.GetValueOrDefault((number, name), -1)));
        if (!isFound || (present < 0 && random.Next(3) > 0))
        {
            return;
        }

        var expiryMs = random.Next(4) == 0 ? -1 : shard.NowMs + random.Next(2000);
        editor.SetExpiry(field, expiryMs);
        if (expiryMs < 0)
        {
            _ = _times.Remove((number, name));
        }
        else
        {
            _times[(number, name)] = expiryMs;
        }
    }

    /// <summary>Time goes on: what has expired goes in the background, or when the key is looked up.</summary>
    private void Pass(TestShard shard, Dictionary<string, string>[] models, bool inBackground)
    {
        shard.NowMs++;
        foreach (var ((number, name), timeMs) in _times.Where(time => time.Value < shard.NowMs).ToList())
        {
            _ = models[number].Remove(name);
            _ = _times.Remove((number, name));
        }

        if (inBackground)
        {
            shard.Shard.Collections.Fields.Run(shard.NowMs, long.MaxValue);
        }
    }

    /// <summary>Leaves memory, or is deleted.</summary>
    private void Rare(
        TestShard shard, int number, in Record record, Dictionary<string, string> model, Random random)
    {
        var key = KeyOf(shard, number);
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
            foreach (var time in _times.Keys.Where(time => time.Key == number).ToList())
            {
                _ = _times.Remove(time);
            }
        }
    }

    private static Record Find(TestShard shard, in Key key)
    {
        if (!shard.Get(key, out var record))
        {
            return default;
        }

        record = record.IsFrozen ? shard.Shard.Collections.Thaw(key, record) : record;
        shard.Shard.Collections.Fields.Expire(key, ref record, shard.NowMs);
        return record;
    }

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
