using Strata.Storage.Census;
using Strata.Storage.Collections;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Storage.Tiering;

/// <summary>A store of which a part may be on a device. Of what keeps it within its bounds the tier knows no more than
/// the abstract members.</summary>
public abstract class TieredStore : CollectionStore
{
    /// <summary>An empty store.</summary>
    /// <param name="number">The shard's number.</param>
    /// <param name="settings">What is the same for all shards.</param>
    /// <param name="memory">What it has its part of.</param>
    /// <param name="budget">What its memory is charged to.</param>
    /// <param name="quiescence">When memory may be used again.</param>
    /// <param name="tier">Takes what does not fit into memory; null where there is none.</param>
    private protected TieredStore(
        int number,
        in ShardSettings settings,
        ShardMemory memory,
        MemoryBudget budget,
        Quiescence quiescence,
        Tier? tier)
        : base(number, settings, memory, budget, quiescence, tier?.SegmentBits)
    {
        Tier = tier == null ? null : new ShardTier(this, tier, budget);
        Census = new KeyCensus(this, settings.Shards) { ReadPage = Tier == null ? null : Tier.TryExpire };
    }

    /// <summary>What is known of some keys by name.</summary>
    public KeyCensus Census { get; }

    /// <summary>Whether commands may have to wait, for the device or for a collection to be made large. Any thread.
    /// </summary>
    public bool MakesWait => HasCold || Collections.Frozen > 0 || Collections.MayBeFrozen;

    /// <summary>The traffic with the device; null where all stays in memory.</summary>
    internal ShardTier? Tier { get; }

    /// <summary>Work that keeps the store within its bounds, a little at a time: frees retired memory, compacts,
    /// evicts. Called under the lease after commands, when no one on this worker holds a record.</summary>
    /// <param name="worker">Who calls; <see cref="Quiescence.Nobody"/> where that is not known, and what only a worker
    /// can do is left to the next.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public abstract void Settle(int worker, long nowMs);

    /// <summary>Settles, and gives the lease back whatever comes of that.</summary>
    internal void Release(int worker, long nowMs)
    {
        try
        {
            Settle(worker, nowMs);
        }
        finally
        {
            Lease.Release();
        }
    }

    /// <summary>A page is being taken out of use by others than compaction.</summary>
    internal abstract void ForgetPosition(int page);

    /// <inheritdoc/>
    internal override void Empty()
    {
        Tier?.Reset();
        base.Empty();
    }

    /// <inheritdoc/>
    internal override unsafe void OnMoved(in Record large, ulong address)
        => Tier?.OnMoved(ShardCollections.RootOf(large), address);
}
