using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Records;

namespace Strata.Storage.Collections;

/// <summary>A store whose values may be collections.</summary>
public abstract class CollectionStore : RecordStore
{
    /// <inheritdoc/>
    private protected CollectionStore(
        int number,
        in ShardSettings settings,
        ShardMemory memory,
        MemoryBudget budget,
        Quiescence quiescence,
        int? segmentBits)
        : base(number, settings, memory, budget, quiescence, segmentBits)
    {
        Collections = new ShardCollections(this, budget, memory.Heap.Of(number));
        Share = new ShardShare(this, budget, settings.Shards);
    }

    /// <summary>What the collections need beside their records.</summary>
    public ShardCollections Collections { get; }

    /// <summary>The shard's part of the memory limit.</summary>
    internal ShardShare Share { get; }

    /// <inheritdoc/>
    internal override void Empty()
    {
        base.Empty();
        Collections.Clear();
    }

    /// <inheritdoc/>
    private protected override void FreeMemory() => Collections.Dispose();

    /// <inheritdoc/>
    private protected override unsafe void GiveUp(in Record large)
        => _ = Collections.Doom(large.Type, ShardCollections.RootOf(large));
}
