using NUnit.Framework;
using Strata.Server.Sessions;
using Strata.Storage;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Index;

namespace Strata.Tests.Server.Sessions;

[TestFixture]
internal sealed class MemoryGuardTests
{
    private const long Limit = 64 << 20;

    private readonly MemoryBudget _budget = new();
    private Quiescence _quiescence = null!;
    private ShardMap _shards = null!;
    private MemoryGuard _guard = null!;
    private NativeKeys _keys = null!;

    [SetUp]
    public void Make()
    {
        _budget.LimitBytes = Limit;
        _quiescence = new Quiescence(2);
        _shards = new ShardMap(new ShardSettings(16, Limits.MaxPageBits, IsShared: true), _budget, _quiescence);
        _guard = new MemoryGuard(_shards, worker: 0);
        _keys = new NativeKeys();
    }

    [TearDown]
    public void Free()
    {
        _shards.Dispose();
        _quiescence.Dispose();
        _keys.Dispose();
        Assert.That(_budget.UsedBytes, Is.Zero);
    }

    [Test]
    public void One_huge_value_pushes_others_out_of_all_shards()
    {
        const int Huge = 50 << 20;
        SetPolicy(EvictionPolicy.AllKeysLru);
        Fill(250_000);
        var before = _shards.All.ToArray().Select(shard => shard.Index.Count).ToArray();
        Set(1_000_000, Huge);
        Assert.That(_budget.UsedBytes, Is.LessThan(Limit + Huge + (1 << 20)), "the overshoot is the one command's");
        foreach (var shard in _shards.All)
        {
            shard.RunCycle(0, 1, System.Diagnostics.Stopwatch.Frequency);
        }

        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Set(1_000_001, 200);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Assert.That(_budget.UsedBytes, Is.LessThanOrEqualTo(Limit));
        var key = _keys.Make(1_000_000, 16);
        Assert.That(_shards.Of(key.Hash).TryGet(key, 1, out _), Is.True, "the value itself stays");
        foreach (var shard in _shards.All)
        {
            Assert.That(shard.Index.Count, Is.InRange(1, before[shard.Number] * 6 / 10), $"shard {shard.Number}");
        }
    }

    [Test]
    public void Refuses_only_when_nothing_may_go()
    {
        SetPolicy(EvictionPolicy.NoEviction);
        Fill(300_000);
        Assert.That(_budget.IsOver, Is.True);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.None));
        Assert.That(_shards.CountKeys(0), Is.EqualTo(300_000));
        SetPolicy(EvictionPolicy.VolatileRandom);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.None));
        SetPolicy(EvictionPolicy.AllKeysRandom);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Assert.That(_budget.IsOver, Is.False);
    }

    [Test]
    public void Goes_round_shards_in_other_hands()
    {
        SetPolicy(EvictionPolicy.AllKeysLfu);
        Fill(200_000);
        for (var i = 0; i < 15; i++)
        {
            Assert.That(_shards[i].Lease.TryAcquire(), Is.True);
        }

        _budget.LimitBytes = _budget.UsedBytes - 100_000;
        var keys = _shards[15].Index.Count;
        while (_budget.IsOver)
        {
            Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        }

        Assert.That(_shards[15].Index.Count, Is.InRange(1, keys - 100));
        for (var i = 0; i < 15; i++)
        {
            _shards[i].Lease.Release(_shards[i]);
        }
    }

    [Test]
    public void What_readers_still_hold_up_is_not_evicted_twice()
    {
        SetPolicy(EvictionPolicy.AllKeysLru);
        Fill(200_000);
        _quiescence.BeginTurn(1);
        _budget.LimitBytes = _budget.UsedBytes;
        Set(1_000_000, 1 << 20);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Assert.That(_budget.UsedBytes, Is.GreaterThan(_budget.LimitBytes), "worker 1 may still read");
        Assert.That(_budget.IsOver, Is.False);
        Assert.That(_shards.CountKeys(0), Is.GreaterThan(190_000));
        _quiescence.EndTurn(1);
        foreach (var shard in _shards.All)
        {
            shard.RunCycle(0, 1, System.Diagnostics.Stopwatch.Frequency);
        }

        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Assert.That(_budget.UsedBytes, Is.LessThanOrEqualTo(_budget.LimitBytes));
    }

    private void SetPolicy(EvictionPolicy policy)
    {
        foreach (var shard in _shards.All)
        {
            shard.Policy = policy;
        }
    }

    private void Fill(int keys)
    {
        for (var i = 0; i < keys; i++)
        {
            Set(i, 200);
        }
    }

    private void Set(int number, int length)
    {
        var key = _keys.Make(number, 16);
        var shard = _shards.Of(key.Hash);
        Assert.That(shard.Lease.TryAcquire(), Is.True);
        var spec = new RecordSpec(key, RecordType.String, -1);
        shard.Put(key, default, spec, length).MutableValue.Fill(1);
        shard.Settle(0, 1);
        shard.Lease.Release(shard);
    }
}
