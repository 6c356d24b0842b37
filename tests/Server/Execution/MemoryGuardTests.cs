using NUnit.Framework;
using Strata.Server.Execution;
using Strata.Storage;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Tests.Storage.Sharding;

namespace Strata.Tests.Server.Execution;

[TestFixture]
internal sealed class MemoryGuardTests()
    : ShardMapFixture(new ShardSettings(16, Limits.MaxPageBits, IsShared: true), workers: 2, Limit)
{
    private const long Limit = 64 << 20;

    private MemoryGuard _guard = null!;

    [SetUp]
    public void Make() => _guard = new MemoryGuard(Shards, worker: 0);

    [Test]
    public void One_huge_value_pushes_others_out_of_all_shards()
    {
        const int Huge = 50 << 20;
        SetPolicy(EvictionPolicy.AllKeysLru);
        Fill(250_000);
        var before = Shards.All.ToArray().Select(shard => shard.Index.Count).ToArray();
        Set(1_000_000, Huge);
        Assert.That(Budget.UsedBytes, Is.LessThan(Limit + Huge + (1 << 20)), "the overshoot is the one command's");
        foreach (var shard in Shards.All)
        {
            shard.RunCycle(0, 1, System.Diagnostics.Stopwatch.Frequency);
        }

        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Set(1_000_001, 200);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Assert.That(Budget.UsedBytes, Is.LessThanOrEqualTo(Limit));
        var key = Keys.Make(1_000_000, 16);
        Assert.That(Shards.Of(key.Hash).TryGet(key, 1, cold: null, out _), Is.True, "the value itself stays");
        foreach (var shard in Shards.All)
        {
            Assert.That(shard.Index.Count, Is.InRange(1, before[shard.Number] * 6 / 10), $"shard {shard.Number}");
        }
    }

    [Test]
    public void While_keys_are_held_nothing_is_evicted_and_the_limit_exceeded_by_little()
    {
        SetPolicy(EvictionPolicy.AllKeysLru);
        Fill(250_000);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        var before = Shards.CountKeys(0);
        foreach (var shard in Shards.All)
        {
            shard.ExpiryHold.Until(100);
        }

        var over = Limit / Limits.OverShare / 2;
        var charged = Limit + over - (Budget.UsedBytes - Budget.RetiredBytes);
        Budget.Charge(charged);
        Assert.That(_guard.MakeRoom(nowMs: 99), Is.EqualTo(Room.Made));
        Budget.Charge(2 * over);
        Assert.That(_guard.MakeRoom(nowMs: 99), Is.EqualTo(Room.None));
        Assert.That(Shards.CountKeys(0), Is.EqualTo(before));

        Assert.That(_guard.MakeRoom(nowMs: 100), Is.EqualTo(Room.Made));
        Assert.That(Shards.CountKeys(0), Is.LessThan(before));
        Assert.That(Budget.IsOver, Is.False);
        Budget.Charge(-charged - (2 * over));
    }

    [Test]
    public void Refuses_only_when_nothing_may_go()
    {
        SetPolicy(EvictionPolicy.NoEviction);
        Fill(300_000);
        Assert.That(Budget.IsOver, Is.True);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.None));
        Assert.That(Shards.CountKeys(0), Is.EqualTo(300_000));
        SetPolicy(EvictionPolicy.VolatileRandom);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.None));
        SetPolicy(EvictionPolicy.AllKeysRandom);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Assert.That(Budget.IsOver, Is.False);
    }

    [Test]
    public void Goes_round_shards_in_other_hands()
    {
        SetPolicy(EvictionPolicy.AllKeysLfu);
        Fill(200_000);
        for (var i = 0; i < 15; i++)
        {
            Assert.That(Shards[i].Lease.TryAcquire(), Is.True);
        }

        Budget.LimitBytes = Budget.UsedBytes - 100_000;
        var keys = Shards[15].Index.Count;
        while (Budget.IsOver)
        {
            Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        }

        Assert.That(Shards[15].Index.Count, Is.InRange(1, keys - 100));
        for (var i = 0; i < 15; i++)
        {
            Shards[i].Lease.Release();
        }
    }

    [Test]
    public void What_readers_still_hold_up_is_not_evicted_twice()
    {
        SetPolicy(EvictionPolicy.AllKeysLru);
        Fill(200_000);
        Quiescence.BeginReads(1);
        Budget.LimitBytes = Budget.UsedBytes;
        Set(1_000_000, 1 << 20);
        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Assert.That(Budget.UsedBytes, Is.GreaterThan(Budget.LimitBytes), "worker 1 may still read");
        Assert.That(Budget.IsOver, Is.False);
        Assert.That(Shards.CountKeys(0), Is.GreaterThan(190_000));
        Quiescence.EndReads(1);
        foreach (var shard in Shards.All)
        {
            shard.RunCycle(0, 1, System.Diagnostics.Stopwatch.Frequency);
        }

        Assert.That(_guard.MakeRoom(nowMs: 1), Is.EqualTo(Room.Made));
        Assert.That(Budget.UsedBytes, Is.LessThanOrEqualTo(Budget.LimitBytes));
    }

    [Test]
    public void Writers_wait_when_readers_hold_up_too_much()
    {
        SetPolicy(EvictionPolicy.AllKeysLru);
        Fill(200_000);
        Quiescence.BeginReads(1);
        Budget.LimitBytes = Budget.UsedBytes;
        var most = Budget.LimitBytes + (Budget.LimitBytes / Limits.RetiredShare) + (2 << 20);
        var number = 1_000_000;
        for (; _guard.MakeRoom(nowMs: number) == Room.Made; number++)
        {
            Set(number, 100_000);
            Assert.That(Budget.UsedBytes, Is.LessThan(most));
        }

        var keys = Shards.CountKeys(0);
        Assert.That(_guard.MakeRoom(nowMs: number), Is.EqualTo(Room.OnItsWay));
        Assert.That(Shards.CountKeys(0), Is.EqualTo(keys), "evicting more would free nothing");
        Quiescence.EndReads(1);
        Assert.That(_guard.MakeRoom(nowMs: number + 1), Is.EqualTo(Room.Made));
        Assert.That(Budget.UsedBytes, Is.LessThan(most - (2 << 20)));
    }

    private void SetPolicy(EvictionPolicy policy)
    {
        foreach (var shard in Shards.All)
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
        var key = Keys.Make(number, 16);
        var shard = Shards.Of(key.Hash);
        Assert.That(shard.Lease.TryAcquire(), Is.True);
        var spec = new RecordSpec(key, RecordType.String, -1);
        shard.Write(key, default, spec, length).MutableValue.Fill(1);
        shard.Settle(0, 1);
        shard.Lease.Release();
    }
}
