using System.Globalization;
using System.Text;
using NUnit.Framework;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Storage.Snapshot;
using Strata.Tests.Storage.Collections.Streams;
using Strata.Tests.Storage.Index;
using Strata.Tests.Storage.Sharding;
using Strata.Tests.Storage.Tiering;

namespace Strata.Tests.Storage.Snapshot;

/// <summary>Random changes of shards, and snapshots of them in between, each of which must be exactly what the shards
/// held at its moment.</summary>
internal sealed class SnapshotModel
{
    private const int ChangesPerSlice = 3;

    private static readonly SetLimits s_limits = new(MaxIntegers: 8, MaxMembers: 8, MaxMemberBytes: 64);

    private readonly TieredShard _test;
    private readonly Random _random;
    private readonly int _keys;
    private readonly SeamCopy _copy;
    private readonly StreamChanges _streams;
    private SnapshotWalk? _walk;
    private long _checkpoint;
    private RecordedSnapshot _taken = null!;
    private Dictionary<string, string> _expected = [];

    /// <summary>A model of empty shards.</summary>
    public SnapshotModel(TieredShard test, int seed, int keys)
    {
        _test = test;
        _random = new Random(seed);
        _keys = keys;
        _copy = new SeamCopy(test.Shards.All);
        _streams = new StreamChanges(_random);
    }

    /// <summary>Snapshots that came to their end, and the keys in them.</summary>
    public int Snapshots { get; private set; }

    /// <inheritdoc cref="Snapshots"/>
    public long Keys { get; private set; }

    /// <summary>Values that were taken in steps.</summary>
    public int InSteps { get; private set; }

    /// <summary>Snapshots that failed for other reasons than FLUSHALL and its like, and those.</summary>
    public int Failures { get; private set; }

    /// <inheritdoc cref="Failures"/>
    public int Cleared { get; private set; }

    /// <summary>Changes that found no memory.</summary>
    public int Refusals { get; private set; }

    /// <summary>Whether keys are mostly added; otherwise mostly removed.</summary>
    public bool IsGrowing { get; set; } = true;

    /// <summary>Looks at a checkpoint that came to its end, and at what the shards held at its moment; null where
    /// snapshots are taken.</summary>
    public Action<RecordedSnapshot, Dictionary<string, string>>? OnCheckpoint { get; init; }

    /// <summary>Whether all keys of a database may be deleted at once.</summary>
    public bool MayClear { get; init; }

    /// <summary>A change, and perhaps a slice of a snapshot.</summary>
    public void Step()
    {
        Change();
        if (_random.Next(20) == 0)
        {
            _test.NowMs += _random.Next(30);
            _test.RunCycles();
        }

        if (_walk == null)
        {
            if (_random.Next(30) == 0)
            {
                Begin();
            }
        }
        else if (_random.Next(ChangesPerSlice) == 0)
        {
            Go();
        }
    }

    /// <summary>Lets a snapshot that is under way come to its end, and takes another one.</summary>
    public void End()
    {
        GoToEnd();
        Begin();
        GoToEnd();
    }

    private void GoToEnd()
    {
        for (var i = 0; _walk != null; i++)
        {
            Go();
            _test.Turn();
            Assert.That(i, Is.LessThan(1_000_000), "a snapshot comes to its end");
        }
    }

    private void Begin()
    {
        _taken = new RecordedSnapshot(_random);
        _expected = _copy.At(OnCheckpoint == null ? _test.NowMs : long.MinValue);
        _checkpoint = OnCheckpoint == null ? 0 : _test.Tier.Checkpoints.Begin();
        _walk = new SnapshotWalk(_test.Shards, _taken, _test.NowMs, _checkpoint)
        {
            StepsPerSlice = 1,
            StepEffort = 16,
            LargestAtOnceBytes = 3000,
        };
    }

    private void Go()
    {
        _walk!.Run(worker: 0, workers: 1, _test.Worker, long.MaxValue / 4);
        if (!_walk.HasEnded)
        {
            return;
        }

        Assert.That(_taken.HasEnded);
        Assert.That(_test.Shards.All.ToArray().Select(shard => shard.Changes.Unsaved), Is.All.Null);
        _walk = null;
        if (_taken.Failure != null)
        {
            Cleared += _taken.Failure.Cleared == null ? 0 : 1;
            Failures += _taken.Failure.Cleared == null ? 1 : 0;
            _test.Tier.Checkpoints.OnGivenUp(_checkpoint);
            return;
        }

        Assert.That(_taken.Doubles, Is.Empty, "each key is taken once");
        Assert.That(_taken.Torn, Is.Empty);
        if (OnCheckpoint != null)
        {
            _test.Tier.Checkpoints.OnListed(_checkpoint, isCheckpoint: true);
            OnCheckpoint(_taken, _expected);
        }
        else if (_taken.Texts.Count != _expected.Count || _taken.Texts.Except(_expected).Any())
        {
            Assert.That(_taken.Texts.Keys.Except(_expected.Keys), Is.Empty, "what was not there");
            Assert.That(_expected.Keys.Except(_taken.Texts.Keys), Is.Empty, "what is missing");
            Assert.That(_taken.Texts, Is.EqualTo(_expected));
        }

        Snapshots++;
        Keys += _expected.Count;
        InSteps += _taken.InSteps;
    }

