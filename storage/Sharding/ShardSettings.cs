namespace Strata.Storage.Sharding;

/// <summary>What is fixed for all shards when they are made.</summary>
/// <param name="Shards">Number of shards, a power of two.</param>
/// <param name="PageBits">Page size of the record log as a power of two.</param>
/// <param name="IsShared">Whether more than one worker uses the shards.</param>
public readonly record struct ShardSettings(int Shards, int PageBits, bool IsShared)
{
    /// <summary>The page size that suits a memory limit: small enough that each shard has some 64 pages to choose
    /// from when it evicts, large where there is room.</summary>
    public static int PageBitsFor(long maxMemoryBytes, int shards)
    {
        if (maxMemoryBytes == 0)
        {
            return Limits.MaxPageBits;
        }

        var pageBytes = Math.Max(1, maxMemoryBytes / shards / 64);
        return Math.Clamp(System.Numerics.BitOperations.Log2((ulong)pageBytes), Limits.MinPageBits, Limits.MaxPageBits);
    }
}
