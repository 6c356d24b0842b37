using Strata.Storage.Collections;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Storage.Tiering;

/// <summary>
/// Goes over a page that is about to leave memory: deletes what has expired, and moves what was read lately to the
/// main queue, as the eviction policies do (S3-FIFO; Yang et al., SOSP '23), but no more than half of the page, so
/// that memory is won. Large collections never leave by their page: what stands there is the address of their memory.
/// They are frozen, one record each at the young end of the log, which leaves memory in its turn: small ones at once,
/// some in each call, others step by step (<see cref="CollectionFreeze"/>). Those too long for a record stay.
/// </summary>
internal sealed unsafe class PageRescue
{
    private const int LargestShare = 2;

    private readonly TieredStore _store;
    private readonly Tier _tier;
    private readonly CollectionFreeze _freeze;
    private readonly PageScan _scan = new();
    private long _quotaBytes;
    private bool _keptLarge;
    private long _effort;

    public PageRescue(TieredStore store, Tier tier, CollectionFreeze freeze)
    {
        _store = store;
        _tier = tier;
        _freeze = freeze;
    }

    /// <summary>Whether collections were frozen since <see cref="Begin"/>.</summary>
    public bool HasFrozen => _effort > 0;

    /// <summary>Allows for as much work as a call may take.</summary>
    public void Begin() => _effort = 0;

    /// <summary>Goes over a page.</summary>
    public RescueResult Run(TierWorker worker, int page, long nowMs)
    {
        var log = _store.Log;
        log.Seal(page);
        var isJumbo = log.Pages[page].IsJumbo;
        _keptLarge = false;
        if (log.Pages[page].LiveBytes > 0 && !TryGoOver(worker, page, isJumbo, nowMs))
        {
            return RescueResult.Later;
        }

        if (isJumbo)
        {
            // A page of one record goes with its record.
            return log.Pages[page].Kind == PageKind.Free ? Emptied : RescueResult.ToWrite;
        }

        if (log.Pages[page].LiveBytes == 0)
        {
            log.RetirePage(page);
            return Emptied;
        }

        return RescueResult.ToWrite;
    }

    // A page that only moved about wins nothing: going on might go round for ever.
    private RescueResult Emptied => _keptLarge ? RescueResult.Later : RescueResult.Gone;

    /// <summary>Deals with the live records of a page.</summary>
    /// <returns>False when large collections are left for later.</returns>
    private bool TryGoOver(TierWorker worker, int page, bool isJumbo, long nowMs)
    {
        var log = _store.Log;
        var kind = log.Pages[page].Kind;
        long offset = 0;
        _ = _scan.Read(_store, page, ref offset);
        _quotaBytes = isJumbo ? 0 : log.Pages[page].UsedBytes / LargestShare;
        var isWhole = true;
        foreach (ref readonly var scanned in _scan.Records)
        {
            var record = log.Open(scanned.Address);
            _store.Collections.Huge.Note(record);
            if (_store.ExpiryHold.IsDue(record, nowMs))
            {
                _store.Expire(scanned.Hash, _store.FindSlot(scanned.Hash, scanned.Address), record);
            }
            else if (!TryKeepRead(scanned, record, kind) && record.IsLarge)
            {
                isWhole &= TryFreeze(worker, scanned, record, kind);
            }
        }

        return isWhole;
    }

    /// <summary>Moves a record that was read lately to the main queue, if there is room for it.</summary>
    /// <returns>False where there is none, or it was not read: it goes as any other.</returns>
    private bool TryKeepRead(in ScannedRecord scanned, in Record record, PageKind kind)
    {
        var bytes = record.LiveBytes;
        if (scanned.Frequency == 0 || bytes > _quotaBytes || !TryMoveToMain(scanned, record, kind))
        {
            return false;
        }

        _quotaBytes -= bytes;
        return true;
    }

    /// <summary>Freezes a collection; one that is too long moves to the main queue.</summary>
    /// <returns>False when it has to wait, or takes several steps.</returns>
    private bool TryFreeze(TierWorker worker, in ScannedRecord scanned, in Record record, PageKind kind)
    {
        var packedBytes = ShardCollections.PackedBytesOf(record);
        if (packedBytes > Limits.MaxValueBytes)
        {
            return TryKeep(scanned, record, kind);
        }

        if (_freeze.IsUnderWay || _effort >= _tier.StepEffort)
        {
            return false;
        }

        try
        {
            return Freeze(worker, scanned, record, packedBytes);
        }
        catch (MemoryExhaustedException)
        {
            return TryKeep(scanned, record, kind); // The address space has no stretch as long as the packed value.
        }
    }

    /// <returns>False when it takes several steps.</returns>
    private bool Freeze(TierWorker worker, in ScannedRecord scanned, in Record record, long packedBytes)
    {
        var effort = ShardCollections.EffortFor(record, packedBytes);
        if (effort > _tier.StepEffort && _store.Log.HasPageOfItsOwn(packedBytes))
        {
            _freeze.Begin(worker, scanned, record, (int)packedBytes);
            return false;
        }

        var key = record.KeyWith(scanned.Hash);
        _store.Collections.Freeze(key, record);
        _effort += effort;
        return true;
    }

    /// <returns>False when there is no room for its record.</returns>
    private bool TryKeep(in ScannedRecord scanned, in Record record, PageKind kind)
    {
        _keptLarge = true;
        return TryMoveToMain(scanned, record, kind);
    }

    private bool TryMoveToMain(in ScannedRecord scanned, in Record record, PageKind kind)
    {
        var slot = _store.FindSlot(scanned.Hash, scanned.Address);
        return _store.TryRelocate(slot, record, PageKind.Main, RecordPlacement.AgedByRound(scanned.Frequency, kind));
    }
}
