using NUnit.Framework;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Tests.Storage.Sharding;

/// <summary>Random steps on a shard and on a dictionary that says what the shard must hold.</summary>
internal sealed class ShardModel
{
    private const int Keys = 2000;
    private const int LongKeyBytes = 70_000;

    private readonly TestShard _test;
    private readonly Random _random;
    private readonly Dictionary<(int Number, byte Database), Expected> _expected = [];

    public ShardModel(TestShard test, int seed)
    {
        _test = test;
        _random = new Random(seed);
    }

    public void Step()
    {
        var number = _random.Next(Keys);
        var database = (byte)(_random.Next(10) == 0 ? 1 : 0);
        var key = Key(number, database);
        var id = (number, database);
        var isThere = TryExpected(id, out var expected);
        Assert.That(_test.Shard.TryGet(key, _test.NowMs, out var record), Is.EqualTo(isThere), $"key {id}");
        if (isThere)
        {
            expected.Check(record);
        }

        switch (_random.Next(100))
        {
            case < 45:
                Put(id, key, record);
                break;
            case < 60 when isThere:
                Resize(id, key, record, expected);
                break;
            case < 75 when isThere:
                _test.Shard.Remove(key, record);
                _ = _expected.Remove(id);
                break;
            case < 85 when isThere:
                var expiryMs = NextExpiry();
                _ = _test.Shard.SetExpiry(key, record, expiryMs);
                _expected[id] = expected with { ExpiryMs = expiryMs };
                break;
            case < 86:
                _test.Shard.RunCycle(0, _test.NowMs, System.Diagnostics.Stopwatch.Frequency / 1000);
                break;
            case < 90:
                _test.NowMs += _random.Next(20);
                break;
        }

        _test.Shard.Settle(0, _test.NowMs);
    }

    public void Clear(byte? database)
    {
        if (database == null)
        {
            _test.Shard.Clear();
            _expected.Clear();
            return;
        }

        _test.Shard.Clear(database.Value);
        foreach (var id in _expected.Keys.Where(id => id.Database == database).ToArray())
        {
            _ = _expected.Remove(id);
        }
    }

    /// <summary>Compares all keys and all counters.</summary>
    public void CheckAll()
    {
        for (var number = 0; number < Keys; number++)
        {
            for (byte database = 0; database < 2; database++)
            {
                var isThere = TryExpected((number, database), out var expected);
                var isFound = _test.Shard.TryGet(Key(number, database), _test.NowMs, out var record);
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

    private void Put((int, byte) id, in Key key, in Record record)
    {
        var expected = new Expected((byte)_random.Next(1, 256), NextLength(), 0, NextExpiry());
        expected = expected with { Length = expected.Filled };
        var capacity = _random.Next(20) == 0 ? NextLength() : 0;
        var spec = new RecordSpec(key, RecordType.String, expected.ExpiryMs);
        var put = _test.Shard.Put(key, record, spec, expected.Length, capacity);
        Assert.That(put.ValueCapacity, Is.GreaterThanOrEqualTo(Math.Max(capacity, expected.Length)));
        put.MutableValue.Fill(expected.Fill);
        _expected[id] = expected;
    }

    private void Resize((int, byte) id, in Key key, in Record record, in Expected expected)
    {
        var length = _random.Next(2) == 0 ? expected.Length + _random.Next(64) : NextLength();
        var resized = _test.Shard.Resize(key, record, length);
        Assert.That(resized.Flags & RecordFlags.Edited, Is.EqualTo(RecordFlags.Edited));
        _expected[id] = expected with { Length = length, Filled = Math.Min(expected.Filled, length) };
    }

    private long NextExpiry() => _random.Next(4) == 0 ? _test.NowMs + _random.Next(5000) : -1;

    private int NextLength() => _random.Next(1000) switch
    {
        0 => _random.Next(300_000),
        < 5 => _random.Next(20_000),
        < 50 => 0,
        < 500 => _random.Next(16),
        _ => _random.Next(500),
    };

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
