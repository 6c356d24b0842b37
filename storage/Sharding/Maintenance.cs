using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;

namespace Strata.Storage.Sharding;

/// <summary>
/// Keeps a shard within its bounds: reclaims retired memory, compacts in step with what is written, evicts when memory
/// runs out, and in the background cycle expires keys and shrinks the index. Runs between commands under the lease.
/// </summary>
internal sealed class Maintenance : IDisposable
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

    private readonly Shard _shard;
    private readonly MemoryBudget _budget;
    private readonly ShardSettings _settings;
    private readonly ShardShare _share;
    private readonly TimeProvider _clock;
    private readonly Compactor _compactor;
    private readonly ExpiryCycle _expiry;
    private long _settledBytes;
    private long _limitBytes;

    public Maintenance(Shard shard, MemoryBudget budget, ShardSettings settings, ShardShare share)
    {
        _shard = shard;
        _budget = budget;
        _settings = settings;
        _share = share;
        _clock = shard.Clock;
        _compactor = new Compactor(shard);
        _expiry = new ExpiryCycle(shard);
        Evictor = new Evictor(shard, budget, _compactor);
        FitPages();
    }

    public Evictor Evictor { get; }

    public bool IsExpiryActive { get; set; } = true;

    /// <summary>Whether something was appended or retired since the last call of <see cref="Settle"/>.</summary>
    public bool IsDue => _shard.Log.AppendedBytes != _settledBytes || _shard.Log.HasRetired
        || _shard.Collections.HasDoomed || _shard.Tier is { HasEnded: true };

    private bool HasGarbage => _shard.Log.GarbageBytes
        > Math.Max(_shard.Log.LiveBytes / GarbageShare, (long)GarbagePages * _shard.Log.PageBytes);

    private bool HasScarceGarbage => _shard.Log.GarbageBytes
        > Math.Max(_shard.Log.LiveBytes / GarbageShare, _shard.Log.PageBytes);

    /// <summary>Pays for what the last commands appended.</summary>
    public void Settle(int worker, long nowMs)
    {
        var log = _shard.Log;
        log.AccessClock = AccessClock.At(nowMs);
        FitPages();
        if (HasGarbage)
        {
            var bytes = (log.AppendedBytes - _settledBytes) * CompactedBytesPerAppended;
            _ = _compactor.Step(Math.Min(bytes, (long)log.PageBytes * MaxPagesCompacted), WorthwhileRank, nowMs);
        }

        _ = log.Reclaim(worker, ReclaimedAtOnce);
        _shard.Collections.Settle();
        if (_shard.Tier != null)
        {
            _shard.Tier.Settle(worker, nowMs);
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
        var log = _shard.Log;
        FitPages();
        var isDone = log.TryTrim() || _shard.Collections.Heap.TryTrim()
            || ShrinkIndex(ScarceIndexParts)
            || (HasScarceGarbage && _compactor.Step(log.PageBytes, WorthwhileRank, nowMs))
            || (_shard.Tier == null ? Evictor.TryStep(nowMs) : _shard.Tier.TryGiveUp(worker, nowMs))
            || _compactor.Step(log.PageBytes, LeastRank, nowMs)
            || TryCloseWithGarbage();
        _ = log.Reclaim(worker, int.MaxValue);
        _shard.Statistics.CountEviction(_clock.GetTimestamp() - started);
        return isDone;
    }

    /// <summary>Background work of the home worker.</summary>
    public void RunCycle(int worker, long nowMs, long budgetTicks)
    {
        var started = _clock.GetTimestamp();
        var deadline = new Deadline(_clock, started, budgetTicks);
        var log = _shard.Log;
        log.AccessClock = AccessClock.At(nowMs);
        FitPages();
        if (IsExpiryActive)
        {
            _expiry.Run(nowMs, deadline);
            _shard.Collections.Fields.Run(nowMs, deadline);
        }

        _shard.Statistics.CountExpireCycle(_clock.GetTimestamp() - started);
        _shard.Tier?.RunCycle(worker, nowMs);
        var isMore = true;
        while (isMore && _shard.Tier == null && _budget.IsOver && _share.IsHeld && !deadline.HasPassed)
        {
            isMore = TryStep(worker, nowMs);
            _budget.Glide();
        }

        isMore = true;
        while (isMore && HasGarbage && !deadline.HasPassed)
        {
            isMore = _compactor.Step(log.PageBytes, WorthwhileRank, nowMs);
        }

        do
        {
            isMore = log.Reclaim(worker, ReclaimedAtOnce) | ShrinkIndex(AmpleIndexParts);
            _ = _shard.Collections.FreeSome(Limits.ElementsFreedPerCommand);
            isMore |= _shard.Collections.HasDoomed;
        }
        while (isMore && !deadline.HasPassed);
        _settledBytes = log.AppendedBytes;
    }

    /// <summary>A page is being taken out of use by others than compaction.</summary>
    public void ForgetPosition(int page) => _compactor.Forget(page);

    /// <summary>Forgets all positions in pages, and all history: the shard is being emptied.</summary>
    public void Reset()
    {
        _compactor.Reset();
        _expiry.Reset();
        Evictor.Reset();
        _shard.Tier?.Reset();
    }

    /// <inheritdoc/>
    public void Dispose() => Evictor.Dispose();

    /// <summary>Follows a change of the memory limit with the size of new pages.</summary>
    private void FitPages()
    {
        var limit = _budget.LimitBytes;
        if (limit != _limitBytes)
        {
            _limitBytes = limit;
            _shard.Log.SetPageBytes(_settings.PageBytesFor(limit));
            var huge = limit == 0 ? long.MaxValue : _share.Bytes / QueueEviction.ProbationShare;
            _shard.Log.SetHugeLimit(huge);
            Evictor.LargestOnProbation = huge;
            _shard.Collections.Huge.LimitBytes =
                limit == 0 ? long.MaxValue : _share.Bytes / HugeCollectionShare;
        }
    }

    private void PayForRoom(int worker, long nowMs)
    {
        if (Evictor.Policy == EvictionPolicy.NoEviction || !_share.IsHeld)
        {
            return;
        }

        var log = _shard.Log;
        if (log.IsNearlyFull && log.FreeFrameBytes == 0 && !log.HasRetired && _budget.WouldExceed(log.PageBytes))
        {
            // Empties a page before the next one is needed, which then has its memory at hand.
            _ = Evictor.TryStep(nowMs);
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
        var log = _shard.Log;
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
            if (!_shard.Index.TryShrink(parts))
            {
                return false;
            }
        }

        return true;
    }
}
