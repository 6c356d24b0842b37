using NUnit.Framework;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;
using Strata.Tests.Server.Changes;
using Strata.Tests.Storage.Collections.Streams;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Random steps on shards with a tier, on a device whose faults come and go, and on a dictionary that says
/// what the shards must hold: whatever is answered must be right, and what cannot be answered must say so.</summary>
internal sealed class TierModel
{
    private readonly TieredShard _test;
    private readonly SimulatedDevice _device;
    private readonly Random _random;
    private readonly int _keys;
    private readonly int _largest;
    private readonly StreamChanges _streams;
    private readonly Dictionary<(int Number, byte Database), Expected> _expected = [];

    public TierModel(TieredShard test, SimulatedDevice device, int seed, int keys = 2000, int largest = 100_000)
    {
        _test = test;
        _device = device;
        _random = new Random(seed);
        _keys = keys;
        _largest = largest;
        _streams = new StreamChanges(_random);
    }

    /// <summary>Operations that were answered with an error.</summary>
    public int Failures { get; private set; }

    public int ColdAnswers { get; private set; }

    /// <summary>Operations that found no memory.</summary>
    public int Refusals { get; private set; }

    public void Step()
    {
        var number = _random.Next(_keys);
        var database = (byte)(_random.Next(10) == 0 ? 1 : 0);
        var id = (number, database);
        var choice = _random.Next(100);
        var reads = _test.Worker.Reads;
        var failure = ColdReadFailure.None;
        try
        {
            failure = _test.Execute(Key(id), (shard, key, record) =>
            {
                Compare(id, record);
                Change(id, choice, shard, key, record);
            });
        }
        catch (MemoryExhaustedException)
        {
            Refusals++; // Nothing was changed.
        }

        Failures += failure == ColdReadFailure.None ? 0 : 1;
        ColdAnswers += failure == ColdReadFailure.None && _test.Worker.Reads != reads ? 1 : 0;
        if (_random.Next(20) == 0)
        {
            _test.NowMs += _random.Next(30);
            _test.RunCycles();
        }
    }

    /// <summary>Deletes all keys of a database, or of all.</summary>
    public void Clear(byte? database)
    {
        foreach (var shard in _test.Shards.All)
        {
            if (database == null)
            {
                DatabaseEraser.EraseAll(shard, author: null);
            }
            else
            {
                DatabaseEraser.Erase(shard, database.Value, author: null);
            }
        }

        foreach (var id in _expected.Keys.Where(id => database == null || id.Database == database).ToArray())
        {
            _expected.Remove(id);
        }
    }

    /// <summary>Compares all keys and the counters, on a device without faults.</summary>
    public void CheckAll()
    {
        _device.Faults.Heal();
        long beganMs;
        do
        {
            beganMs = _test.NowMs; // A key that expires after its turn is counted, or not.
            CompareAll();
        }
        while (_test.NowMs != beganMs);

        Assert.That(_test.Shards.CountKeys(0), Is.EqualTo(_expected.Keys.Count(id => id.Database == 0)));
        Assert.That(_test.Shards.CountKeys(1), Is.EqualTo(_expected.Keys.Count(id => id.Database == 1)));
        _test.Audit();
    }

    private void CompareAll()
    {
        for (var number = 0; number < _keys; number++)
        {
            for (byte database = 0; database < 2; database++)
            {
                var id = (number, database);
                Assert.That(_test.Execute(Key(id), (_, _, record) => Compare(id, record)),
                    Is.EqualTo(ColdReadFailure.None), $"key {id}, errno {_test.FailureErrno}");
            }
        }
    }

