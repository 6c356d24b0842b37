using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>
/// A shard's part of the memory limit: where memory is short, a shard that holds less leaves making room to the others.
/// Huge collections are not counted: what one of them takes is taken from all, or its shard would give up all its other
/// keys for it, and then the collection.
/// </summary>
internal sealed class ShardShare(CollectionStore store, MemoryBudget budget, int shards)
{
    // Shards are never quite alike.
    private const int Parts = 8;

    /// <summary>The share, bytes; 0 where there is no limit.</summary>
    public long Bytes => budget.LimitBytes / shards;

    /// <summary>Whether the shard holds about its share or more, without huge values: for eviction.</summary>
    public bool IsHeld => Holds(store.Log.PageMemoryBytes - store.Log.HugeBytes);

    /// <summary>The same with huge values, of which a device takes one page like any other: for the tier.</summary>
    public bool IsHeldWithHugeValues => Holds(store.Log.PageMemoryBytes);

    private bool Holds(long pageBytes) => pageBytes + store.Index.SizeBytes + store.Collections.OrdinaryBytes
        >= Bytes / Parts * (Parts - 1);
}
