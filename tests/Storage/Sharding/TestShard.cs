using NUnit.Framework;
using Strata.Server.Execution;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Tests.Storage.Index;

namespace Strata.Tests.Storage.Sharding;

/// <summary>One shard with all it needs, driven as a single worker does it.</summary>
internal sealed unsafe class TestShard : IDisposable
{
    private readonly Quiescence _quiescence = new(1);
    private readonly ShardMap _shards;
    private readonly MemoryGuard _guard;

    public TestShard(int pageBits = 16, long limitBytes = 0, EvictionPolicy policy = EvictionPolicy.NoEviction)
    {
        Budget = new MemoryBudget { LimitBytes = limitBytes };
        _shards = new ShardMap(new ShardSettings(1, pageBits, IsShared: false), Budget, _quiescence);
        _guard = new MemoryGuard(_shards, worker: 0);
        Shard.Policy = policy;
    }

    public MemoryBudget Budget { get; }

    public Shard Shard => _shards[0];

    public NativeKeys Keys { get; } = new();

    public long NowMs { get; set; } = 1_000_000;

    /// <summary>SET: the value is filled with <paramref name="fill"/>.</summary>
    public void Set(in Key key, byte fill, int length, long expiryMs = -1)
    {
        _ = Shard.TryGet(key, NowMs, cold: null, out var existing);
        Shard.Write(key, existing, new RecordSpec(key, RecordType.String, expiryMs), length).MutableValue.Fill(fill);
        Shard.Settle(0, NowMs);
    }

    /// <summary>GET, as read-through traffic does it.</summary>
    public bool Get(in Key key, out Record record)
    {
        if (!Shard.TryGet(key, NowMs, cold: null, out record))
        {
            return false;
        }

        Shard.Touch(key, record);
        return true;
    }

    /// <summary>What goes before a command that needs memory.</summary>
    /// <returns>False when the policy lets nothing go.</returns>
    public bool TryMakeRoom() => _guard.MakeRoom(NowMs) == Room.Made;

    /// <summary>DEL.</summary>
    public bool Delete(in Key key)
    {
        if (!Shard.TryGet(key, NowMs, cold: null, out var record))
        {
            return false;
        }

        Shard.Remove(key, record, TestChange.Any);
        Shard.Settle(0, NowMs);
        return true;
    }

    /// <summary>Counts everything again, and compares with the running counters.</summary>
    public void Audit()
    {
        Assert.That(ShardAudit.FirstFault(Shard, NowMs), Is.Null);
        var log = Shard.Log;
        var used = log.PageMemoryBytes + log.RetiredBytes + log.FreeFrameBytes + Shard.Index.SizeBytes
            + Shard.GhostBytes;
        Assert.That(Budget.UsedBytes, Is.EqualTo(used), "the budget");
    }

    public void Dispose()
    {
        _shards.Dispose();
        Keys.Dispose();
        _quiescence.Dispose();
    }
}