    private void Change((int, byte) id, int choice, Shard shard, in Key key, in Record record)
    {
        switch (choice)
        {
            case < 45:
                var next = NextValue();
                var spec = new RecordSpec(key, RecordType.String, next.ExpiryMs);
                next.Fill(shard.Write(key, record, spec, next.Length).MutableValue);
                _expected[id] = next;
                break;
            case < 55 when !record.IsNull:
                shard.Remove(key, record, TestChange.Any);
                _expected.Remove(id);
                break;
            case < 62 when !record.IsNull:
                var expiryMs = _random.Next(3) == 0 ? -1 : _test.NowMs + _random.Next(2000);
                shard.SetExpiry(key, record, expiryMs, TestChange.Any);
                _expected[id] = _expected[id] with { ExpiryMs = expiryMs };
                break;
            case >= 70 and < 80 when record.IsNull || record.Type == RecordType.Stream:
                ChangeStream(id, shard, key, record);
                break;
            case < 70 when !record.IsNull && record.Type == RecordType.String && record.ValueLength < 2000:
                var length = record.ValueLength + _random.Next(100);
                _expected[id].FillTail(TestStrings.Resize(shard, key, record, length).MutableValue);
                _expected[id] = _expected[id] with { Length = length };
                break;
        }
    }

    /// <summary>What finds no memory in the midst of a change has done a part of it.</summary>
    private void ChangeStream((int, byte) id, Shard shard, in Key key, in Record record)
    {
        try
        {
            _streams.Make(shard, key, record, _test.NowMs);
        }
        finally
        {
            if (shard.TryGet(key, _test.NowMs, cold: null, out var stream))
            {
                _expected[id] = new Expected(0, 0, 0, stream.ExpiryMs) { Stream = ValueOf(stream) };
            }
        }
    }

    private Key Key((int Number, byte Database) id)
        => _test.Keys.Make(id.Number, 6 + (id.Number % 60), id.Database);

    private void Compare((int, byte) id, in Record record)
    {
        if (_expected.TryGetValue(id, out var expected) && expected.ExpiryMs >= 0 && expected.ExpiryMs < _test.NowMs)
        {
            _expected.Remove(id);
        }

        Assert.That(record.IsNull, Is.EqualTo(!_expected.ContainsKey(id)), $"whether key {id} is there");
        if (!record.IsNull)
        {
            expected.Check(record);
        }
    }

    private Expected NextValue()
    {
        var length = _random.Next(100) switch
        {
            < 70 => _random.Next(200),
            < 95 => _random.Next(2000),
            < 99 => _random.Next(20_000),
            _ => _random.Next(_largest),
        };
        var expiryMs = _random.Next(4) == 0 ? _test.NowMs + _random.Next(2000) : -1;
        return new Expected((byte)_random.Next(256), length, length, expiryMs);
    }

    /// <summary>The text of a value, without when it expires.</summary>
    private static string ValueOf(in Record record) => RecordText.Of(record).Split(':', 2)[1];

    /// <summary>A value: bytes that count up from a first one, then zeros; or a stream.</summary>
    private readonly record struct Expected(byte First, int Counted, int Length, long ExpiryMs)
    {
        /// <summary>The text of a stream; null of bytes.</summary>
        public string? Stream { get; init; }

        public void Fill(Span<byte> value)
        {
            for (var i = 0; i < value.Length; i++)
            {
                value[i] = (byte)(First + i);
            }
        }

        public void FillTail(Span<byte> value)
            => Assert.That(value[Length..].ContainsAnyExcept((byte)0), Is.False, "what is added is zero");

        public void Check(in Record record)
        {
            Assert.That(record.ExpiryMs, Is.EqualTo(ExpiryMs));
            Assert.That(record.Type == RecordType.Stream, Is.EqualTo(Stream != null));
            if (Stream != null)
            {
                Assert.That(ValueOf(record), Is.EqualTo(Stream));
                return;
            }

            Assert.That(record.ValueLength, Is.EqualTo(Length));
            for (var i = 0; i < Length; i++)
            {
                if (record.Value[i] != (i < Counted ? (byte)(First + i) : 0))
                {
                    Assert.Fail($"byte {i} of {Length} is {record.Value[i]}");
                }
            }
        }
    }
}
