using NUnit.Framework;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Tests.Storage.Sharding;

/// <summary>A shard and a dictionary that says what the shard must hold.</summary>
internal sealed class ShardModel
{
    /// <summary>Keys of each database.</summary>
    public const int Keys = 2000;

    private const int LongKeyBytes = 70_000;
    private const int MostPassedMs = 20;
    private const int MostGrowthBytes = 64;

    private readonly TestShard _test;
    private readonly Dictionary<(int Number, byte Database), Expected> _expected = [];

    public ShardModel(TestShard test)
    {
        _test = test;
    }

    /// <summary>Looks the key up, and does with it what the step says.</summary>
    public void Step(in ShardOperation operation)
    {
        var id = (operation.Number, operation.Database);
        var key = Key(operation.Number, operation.Database);
        var isThere = TryExpected(id, out var expected);
        Assert.That(_test.Shard.TryGet(key, _test.NowMs, cold: null, out var record), Is.EqualTo(isThere), $"key {id}");
        if (isThere)
        {
            expected.Check(record);
        }

        switch (operation.Kind)
        {
            case ShardOperationKind.Put:
                Put(id, key, record, operation);
                break;
            case ShardOperationKind.Resize when isThere:
                Resize(id, key, record, expected, operation.Length);
                break;
            case ShardOperationKind.Grow when isThere:
                Resize(id, key, record, expected, expected.Length + (operation.Length % MostGrowthBytes));
                break;
            case ShardOperationKind.Remove when isThere:
                _test.Shard.Remove(key, record, TestChange.Any);
                _ = _expected.Remove(id);
                break;
            case ShardOperationKind.SetExpiry when isThere:
                var expiryMs = ExpiryMs(operation);
                _ = _test.Shard.SetExpiry(key, record, expiryMs, TestChange.Any);
                _expected[id] = expected with { ExpiryMs = expiryMs };
                break;
            case ShardOperationKind.RunCycle:
                _test.Shard.RunCycle(0, _test.NowMs, System.Diagnostics.Stopwatch.Frequency / 1000);
                break;
            case ShardOperationKind.Pass:
                _test.NowMs += operation.Number % MostPassedMs;
                break;
            case ShardOperationKind.ClearDatabase:
            case ShardOperationKind.Clear:
                CheckAll();
                Clear(operation.Kind == ShardOperationKind.Clear ? null : (byte)1);
                CheckAll();
                break;
        }

        _test.Shard.Settle(0, _test.NowMs);
    }

    /// <summary>Compares all keys and all counters.</summary>
    public void CheckAll()
    {
        for (var number = 0; number < Keys; number++)
        {
            for (byte database = 0; database < 2; database++)
            {
                var isThere = TryExpected((number, database), out var expected);
                var isFound = _test.Shard.TryGet(Key(number, database), _test.NowMs, cold: null, out var record);
                Assert.That(isFound, Is.EqualTo(isThere), $"key {number} of database {database}");
                if (isThere)
                {
                    expected.Check(record);
                }
            }
        }

        // All that is expired was met above, and deleted.
        Assert.That(_test.Shard.Index.Count, Is.EqualTo(_expected.Count));
        Assert.That(_test.Shard.Databases.Keys(1), Is.EqualTo(_expected.Keys.Count(id => id.Database == 1)));
        Assert.That(_test.Shard.Databases.Expires(0),
            Is.EqualTo(_expected.Count(pair => pair.Key.Database == 0 && pair.Value.ExpiryMs >= 0)));
        _test.Audit();
    }

    private void Clear(byte? database)
    {
        if (database == null)
        {
            DatabaseEraser.EraseAll(_test.Shard, author: null);
            _expected.Clear();
            return;
        }

        DatabaseEraser.Erase(_test.Shard, database.Value, author: null);
        foreach (var id in _expected.Keys.Where(id => id.Database == database).ToArray())
        {
            _ = _expected.Remove(id);
        }
    }

    private Key Key(int number, byte database)
        => _test.Keys.Make(number, number % 499 == 0 ? LongKeyBytes + number : 4 + (number % 60), database);

    private bool TryExpected((int, byte) id, out Expected expected)
    {
        if (_expected.TryGetValue(id, out expected) && expected.ExpiryMs >= 0 && expected.ExpiryMs < _test.NowMs)
        {
            _ = _expected.Remove(id);
        }

        return _expected.ContainsKey(id);
    }

    private void Put((int, byte) id, in Key key, in Record record, in ShardOperation operation)
    {
        var (_, _, _, length, capacity, fill, _) = operation;
        var expected = new Expected(fill, Filled: length, length, ExpiryMs(operation));
        var spec = new RecordSpec(key, RecordType.String, expected.ExpiryMs);
        var put = _test.Shard.Write(key, record, spec, length, capacity);
        Assert.That(put.ValueCapacity, Is.GreaterThanOrEqualTo(Math.Max(capacity, length)));
        put.MutableValue.Fill(fill);
        _expected[id] = expected;
    }

    private void Resize((int, byte) id, in Key key, in Record record, in Expected expected, int length)
    {
        var resized = TestStrings.Resize(_test.Shard, key, record, length);
        Assert.That(resized.Flags & RecordFlags.Edited, Is.EqualTo(RecordFlags.Edited));
        _expected[id] = expected with { Length = length, Filled = Math.Min(expected.Filled, length) };
    }

    private long ExpiryMs(in ShardOperation operation) => operation.DelayMs < 0 ? -1 : _test.NowMs + operation.DelayMs;

    /// <summary>A value: <paramref name="Filled"/> bytes of <paramref name="Fill"/>, then zeros.</summary>
    private readonly record struct Expected(byte Fill, int Filled, int Length, long ExpiryMs)
    {
        public void Check(in Record record)
        {
            var value = record.Value;
            if (value.Length != Length || record.ExpiryMs != ExpiryMs
                || value[..Filled].ContainsAnyExcept(Fill) || value[Filled..].ContainsAnyExcept((byte)0))
            {
                Assert.Fail($"expected {this}, found {value.Length} bytes, expiry {record.ExpiryMs}");
            }
        }
    }
}
