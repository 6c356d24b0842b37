using Strata.Storage.Collections;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;
using Strata.Storage.Runtime;
using Strata.Storage.Tiering;

namespace Strata.Storage.Upkeep;

/// <summary>
/// Keeps a shard within its bounds: reclaims retired memory, compacts in step with what is written, evicts when memory
/// runs out, and in the background cycle expires keys and shrinks the index. Runs between commands under the lease.
/// </summary>
internal sealed class Maintenance
{
    // Compaction work per appended byte. At the threshold below a victim page is about five sixths live, so freeing
    // one byte takes walking six.
    private const int CompactedBytesPerAppended = 6;

    // Compaction after one command, a few milliseconds: what a huge one appended leaves no garbage in shared pages.
    private const int MaxPagesCompacted = 16;

    // Garbage allowed before compaction starts: a tenth of the live bytes, and two pages for small shards; one page
    // where memory is short, since what garbage holds cannot hold keys.
    private const int GarbageShare = 10;
    private const int GarbagePages = 2;

    // What is left of it where no more is made: a page may be compacted for little then, as that is done once.
    private const int IdleGarbageShare = 32;

    // None is made where for so long, ms, between no two slices of background work more than such a part of the live
    // bytes died.
    private const int IdleMs = 1000;
    private const int IdleDeathShare = 4096;

    // The least garbage, in sixteenths of a page, that compaction is worth; less when memory is short, least when
    // nothing else is to be had.
    private const int WorthwhileRank = 2;
    private const int LeastRank = 1;

    // Pages whose memory is given back in one go, which is a system call each.
    private const int ReclaimedAtOnce = 16;

    private const int IndexStepsAtOnce = 64;

    // The index shrinks when it is filled to less than a quarter of its best; where memory is short, to a half.
    private const int AmpleIndexParts = 4;
    private const int ScarceIndexParts = 2;

    // Steps a shard makes on its own account after a command.
    private const int MaxStepsAtOnce = 8;

    // A collection is huge that takes more than this part of its shard's share.
    private const int HugeCollectionShare = 4;

    private readonly TieredStore _store;
    private readonly MemoryBudget _budget;
    private readonly ShardSettings _settings;
    private readonly ShardShare _share;
    private readonly TimeProvider _clock;
    private readonly Compactor _compactor;
    private readonly ExpiryCycle _expiry;
    private readonly Evictor _evictor;
    private long _settledBytes;
    private long _cycledDeadBytes;
    private long _diedMs;
    private long _limitBytes;

    public Maintenance(TieredStore store, MemoryBudget budget, in ShardSettings settings)
    {
        _store = store;
        _budget = budget;
        _settings = settings;
        _share = store.Share;
        _clock = store.Clock;
        _compactor = new Compactor(store);
        _expiry = new ExpiryCycle(store);
        _evictor = new Evictor(store, _compactor);
        Follow();
    }

    public bool IsExpiryActive { get; set; } = true;

    /// <summary>Whether something was appended or retired since the last call of <see cref="Settle"/>.</summary>
    public bool IsDue => _store.Log.AppendedBytes != _settledBytes || _store.Log.HasRetired
        || _store.Collections.HasDoomed || _store.Tier is { HasEnded: true };

    /// <summary>What was given up and is not free yet, bytes.</summary>
    private long WaitingBytes
        => _store.Log.RetiredBytes + _store.Collections.DoomedBytes + _store.Collections.Heap.RetiredBytes;

    /// <summary>What was ever appended and lives no more, bytes: it grows as garbage is made, by whoever writes anew,
    /// deletes, or moves.</summary>
    private long DeadBytes => _store.Log.AppendedBytes - _store.Log.LiveBytes;

    private bool HasGarbage => _store.Log.GarbageBytes
        > Math.Max(_store.Log.LiveBytes / GarbageShare, (long)GarbagePages * _store.Log.PageBytes);

    private bool HasIdleGarbage => _store.Tier == null && _store.Log.GarbageBytes
        > Math.Max(_store.Log.LiveBytes / IdleGarbageShare, _store.Log.PageBytes);

    private bool HasScarceGarbage => _store.Log.GarbageBytes
        > Math.Max(_store.Log.LiveBytes / GarbageShare, _store.Log.PageBytes);

    /// <summary>Pays for what the last commands appended.</summary>
    public void Settle(int worker, long nowMs)
    {
        var log = _store.Log;
        log.Accesses.SetTime(nowMs);
        Follow();
        if (HasGarbage)
        {
            var bytes = (log.AppendedBytes - _settledBytes) * CompactedBytesPerAppended;
            _ = _compactor.Step(Math.Min(bytes, (long)log.PageBytes * MaxPagesCompacted), WorthwhileRank, nowMs);
        }

        _ = log.Reclaim(worker, ReclaimedAtOnce);
        _store.Collections.Settle();
        if (_store.Tier != null)
        {
            _store.Tier.Settle(worker, nowMs);
        }
        else if (_budget.LimitBytes != 0)
        {
            PayForRoom(worker, nowMs);
        }

        _settledBytes = log.AppendedBytes; // What maintenance itself appended is not charged to the next command.
    }

    /// <summary>Gives up about a page.</summary>
    /// <returns>False when the policy lets nothing go.</returns>
    public bool TryStep(int worker, long nowMs)
    {
        var started = _clock.GetTimestamp();
        var log = _store.Log;
        Follow();
        var isDone = log.TryTrim() || _store.Collections.Heap.TryTrim()
            || ShrinkIndex(ScarceIndexParts)
            || (HasScarceGarbage && _compactor.Step(log.PageBytes, WorthwhileRank, nowMs))
            || (_store.Tier == null ? _evictor.TryStep(nowMs) : _store.Tier.TryGiveUp(worker, nowMs))
            || _compactor.Step(log.PageBytes, LeastRank, nowMs)
            || TryCloseWithGarbage();
        _ = log.Reclaim(worker, int.MaxValue);
        _store.Statistics.CountEviction(_clock.GetTimestamp() - started);
        return isDone;
    }

