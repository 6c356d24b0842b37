namespace Strata.Storage.Log;

/// <summary>What the lease holder knows of a page besides its bytes.</summary>
public struct PageInfo
{
    public PageKind Kind;

    /// <summary>Whether the page holds one record larger than ordinary pages take.</summary>
    public bool IsJumbo;

    /// <summary>Whether records are still appended.</summary>
    public bool IsOpen;

    /// <summary>Bytes from the page's start to its end of records.</summary>
    public long UsedBytes;

    /// <summary>Bytes of records the index still points to, slack not counted.</summary>
    public long LiveBytes;

    /// <summary>Memory charged for the page.</summary>
    public long FrameBytes;

    /// <summary>No record of the page expires before this (milliseconds since 1970).</summary>
    public long EarliestExpiryMs;

    /// <summary>First frame of the page in the shard's log region.</summary>
    public int Frame;

    /// <summary>Neighbours in the queue of the page's kind, oldest first; -1 at the ends.</summary>
    public int Previous;

    /// <inheritdoc cref="Previous"/>
    public int Next;
}
