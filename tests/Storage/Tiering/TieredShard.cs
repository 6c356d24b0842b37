using System.Numerics;
using NUnit.Framework;
using Strata.Storage.Devices;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;
using Strata.Tests.Storage.Index;

namespace Strata.Tests.Storage.Tiering;

/// <summary>Shards on a tier, driven as a single worker does it: an operation that meets a record on the device waits
/// for it and is done again.</summary>
internal sealed unsafe class TieredShard : IDisposable, IColdReadWaiter
{
    // A read has ended after fewer turns, if it was begun.
    private const int WaitsOfReads = 200;

    private readonly Quiescence _quiescence = new(1);
    private readonly ShardMap _shards;
    private bool _hasRead;

    public TieredShard(IDevice device, long limitBytes, int shards = 1, int pageBits = 16, int throttleLimit = 16)
    {
        Budget = new MemoryBudget { LimitBytes = limitBytes };
        Tier = new Tier(device, BitOperations.Log2((ulong)device.SegmentBytes), workers: 1, throttleLimit);
        var settings = new ShardSettings(shards, pageBits, IsShared: false, UsesHugePages: false);
        _shards = new ShardMap(settings, Budget, _quiescence, Tier);
        Worker = new TierWorker(Tier, 0, Budget, worker: null, exception => Faults.Add(exception));
    }

    /// <summary>The errno of the last operation that failed.</summary>
    public int FailureErrno { get; private set; }

    public List<Exception> Faults { get; } = [];

    public MemoryBudget Budget { get; }

    public Tier Tier { get; }

    public TierWorker Worker { get; }

    public Shard Shard => _shards[0];

    public ShardMap Shards => _shards;

    public NativeKeys Keys { get; } = new();

    public long NowMs { get; set; } = 1_000_000;

    /// <summary>Whether operations look into collections: frozen ones are made large for them.</summary>
    public bool Thaws { get; set; } = true;

    /// <summary>Does something with a key as often as it takes until all it needs is at hand.</summary>
    /// <returns>Why it could not be done, if so; nothing was changed then.</returns>
    public ColdReadFailure Execute(in Key key, Action<Shard, Key, Record> action)
        => Execute(key, action, static (shard, key, record, action) => action(shard, key, record));

    /// <inheritdoc cref="Execute(in Key, Action{Shard, Key, Record})"/>
    public ColdReadFailure Execute<T>(in Key key, T state, Action<Shard, Key, Record, T> action)
    {
        var shard = _shards.Of(key.Hash);
        var set = Worker.RentSet();
        try
        {
            while (true)
            {
                set.ForgetFailure();
                var misses = set.Misses;
                var found = shard.Find(key, NowMs, set, out var record);
                if (set.Failure != ColdReadFailure.None)
                {
                    FailureErrno = set.FailureErrno;
                    return set.Failure;
                }

                if (Thaws && found == FindResult.Found && record.IsFrozen)
                {
                    set.Thaw(shard, key, record);
                }

                if (misses == set.Misses)
                {
                    if (found == FindResult.Expired)
                    {
                        _ = shard.TryGet(key, NowMs, set, out record);
                    }

                    if (!record.IsNull)
                    {
                        shard.Touch(key, record);
                    }

                    action(shard, key, record, state);
                    return ColdReadFailure.None;
                }

                _hasRead = false;
                if (set.TryStart(this))
                {
                    WaitForReads();
                }
            }
        }
        finally
        {
            set.End(NowMs);
            set.Return();
            Settle(shard);
        }
    }

    public void Settle(Shard shard)
    {
        shard.Settle(0, NowMs);
        Turn();
    }

    /// <summary>What a turn of the loop does besides commands.</summary>
    public void Turn()
    {
        Worker.Submit();
        Worker.Complete(NowMs);
        CheckFaults();
    }

    public void RunCycles()
    {
        foreach (var shard in _shards.All)
        {
            shard.RunCycle(0, NowMs, System.Diagnostics.Stopwatch.Frequency / 1000);
        }

        Turn();
    }

    /// <summary>Lets all requests end, and what follows from them.</summary>
    public void Quiesce()
    {
        for (var i = 0; i < 4 || Worker.InFlight + Worker.Tasks > 0; i++)
        {
            RunCycles();
            Worker.Complete(NowMs, least: 1);
        }
    }

    public void OnColdReads() => _hasRead = true;

    /// <summary>Counts again what can be counted without reading the device.</summary>
    public void Audit()
    {
        if (Worker.Tasks == 0)
        {
            Assert.That(Tier.Freezes, Is.Zero, "freezes under way");
        }

        foreach (var shard in _shards.All)
        {
            var device = shard.Log.Device!;
            var segments = device.Segments;
            long liveBytes = 0;
            for (var page = 1; page < shard.Log.PageTop; page++)
            {
                var info = shard.Log.Pages[page];
                if (info.Kind > PageKind.Pinned)
                {
                    liveBytes += info.LiveBytes;
                    Assert.That(info.LiveBytes > 0 || info.Kind == PageKind.Writing, "what holds nothing is gone");
                    Assert.That(segments.Of(device.Locate(page).Offset), Is.Not.Null, "a page's segment is in use");
                }
            }

            Assert.That(segments.LiveBytes, Is.EqualTo(liveBytes), "live bytes on the device");
            Assert.That(segments.UsedBytes, Is.GreaterThanOrEqualTo(liveBytes));
        }
    }

    public void Dispose()
    {
        Tier.Dispose();
        _shards.Dispose();
        Keys.Dispose();
        _quiescence.Dispose();
    }

    private void WaitForReads()
    {
        Worker.Submit();
        for (var waits = 0; !_hasRead; waits++)
        {
            // Time goes on for those who wait for memory, and for all others: no one does so for ever.
            NowMs += waits < WaitsOfReads ? 0 : 1;
            Worker.Complete(NowMs, least: 1);
            Worker.Submit();
        }

        CheckFaults();
    }

    private void CheckFaults()
    {
        if (Faults.Count > 0)
        {
            Assert.Fail(Faults[0].ToString());
        }
    }
}
