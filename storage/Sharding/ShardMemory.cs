using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Sharding;

/// <summary>The address space that all shards share, each with stripes of its own: index buckets and pages of the
/// record log.</summary>
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
    }

    public StripedRegion Index { get; }

    public StripedRegion Log { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        Index.Dispose();
        Log.Dispose();
    }
}
