using Strata.Storage.Runtime;

namespace Strata.Storage.Records;

/// <summary>What is fixed for all shards when they are made.</summary>
/// <param name="Shards">Number of shards, a power of two.</param>
/// <param name="PageBits">Largest page of the record log as a power of two.</param>
/// <param name="IsShared">Whether more than one worker uses the shards.</param>
/// <param name="UsesHugePages">Whether the kernel may be asked for huge pages.</param>
/// <param name="Platform">Where clock and random numbers come from; null for the machine's.</param>
public readonly record struct ShardSettings(
    int Shards, int PageBits, bool IsShared, bool UsesHugePages = true, Platform? Platform = null)
{
    /// <summary>The page size that suits a memory limit, bytes: small enough that a shard has
    /// <see cref="Limits.PagesPerShard"/> pages, large where there is room.</summary>
    public int PageBytesFor(long limitBytes)
    {
        var largest = 1L << PageBits;
        if (limitBytes == 0)
        {
            return (int)largest;
        }

        var pageBytes = limitBytes / Shards / Limits.PagesPerShard & -Limits.MinPageBytes;
        return (int)Math.Clamp(pageBytes, Limits.MinPageBytes, largest);
    }
}
