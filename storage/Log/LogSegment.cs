namespace Strata.Storage.Log;

/// <summary>
/// A stretch of the device that a shard's pages are written to, one behind the other; found empty again, it is given
/// back as a whole. Changed under the shard's lease, except for the count of readers.
/// </summary>
internal sealed class LogSegment
{
    private int _readers;

    public LogSegment(int number, int span)
    {
        Number = number;
        Span = span;
    }

    /// <summary>Where it begins, in segments of the shard.</summary>
    public int Number { get; }

    /// <summary>How many segments it takes: more than one for a page that is larger.</summary>
    public int Span { get; }

    /// <summary>Bytes given to pages.</summary>
    public long UsedBytes { get; set; }

    /// <summary>Bytes of records the index points to.</summary>
    public long LiveBytes { get; set; }

    /// <summary>One of its pages; the others follow through <see cref="PageInfo.NextRanked"/>. 0 when there is none.
    /// </summary>
    public int FirstPage { get; private set; }

    /// <summary>Pages in it.</summary>
    public int PageCount { get; private set; }

    /// <summary>Whether pages are still added.</summary>
    public bool IsOpen { get; set; } = true;

    /// <summary>Whether something in it could not be read back: it is not compacted.</summary>
    public bool IsUnreadable { get; set; }

    /// <summary>How many checkpoints name it, or are about to: it stays on the device as it is.</summary>
    public int Holds { get; set; }

    /// <summary>Whether no page is in it any more.</summary>
    public bool IsRetired { get; set; }

    /// <summary>Since when no page is in it, as <see cref="Memory.Quiescence.Retire"/> counts.</summary>
    public long RetiredStamp { get; set; }

    /// <summary>Bytes of dead records and of what lies between records.</summary>
    public long GarbageBytes => UsedBytes - LiveBytes;

    /// <summary>Whether a read is under way.</summary>
    public bool HasReaders => Volatile.Read(ref _readers) != 0;

    /// <summary>Makes a segment that was removed from the device ready for use again.</summary>
    public void Reset()
    {
        UsedBytes = 0;
        LiveBytes = 0;
        IsOpen = true;
        IsUnreadable = false;
        IsRetired = false;
    }

    /// <summary>Adds a page, which must have no rank of garbage.</summary>
    public void Add(PageInfo[] pages, int page)
    {
        pages[page].NextRanked = FirstPage;
        pages[page].PreviousRanked = 0;
        if (FirstPage != 0)
        {
            pages[FirstPage].PreviousRanked = page;
        }

        FirstPage = page;
        PageCount++;
    }

    /// <summary>Takes a page out.</summary>
    public void Remove(PageInfo[] pages, int page)
    {
        ref var info = ref pages[page];
        if (info.PreviousRanked != 0)
        {
            pages[info.PreviousRanked].NextRanked = info.NextRanked;
        }
        else
        {
            FirstPage = info.NextRanked;
        }

        if (info.NextRanked != 0)
        {
            pages[info.NextRanked].PreviousRanked = info.PreviousRanked;
        }

        info.PreviousRanked = 0;
        info.NextRanked = 0;
        PageCount--;
    }

    /// <summary>Keeps the segment on the device until <see cref="Release"/>. Any thread that has said that it reads
    /// (<see cref="Memory.Quiescence"/>) when it found the segment in use.</summary>
    public void Retain() => Interlocked.Increment(ref _readers);

    /// <summary>Any thread.</summary>
    public void Release() => Interlocked.Decrement(ref _readers);
}
