using NUnit.Framework;
using Strata.Server.Execution;
using Strata.Storage;
using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;
using Strata.Tests.Storage.Index;

namespace Strata.Tests.Server.Execution;

/// <summary>What is found of memory that another worker's writes let go, at the moment it is looked for.</summary>
[TestFixture]
internal sealed class MemoryGuardOnTierTests
{
    private const long Limit = 4 << 20;

    private readonly EventfulClock _clock = new();
    private MemoryBudget _budget = null!;
    private Quiescence _quiescence = null!;
    private NullDevice _device = null!;
    private Tier _tier = null!;
    private ShardMap _shards = null!;
    private NativeKeys _keys = null!;
    private MemoryGuard _guard = null!;

    [SetUp]
    public void Fill()
    {
        _budget = new MemoryBudget { LimitBytes = Limit };
        _quiescence = new Quiescence(2);
        _device = new NullDevice(segmentBytes: 1 << 20);
        _device.Initialize();
        _tier = new Tier(_device, segmentBits: 20, workers: 2, throttleLimit: 16);
        _shards = new ShardMap(
            new ShardSettings(4, Limits.MinPageBits, IsShared: true, UsesHugePages: false, new Timed(_clock)),
            _budget,
            _quiescence,
            _tier);
        _keys = new NativeKeys();
        _guard = new MemoryGuard(_shards, worker: 0);

        // No worker has opened its way to the device: nothing is written but what the test says is.
        for (var i = 0; !_budget.IsOver; i++)
        {
            var key = _keys.Make(i, 16);
            var shard = _shards.Of(key.Hash);
            shard.Write(key, default, new RecordSpec(key, RecordType.String, -1), 200).MutableValue.Fill(1);
        }
    }

    [TearDown]
    public void Free()
    {
        _shards.Dispose();
        _tier.Dispose();
        _device.Dispose();
        _quiescence.Dispose();
        _keys.Dispose();
    }

    [Test]
    public void What_is_being_written_is_waited_for()
    {
        _tier.OnWriteStarted();
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.OnItsWay));
        _tier.OnWriteEnded(0);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.None));
    }

    [Test]
    public void What_was_written_while_the_shards_were_asked_is_not_overlooked()
    {
        _tier.OnWriteStarted();
        _clock.Next = () => _tier.OnWriteEnded(0);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.OnItsWay));
        Assert.That(_clock.Next, Is.Null, "it ended meanwhile");
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.None));
    }

    [Test]
    public void What_was_frozen_while_the_shards_were_asked_is_not_overlooked()
    {
        _tier.OnFreezeStarted();
        _clock.Next = () => _tier.OnFreezeEnded();
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.OnItsWay));
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.None));
    }

    /// <summary>Hundreds may wait, and each asks in every turn.</summary>
    [Test]
    public void Who_asks_behind_one_that_asked_in_vain_asks_no_shard_in_the_same_millisecond()
    {
        _tier.OnWriteStarted();
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.OnItsWay));
        var asked = LeasesTaken();
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.OnItsWay));
        Assert.That(LeasesTaken(), Is.EqualTo(asked));
        Assert.That(_guard.MakeRoom(nowMs: 2), Is.EqualTo(Room.OnItsWay));
        Assert.That(LeasesTaken(), Is.Not.EqualTo(asked));
        _tier.OnWriteEnded(0);
    }

    [Test]
    public void A_disk_that_takes_nothing_is_told_apart_from_memory_that_is_full()
    {
        _tier.OnWriteStarted();
        _tier.OnWriteEnded(Errno.NoSpace);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Unwritable));
        _tier.OnWriteStarted();
        _tier.OnWriteEnded(0);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.None));
        Assert.That(_tier.LastFailure, Is.EqualTo(Errno.NoSpace), "somebody may still have to tell it");
    }

    private long[] LeasesTaken() => [.. _shards.All.ToArray().Select(static shard => shard.Lease.ReadVersion())];

    private sealed class Timed(TimeProvider clock) : Platform
    {
        public override TimeProvider Clock => clock;
    }

    /// <summary>Something happens on another thread while the time is asked for.</summary>
    private sealed class EventfulClock : TimeProvider
    {
        public Action? Next { get; set; }

        public override long GetTimestamp()
        {
            var next = Next;
            Next = null;
            next?.Invoke();
            return base.GetTimestamp();
        }
    }
}
