using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Records;

/// <summary>The address space that all shards share, each with stripes of its own: index buckets, pages of the record
/// log, slabs of large collections.</summary>
public sealed class ShardMemory : IDisposable
{
    /// <summary>Reserves it; no memory is taken.</summary>
    /// <exception cref="MemoryExhaustedException">The address space is not to be had.</exception>
    public ShardMemory(ShardSettings settings)
    {
        Index = new StripedRegion(
            Limits.IndexReserveBytes, settings.Shards, HashIndex.StripeBits, settings.UsesHugePages);
        Index.UseHugePages(true);
        Log = new StripedRegion(Limits.LogReserveBytes, settings.Shards, settings.PageBits, settings.UsesHugePages);

        // One collection grows in one shard alone: of a huge page it would use its own stripes only.
        Heap = new StripedRegion(
            Limits.HeapReserveBytes, settings.Shards, SlabHeap.SlabBits, mayUseHugePages: false);
        Heap.UseHugePages(false);
    }

    public StripedRegion Index { get; }

    public StripedRegion Log { get; }

    public StripedRegion Heap { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        Index.Dispose();
        Log.Dispose();
        Heap.Dispose();
    }
}
