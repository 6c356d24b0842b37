namespace Strata.Storage.Records;

/// <summary>Counters of one shard, changed under its lease; any thread may read them.</summary>
public sealed class ShardStatistics
{
    private long _longestExpireCycleTicks;
    private long _longestEvictionTicks;

    /// <summary>Keys deleted because their time had come.</summary>
    public long ExpiredKeys { get; internal set; }

    /// <summary>Fields of hashes deleted because their time had come.</summary>
    public long ExpiredFields { get; internal set; }

    /// <summary>Keys deleted to stay within <c>maxmemory</c>.</summary>
    public long EvictedKeys { get; internal set; }

    /// <summary>Bytes of live records moved together by compaction.</summary>
    public long CompactedBytes { get; internal set; }

    /// <summary>Pages freed by compaction.</summary>
    public long CompactedPages { get; internal set; }

    /// <summary>Records the expiry cycle passed to find those that had expired.</summary>
    public long ExpiryWalkedRecords { get; internal set; }

    /// <summary>Time spent on deleting expired keys in the background, in <see cref="System.Diagnostics.Stopwatch"/>'s
    /// ticks.</summary>
    public long ExpireCycleTicks { get; private set; }

    /// <summary>How often that ended before all was done, because it took too long.</summary>
    public long ExpireCyclesCut { get; private set; }

    /// <summary>The longest that one expiry cycle and one round of eviction took since the last call, in the same unit.
    /// Called under the lease.</summary>
    public (long ExpireCycleTicks, long EvictionTicks) TakeLongest()
    {
        var longest = (_longestExpireCycleTicks, _longestEvictionTicks);
        _longestExpireCycleTicks = 0;
        _longestEvictionTicks = 0;
        return longest;
    }

    internal void CountExpireCycle(long ticks, bool isCut)
    {
        ExpireCyclesCut += isCut ? 1 : 0;
        ExpireCycleTicks += ticks;
        _longestExpireCycleTicks = Math.Max(_longestExpireCycleTicks, ticks);
    }

    internal void CountEviction(long ticks)
    {
        _longestEvictionTicks = Math.Max(_longestEvictionTicks, ticks);
    }
}
