using Strata.Storage.Collections;
using Strata.Storage.Log;
using Strata.Storage.Records;

namespace Strata.Storage.Upkeep;

/// <summary>Gives up keys as the policy says, about a page's worth at a time.</summary>
internal sealed class Evictor
{
    private readonly CollectionStore _store;
    private readonly QueueEviction _queues;
    private readonly RandomEviction _random;
    private readonly SoonestExpiryEviction _soonest;

    public Evictor(CollectionStore store, Compactor compactor)
    {
        _store = store;
        _queues = new QueueEviction(store, compactor);
        _random = new RandomEviction(store, compactor);
        _soonest = new SoonestExpiryEviction(store);
    }

    private RecordPlacement Placement => _store.Placement;

    /// <summary>Makes a step: evicts something, or sorts what it may evict from what it may not.</summary>
    /// <returns>False when the policy lets nothing go, or not now.</returns>
    public bool TryStep(long nowMs)
    {
        if (Placement.Policy == EvictionPolicy.NoEviction || _store.Index.Count == 0 || _store.ExpiryHold.Holds(nowMs)
            || (Placement.IsVolatile && _store.Databases.TotalExpires == 0))
        {
            return false;
        }

        switch (Placement.Policy)
        {
            case EvictionPolicy.VolatileTtl:
                _soonest.Step(nowMs);
                break;
            case EvictionPolicy.AllKeysRandom or EvictionPolicy.VolatileRandom:
                _random.Step(Placement.IsVolatile, nowMs);
                break;
            default:
                var isLfu = Placement.Policy is EvictionPolicy.AllKeysLfu or EvictionPolicy.VolatileLfu;
                _queues.Step(Placement.IsVolatile, isLfu, nowMs);
                break;
        }

        return true;
    }

    /// <summary>Deals with a record in which the eviction policy has no say: deletes one whose time has come; keeps,
    /// under a volatile policy, one that does not expire.</summary>
    /// <returns>False when the policy judges it: nothing was done.</returns>
    public static unsafe bool TryExempt(
        RecordStore store, in ScannedRecord scanned, ulong* slot, in Record record, bool isVolatile, long nowMs)
    {
        if (store.ExpiryHold.IsDue(record, nowMs))
        {
            store.Expire(scanned.Hash, slot, record);
            return true;
        }

        if (isVolatile && !record.HasExpiry)
        {
            _ = store.TryRelocate(slot, record, PageKind.Pinned, scanned.Frequency); // Else it stays where it is.
            return true;
        }

        return false;
    }

    /// <summary>Takes a page out of use that was gone over. One that still holds what must not be evicted, for there
    /// was no room to move it, is kept.</summary>
    public static void Leave(RecordLog log, int page)
    {
        if (log.Pages[page].LiveBytes == 0)
        {
            log.RetirePage(page);
        }
        else
        {
            log.Requeue(page, PageKind.Pinned);
        }
    }
}
