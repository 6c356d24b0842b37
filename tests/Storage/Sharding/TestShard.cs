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
        _ = Shard.TryGet(key, NowMs, out var existing);
        Shard.Write(key, existing, new RecordSpec(key, RecordType.String, expiryMs), length).MutableValue.Fill(fill);
        Shard.Settle(0, NowMs);
    }

    /// <summary>GET, as read-through traffic does it.</summary>
    public bool Get(in Key key, out Record record)
    {
        if (!Shard.TryGet(key, NowMs, out record))
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
        if (!Shard.TryGet(key, NowMs, out var record))
        {
            return false;
        }

        Shard.Remove(key, record, TestChange.Any);
        Shard.Settle(0, NowMs);
        return true;
    }

    /// <summary>Counts everything again by walking pages and buckets, and compares with the running counters.</summary>
    public void Audit()
    {
        var live = 0L;
        var garbage = 0L;
        var memory = 0L;
        var records = 0L;
        var expires = 0L;
        var timeLeftMs = new long[Strata.Storage.Limits.MaxDatabases];
        var log = Shard.Log;
        for (var page = 1; page < log.PageTop; page++)
        {
            var info = log.Pages[page];
            if (info.Kind == PageKind.Free)
            {
                continue;
            }

            var livePage = 0L;
            var expiring = 0;
            long offset = 0;
            while (log.TryWalk(page, ref offset, out var record))
            {
                var hash = record.ComputeHash();
                var isLive = Shard.FindSlot(hash, record.Address) != null;
                Assert.That(record.IsDead, Is.Not.EqualTo(isLive), "the dead are marked");
                if (isLive)
                {
                    expiring += record.HasExpiry ? 1 : 0;
                    timeLeftMs[record.Database] += record.HasExpiry ? record.ExpiryMs - NowMs : 0;
                    livePage += record.LiveBytes;
                    records++;
                    Assert.That(record.HasExpiry && record.ExpiryMs < info.EarliestExpiryMs, Is.False, "expiry bound");
                }
            }

            Assert.That(offset, Is.EqualTo(info.UsedBytes), "records fill the page's used part");
            Assert.That(info.UsedBytes, Is.LessThanOrEqualTo(info.FrameBytes));
            Assert.That(livePage, Is.EqualTo(info.LiveBytes), "live bytes of a page");
            Assert.That(expiring, Is.EqualTo(info.ExpiringRecords), "expiring records of a page");
            Assert.That(info.Kind == PageKind.Pinned && expiring > 0, Is.False, "what is pinned does not expire");
            live += livePage;
            garbage += info.UsedBytes - RecordHeader.Alignment - livePage;
            memory += info.FrameBytes;
            expires += expiring;
        }

        Assert.That(records, Is.EqualTo(Shard.Index.Count), "records the index points to");
        Assert.That(Shard.Databases.TotalExpires, Is.EqualTo(expires), "records with an expiry");
        for (var database = 0; database < timeLeftMs.Length; database++)
        {
            Assert.That(Shard.Databases.TimeLeftMs((byte)database, NowMs), Is.EqualTo(timeLeftMs[database]));
        }

        Assert.That(log.LiveBytes, Is.EqualTo(live), nameof(log.LiveBytes));
        Assert.That(log.GarbageBytes, Is.EqualTo(garbage), nameof(log.GarbageBytes));
        Assert.That(log.PageMemoryBytes, Is.EqualTo(memory), nameof(log.PageMemoryBytes));
        var used = memory + log.RetiredBytes + log.FreeFrameBytes + Shard.Index.SizeBytes + Shard.GhostBytes;
        Assert.That(Budget.UsedBytes, Is.EqualTo(used), "the budget");
    }

    public void Dispose()
    {
        _shards.Dispose();
        Keys.Dispose();
        _quiescence.Dispose();
    }
}
