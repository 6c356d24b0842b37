using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Sharding;

/// <summary>Gives up keys as the policy says, about a page's worth at a time, and says which queue records belong to
/// under it.</summary>
internal sealed class Evictor : IDisposable
{
    private readonly Shard _shard;
    private readonly QueueEviction _queues;
    private readonly RandomEviction _random;
    private readonly SoonestExpiryEviction _soonest;

    public Evictor(Shard shard, MemoryBudget budget, Compactor compactor)
    {
        _shard = shard;
        _queues = new QueueEviction(shard, budget, compactor);
        _random = new RandomEviction(shard, compactor);
        _soonest = new SoonestExpiryEviction(shard);
    }

    public EvictionPolicy Policy
    {
        get;
        set
        {
            field = value;
            _shard.Log.CountsReads = CountsReads(value); // A tier has its say when the shard settles next.
        }
    }

    /// <summary>Whether reads decide what a policy evicts.</summary>
    public static bool CountsReads(EvictionPolicy policy) => policy
        is EvictionPolicy.AllKeysLru or EvictionPolicy.AllKeysLfu
        or EvictionPolicy.VolatileLru or EvictionPolicy.VolatileLfu;

    /// <summary>Bytes charged to the budget.</summary>
    public long SizeBytes => _queues.GhostBytes;

    private bool IsVolatile => Policy >= EvictionPolicy.VolatileLru;

    /// <summary>A value larger than this would fill the small queue alone and never prove itself there.</summary>
    public long LargestOnProbation { get; set; } = long.MaxValue;

    /// <summary>The queue of a new key.</summary>
    public PageKind PlaceNew(ulong hash, bool hasExpiry, long valueLength)
        => Policy == EvictionPolicy.NoEviction ? PageKind.Probation
            : IsVolatile && !hasExpiry ? PageKind.Pinned
            : CountsReads(Policy) && (_queues.WasEvicted(hash) || valueLength > LargestOnProbation) ? PageKind.Main
            : PageKind.Probation;

    /// <summary>The frequency a new key starts with. What is too large for the small queue is taken for read often at
    /// first: evicting the many small ones it displaces takes several rounds, in the first of which it would go.
    /// </summary>
    public int FirstFrequency(long valueLength) => valueLength > LargestOnProbation ? IndexEntry.MaxFrequency : 0;

    /// <summary>The queue of a record that is written anew, or moved, from a page of <paramref name="kind"/>.</summary>
    public PageKind PlaceAgain(PageKind kind, bool hasExpiry)
        => IsVolatile && !hasExpiry ? PageKind.Pinned
            : kind == PageKind.Pinned ? PageKind.Main
            : kind > PageKind.Pinned ? PageKind.Probation // What is on its way out of memory begins anew.
            : kind;

    /// <summary>Makes a step: evicts something, or sorts what it may evict from what it may not.</summary>
    /// <returns>False when the policy lets nothing go.</returns>
    public bool TryStep(long nowMs)
    {
        if (Policy == EvictionPolicy.NoEviction || _shard.Index.Count == 0
            || (IsVolatile && _shard.Databases.TotalExpires == 0))
        {
            return false;
        }

        switch (Policy)
        {
            case EvictionPolicy.VolatileTtl:
                _soonest.Step(nowMs);
                break;
            case EvictionPolicy.AllKeysRandom or EvictionPolicy.VolatileRandom:
                _random.Step(IsVolatile, nowMs);
                break;
            default:
                var isLfu = Policy is EvictionPolicy.AllKeysLfu or EvictionPolicy.VolatileLfu;
                _queues.Step(IsVolatile, isLfu, nowMs);
                break;
        }

        return true;
    }

    /// <summary>Deals with a record in which the eviction policy has no say: deletes one whose time has come; keeps,
    /// under a volatile policy, one that does not expire.</summary>
    /// <returns>False when the policy judges it: nothing was done.</returns>
    public static unsafe bool TryExempt(
        Shard shard, in ScannedRecord scanned, ulong* slot, in Record record, bool isVolatile, long nowMs)
    {
        if (record.IsExpired(nowMs))
        {
            shard.Expire(scanned.Hash, slot, record);
            return true;
        }

        if (isVolatile && !record.HasExpiry)
        {
            shard.Relocate(slot, record, PageKind.Pinned, scanned.Frequency);
            return true;
        }

        return false;
    }

    /// <summary>Forgets the past: the shard is being emptied.</summary>
    public void Reset() => _queues.Reset();

    /// <inheritdoc/>
    public void Dispose() => _queues.Dispose();
}
