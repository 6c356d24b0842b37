namespace Strata.Storage.Sharding;

/// <summary>Counters of one shard, changed under its lease; any thread may read them.</summary>
public sealed class ShardStatistics
{
    /// <summary>Keys deleted because their time had come.</summary>
    public long ExpiredKeys { get; internal set; }

    /// <summary>Keys deleted to stay within <c>maxmemory</c>.</summary>
    public long EvictedKeys { get; internal set; }

    /// <summary>Bytes of live records moved together by compaction.</summary>
    public long CompactedBytes { get; internal set; }

    /// <summary>Pages freed by compaction.</summary>
    public long CompactedPages { get; internal set; }

    /// <summary>Sets all to zero (CONFIG RESETSTAT).</summary>
    public void Reset()
    {
        ExpiredKeys = 0;
        EvictedKeys = 0;
        CompactedBytes = 0;
        CompactedPages = 0;
    }
}
