namespace Strata.Storage.Log;

/// <summary>What the lease holder knows of a page besides its bytes.</summary>
public struct PageInfo
{
    public PageKind Kind;

    /// <summary>Whether the page holds one record larger than ordinary pages take.</summary>
    public bool IsJumbo;

    /// <summary>Whether its record is so large that it is not held against its shard's share of memory.</summary>
    public bool IsHuge;

    /// <summary>Whether records are still appended.</summary>
    public bool IsOpen;

    /// <summary>The database all records of the page belong to, in a log that goes to a device; 0 in others.</summary>
    public byte Database;

    /// <summary>Sixteenths of the page that are garbage, as <see cref="GarbageRanking"/> last saw it; 0 is not ranked.
    /// </summary>
    public byte GarbageRank;

    /// <summary>Live records that have an expiry.</summary>
    public int ExpiringRecords;

    /// <summary>Bytes from the page's start to its end of records.</summary>
    public long UsedBytes;

    /// <summary>Bytes of records the index still points to, slack not counted.</summary>
    public long LiveBytes;

    /// <summary>When no more than this is live, the page goes to the next rank of garbage.</summary>
    public long RankDropsAtBytes;

    /// <summary>Memory charged for the page: what of its frame may be used.</summary>
    public long FrameBytes;

    /// <summary>Bytes of the page's place in the address space; more than <see cref="FrameBytes"/> where only the first
    /// are kept in memory while the page is written.</summary>
    public long PlaceBytes;

    /// <summary>No record of the page expires before this (milliseconds since 1970).</summary>
    public long EarliestExpiryMs;

    /// <summary>When a walk of the page will find enough expired records to be worth it.</summary>
    public long ExpiryDueMs;

    /// <summary>First frame of the page in the shard's log region.</summary>
    public int Frame;

    /// <summary>Neighbours in the queue of the page's kind, oldest first; -1 at the ends.</summary>
    public int Previous;

    /// <inheritdoc cref="Previous"/>
    public int Next;

    /// <summary>Neighbours among the pages of the same rank of garbage or, of pages that have a place on the device,
    /// of the same segment; 0 at the ends.</summary>
    public int PreviousRanked;

    /// <inheritdoc cref="PreviousRanked"/>
    public int NextRanked;

    /// <summary>Bytes of dead records and slack.</summary>
    public readonly long GarbageBytes => UsedBytes - RecordLog.FirstOffset - LiveBytes;
}