    private void Change()
    {
        var number = _random.Next(_keys);
        var database = (byte)(_random.Next(10) == 0 ? 1 : 0);
        var choice = _random.Next(1000);
        if (choice == 0 && MayClear && _random.Next(5) == 0)
        {
            Clear(_random.Next(2) == 0 ? null : (byte)_random.Next(2));
            return;
        }

        try
        {
            _test.Execute(Key(number, database), (shard, key, record) => Change(choice, shard, key, record));
        }
        catch (MemoryExhaustedException)
        {
            Refusals++;
        }
    }

    private void Change(int choice, Shard shard, in Key key, Record record)
    {
        if (!record.IsNull && record.IsFrozen)
        {
            record = shard.Collections.Thaw(key, record);
        }

        if (choice < (IsGrowing ? 400 : 100))
        {
            Put(shard, key, record);
        }
        else if (choice < (IsGrowing ? 500 : 150))
        {
            Add(shard, key, record, choice % 2 == 0 ? RecordType.Set : RecordType.Stream);
        }
        else if (record.IsNull)
        {
            return;
        }
        else if (choice < 600)
        {
            shard.SetExpiry(
                key, record, _random.Next(3) == 0 ? -1 : _test.NowMs + _random.Next(2000), TestChange.Any);
        }
        else if (choice < 650 && record.Type == RecordType.String && record.ValueLength < 5000)
        {
            TestStrings.Resize(shard, key, record, record.ValueLength + _random.Next(100));
        }
        else if (choice < 700)
        {
            Move(shard, key, record);
        }
        else if (choice < (IsGrowing ? 750 : 950))
        {
            shard.Remove(key, record, TestChange.Any);
        }
    }

    private void Put(Shard shard, in Key key, in Record record)
    {
        var length = _random.Next(100) switch
        {
            < 80 => _random.Next(200),
            < 97 => _random.Next(2000),
            _ => _random.Next(20_000),
        };
        var value = new byte[length];
        _random.NextBytes(value);
        var expiryMs = _random.Next(4) == 0 ? _test.NowMs + _random.Next(2000) : -1;
        shard.Put(key, record, new RecordSpec(key, RecordType.String, expiryMs), value, TestChange.Any);
    }

    /// <summary>Adds members to a set, or changes a stream, or makes the key one.</summary>
    private void Add(Shard shard, in Key key, Record record, RecordType type)
    {
        if (!record.IsNull && record.Type != type)
        {
            shard.Remove(key, record, TestChange.Any);
            record = default;
        }

        if (type == RecordType.Stream)
        {
            _streams.Make(shard, key, record, _test.NowMs);
            return;
        }

        var editor = new SetEditor(shard, key, record, s_limits);
        for (var i = _random.Next(40); i >= 0; i--)
        {
            editor.Add(Encoding.ASCII.GetBytes(_random.Next(600).ToString(CultureInfo.InvariantCulture)));
        }

        editor.End(TestChange.Any);
    }

    private void Move(Shard shard, in Key key, in Record record)
    {
        using var keys = new NativeKeys();
        var destination = Key(keys, _random.Next(_keys), (byte)_random.Next(2));
        var other = _test.Shards.Of(destination.Hash);
        if (other.Find(destination, _test.NowMs, cold: null, out var existing) is FindResult.Cold or FindResult.Expired
            || (!existing.IsNull && existing.Address == record.Address && other == shard))
        {
            return;
        }

        if (_random.Next(2) == 0)
        {
            RecordTransfer.Move(
                shard, key, record, other, destination, existing, TestChange.Any, TestChange.Any);
        }
        else
        {
            RecordTransfer.Copy(record, other, destination, existing, TestChange.Any);
        }
    }

    private void Clear(byte? database)
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
    }

    private Key Key(int number, byte database) => Key(_test.Keys, number, database);

    private static Key Key(NativeKeys keys, int number, byte database)
        => keys.Make(number, number % 499 == 0 ? 70_000 : 6 + (number % 60), database);
}
