using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Hashes;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Tests.Storage.Sharding;
using Strata.Tests.Support;

namespace Strata.Tests.Storage.Collections.Hashes;

/// <summary>Hashes of a shard and dictionaries, changed in the same way.</summary>
[TestFixture]
internal sealed unsafe class HashModelTests
{
    private const int Keys = 4;

    private readonly byte[] _field = new byte[16_000];
    private readonly byte[] _value = new byte[16_000];

    // Of the sequence that is replayed: the fields, and when they expire.
    private readonly Dictionary<string, string>[] _models =
        [.. Enumerable.Range(0, Keys).Select(_ => new Dictionary<string, string>())];
    private readonly Dictionary<(int Key, string Field), long> _times = [];

    // Steps that met no hash, a packed, a large and a frozen one.
    private readonly int[] _met = new int[4];

    /// <summary>Up to a third of a million steps each: few fields, so that hashes are packed until a field expires or a
    /// long value comes; some, so that both forms grow into each other; many.</summary>
    [TestCase(8, 2, 15, 20, 250)]
    [TestCase(8, 2, 75, 20, 250, Category = TestCategories.Long)]
    [TestCase(40, 2, 15, 10, 500)]
    [TestCase(40, 2, 75, 10, 500, Category = TestCategories.Long)]
    [TestCase(5_000, 450, 15, 2, 12_500, Category = TestCategories.Long)]
    public void Agree_with_dictionaries(int fields, int longPermille, int sequences, int swings, int stepsPerSwing)
    {
        Array.Clear(_met);
        ModelCheck.Run(
            ModelCheck.Swings(
                HashOperation.Generator(Keys, fields, longPermille, setPercent: 65),
                HashOperation.Generator(Keys, fields, longPermille, setPercent: 10), swings, stepsPerSwing),
            sequences,
            Replay);
        Assert.That(
            _met,
            Has.All.GreaterThan(Math.Min(1000, 40 * sequences)),
            "steps that met no hash, a packed, a large and a frozen one");
    }

    private static Key KeyOf(TestShard shard, int number) => shard.Keys.Make($"hash:{number}");

    private void Replay(HashOperation[] operations)
    {
        const int StepsBetweenChecks = 1_700;
        using var shard = new TestShard();
        _times.Clear();
        foreach (var model in _models)
        {
            model.Clear();
        }

        for (var step = 0; step < operations.Length; step++)
        {
            var isThere = shard.Get(KeyOf(shard, operations[step].Key), out var record);
            _met[!isThere ? 0 : record.IsFrozen ? 3 : record.IsLarge ? 2 : 1]++;
            Step(shard, operations[step]);
            if (step % StepsBetweenChecks == 0)
            {
                Check(shard, operations[step].Key, _models[operations[step].Key]);
            }
        }

        for (var number = 0; number < Keys; number++)
        {
            Check(shard, number, _models[number]);
            _ = shard.Delete(KeyOf(shard, number));
        }

        while (shard.Shard.Collections.HasDoomed)
        {
            shard.Shard.Collections.FreeSome(100);
        }

        Assert.That(shard.Shard.Collections.Fields.Count, Is.Zero);
        Assert.That(shard.Shard.Collections.Heap.UsedBytes, Is.Zero, "bytes left in the heap");
    }

    private void Step(TestShard shard, in HashOperation operation)
    {
        switch (operation.Kind)
        {
            case HashOperationKind.Freeze:
            case HashOperationKind.Delete:
                Leave(shard, operation.Key, isDeleted: operation.Kind == HashOperationKind.Delete);
                break;
            case HashOperationKind.Pass:
            case HashOperationKind.Expire:
                Pass(shard, inBackground: operation.Kind == HashOperationKind.Expire);
                break;
            case HashOperationKind.Settle:
                shard.Shard.Settle(0, shard.NowMs);
                break;
            default:
                UseField(shard, operation);
                break;
        }
    }