    /// <summary>Frees some of what was given up.</summary>
    /// <returns>False when there is nothing that can be freed now.</returns>
    public bool TryFree(int worker)
    {
        var before = WaitingBytes;
        _ = _store.Log.Reclaim(worker, ReclaimedAtOnce);
        _ = _store.Collections.FreeSome(Limits.ElementsFreedPerCommand);
        return WaitingBytes < before;
    }

    /// <summary>Background work of the home worker.</summary>
    public void RunCycle(int worker, long nowMs, long budgetTicks)
    {
        var started = _clock.GetTimestamp();
        var deadline = new Deadline(_clock, started, budgetTicks);
        var log = _store.Log;
        log.Accesses.SetTime(nowMs);
        Follow();
        if (IsExpiryActive && !_store.ExpiryHold.Holds(nowMs))
        {
            _expiry.Run(nowMs, deadline);
            _store.Collections.Fields.Run(nowMs, deadline);
        }

        _store.Statistics.CountExpireCycle(_clock.GetTimestamp() - started, deadline.HasPassed);
        _store.Tier?.RunCycle(worker, nowMs);
        var isMore = true;
        while (isMore && _store.Tier == null && _budget.IsOver && _share.IsHeld && !deadline.HasPassed)
        {
            isMore = TryStep(worker, nowMs);
            _budget.Glide();
        }

        NoteDeaths(nowMs); // Those of keys that have just expired count, not those that compaction makes.
        isMore = true;
        while (isMore && HasGarbage && !deadline.HasPassed)
        {
            isMore = _compactor.Step(log.PageBytes, WorthwhileRank, nowMs);
        }

        isMore = nowMs - _diedMs >= IdleMs;
        while (isMore && HasIdleGarbage && !deadline.HasPassed)
        {
            isMore = _compactor.Step(log.PageBytes, LeastRank, nowMs);
        }

        do
        {
            isMore = log.Reclaim(worker, ReclaimedAtOnce) | ShrinkIndex(AmpleIndexParts);
            _ = _store.Collections.FreeSome(Limits.ElementsFreedPerCommand);
            isMore |= _store.Collections.HasDoomed;
        }
        while (isMore && !deadline.HasPassed);
        _settledBytes = log.AppendedBytes;
        _cycledDeadBytes = DeadBytes;
    }

    /// <summary>A page is being taken out of use by others than compaction.</summary>
    public void ForgetPosition(int page) => _compactor.Forget(page);

    /// <summary>Forgets all positions in pages: the shard is being emptied.</summary>
    public void Reset()
    {
        _compactor.Reset();
        _expiry.Reset();
    }

    /// <summary>Notes when it was last that more than a little became garbage. A clock that was set back begins anew.
    /// </summary>
    private void NoteDeaths(long nowMs)
    {
        if ((DeadBytes - _cycledDeadBytes) * IdleDeathShare > _store.Log.LiveBytes || nowMs < _diedMs)
        {
            _diedMs = nowMs;
        }
    }

    /// <summary>Follows a change of the policy, and one of the memory limit with the size of new pages.</summary>
    private void Follow()
    {
        _store.Placement.Adopt();
        var limit = _budget.LimitBytes;
        if (limit != _limitBytes)
        {
            _limitBytes = limit;
            _store.Log.SetPageBytes(_settings.PageBytesFor(limit));
            var huge = limit == 0 ? long.MaxValue : _share.Bytes / QueueBalance.LeastParts;
            _store.Log.SetHugeLimit(huge);
            _store.Placement.LargestOnProbation = huge;
            _store.Collections.Huge.LimitBytes =
                limit == 0 ? long.MaxValue : _share.Bytes / HugeCollectionShare;
        }
    }

    private void PayForRoom(int worker, long nowMs)
    {
        if (_store.Placement.Policy == EvictionPolicy.NoEviction || !_share.IsHeld)
        {
            return;
        }

        var log = _store.Log;
        if (log.IsNearlyFull && log.FreeFrameBytes == 0 && !log.HasRetired && _budget.WouldExceed(log.PageBytes))
        {
            // Empties a page before the next one is needed, which then has its memory at hand.
            _ = _evictor.TryStep(nowMs);
            _ = log.Reclaim(worker, ReclaimedAtOnce);
        }

        // The rest is left to those who make room next, who ask all shards.
        for (var step = 0; step < MaxStepsAtOnce && _budget.IsOverGlide && _share.IsHeld; step++)
        {
            _ = TryStep(worker, nowMs);
        }

        _budget.Glide();
    }

    /// <summary>Closes the open pages that hold garbage, so that it can be compacted.</summary>
    private bool TryCloseWithGarbage()
    {
        var log = _store.Log;
        foreach (var page in log.OpenPages)
        {
            if (page != 0 && log.Pages[page].GarbageBytes * GarbageRanking.Ranks > log.Pages[page].UsedBytes)
            {
                log.Seal(page);
                return true;
            }
        }

        return false;
    }

    /// <summary>Takes back some buckets of the index.</summary>
    /// <returns>False when there are none left to take.</returns>
    private bool ShrinkIndex(int parts)
    {
        for (var i = 0; i < IndexStepsAtOnce; i++)
        {
            if (!_store.Index.TryShrink(parts))
            {
                return false;
            }
        }

        return true;
    }
}