    private void UseField(TestShard shard, in HashOperation operation)
    {
        var (kind, number, _, length, letter, delayMs) = operation;
        var key = KeyOf(shard, number);
        var model = _models[number];
        var record = Find(shard, key, mostExpired: letter % 2 == 0 ? 1 : int.MaxValue);
        var editor = new HashEditor(shard.Shard, key, record, shard.NowMs);
        var name = $"field:{operation.Field}";
        var field = _field.AsSpan(0, Encoding.ASCII.GetBytes(name, _field));
        switch (kind)
        {
            case HashOperationKind.Set:
                var text = new string((char)('a' + letter), length);
                var value = _value.AsSpan(0, Encoding.ASCII.GetBytes(text, _value));
                Assert.That(
                    editor.Set(field, value, new HashLimits(10, 64)), Is.EqualTo(!model.ContainsKey(name)), "is new");
                model[name] = text;
                _ = _times.Remove((number, name));
                break;
            case HashOperationKind.Remove:
                Assert.That(editor.Remove(field), Is.EqualTo(model.Remove(name)), "was there");
                var isEmpty = model.Count == 0 && !editor.Read().HasExpired;
                Assert.That(editor.IsMissing, Is.EqualTo(isEmpty), "is missing");
                _ = _times.Remove((number, name));
                break;
            case HashOperationKind.SetExpiry:
                SetExpiry(ref editor, number, name, field, shard.NowMs + delayMs);
                break;
            case HashOperationKind.Persist:
                SetExpiry(ref editor, number, name, field, expiryMs: -1);
                break;
            default:
                var isFound = editor.Read().TryGet(field, out var found);
                Assert.That(isFound, Is.EqualTo(model.TryGetValue(name, out var expected)), "is found");
                Assert.That(Encoding.ASCII.GetString(found), Is.EqualTo(expected ?? string.Empty));
                break;
        }
    }

    private void SetExpiry(
        ref HashEditor editor, int number, string name, ReadOnlySpan<byte> field, long expiryMs)
    {
        var isFound = editor.Read().TryGetExpiry(field, out var present);
        Assert.That(isFound, Is.EqualTo(_models[number].ContainsKey(name)), "is found");
        Assert.That(present, Is.EqualTo(_times.GetValueOrDefault((number, name), -1)), "when it expires");
        if (!isFound)
        {
            return;
        }

        editor.SetExpiry(field, expiryMs);
        _ = _times.Remove((number, name));
        if (expiryMs >= 0)
        {
            _times.Add((number, name), expiryMs);
        }
    }

    /// <summary>Time goes on: what has expired goes in the background, or when the key is looked up.</summary>
    private void Pass(TestShard shard, bool inBackground)
    {
        shard.NowMs++;
        foreach (var ((number, name), _) in _times.Where(time => time.Value < shard.NowMs).ToList())
        {
            _ = _models[number].Remove(name);
            _ = _times.Remove((number, name));
        }

        if (inBackground)
        {
            shard.Shard.Collections.Fields.Run(shard.NowMs, deadline: default);
            CheckCounts(shard);
        }
    }

    /// <summary>Whether what has expired is gone although nobody looked; on the disk it stays until somebody does.
    /// </summary>
    private void CheckCounts(TestShard shard)
    {
        for (var number = 0; number < Keys; number++)
        {
            var count = !shard.Shard.TryGet(KeyOf(shard, number), shard.NowMs, cold: null, out var record) ? 0
                : record.IsFrozen ? _models[number].Count
                : new HashReader(record, shard.NowMs).Count;
            Assert.That(count, Is.EqualTo(_models[number].Count), $"fields of hash {number}");
        }
    }

    /// <summary>Leaves memory, or is deleted.</summary>
    private void Leave(TestShard shard, int number, bool isDeleted)
    {
        var key = KeyOf(shard, number);
        var record = Find(shard, key);
        if (record.IsNull)
        {
            return;
        }

        if (record.IsLarge)
        {
            shard.Shard.Collections.Freeze(key, record);
        }

        if (isDeleted)
        {
            Assert.That(shard.Delete(key), Is.True);
            _models[number].Clear();
            foreach (var time in _times.Keys.Where(time => time.Key == number).ToList())
            {
                _ = _times.Remove(time);
            }
        }
    }

    private static Record Find(TestShard shard, in Key key, int mostExpired = int.MaxValue)
    {
        if (!shard.Get(key, out var record))
        {
            return default;
        }

        record = record.IsFrozen ? shard.Shard.Collections.Thaw(key, record) : record;
        shard.Shard.Collections.Fields.Expire(key, ref record, shard.NowMs, mostExpired);
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

        var hash = new HashReader(record, shard.NowMs);
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
