using System.Runtime.CompilerServices;

namespace Strata.Storage.Log;

/// <summary>
/// The pages of a log that have a place on the device. A page is written whole (<see cref="PageKind.Writing"/>), is
/// then in both places (<see cref="PageKind.Clean"/>), and at last on the device alone (<see cref="PageKind.Cold"/>);
/// it keeps its number all the while, so that the index need not be touched. When its last record is forgotten it is
/// gone. Changed under the shard's lease; <see cref="Locate"/> may be called without.
/// </summary>
internal sealed unsafe class DevicePages
{
    private readonly RecordLog _log;
    private readonly PageTable _table;
    private readonly PageFrames _frames;

    public DevicePages(RecordLog log, PageTable table, PageFrames frames, LogSegments segments)
    {
        _log = log;
        _table = table;
        _frames = frames;
        Segments = segments;
    }

    public LogSegments Segments { get; }

    /// <summary>Pages that are on the device alone.</summary>
    public int ColdPages { get; private set; }

    /// <summary>Memory of the pages that are being written.</summary>
    public long WritingBytes => _table.Queue(PageKind.Writing).FrameBytes;

    /// <summary>Memory of the pages that are in both places.</summary>
    public long CleanBytes => _table.Queue(PageKind.Clean).FrameBytes;

    /// <summary>The page that was written longest ago and is still in memory, or -1.</summary>
    public int OldestClean => _table.Queue(PageKind.Clean).Oldest;

    /// <summary>Where a page lies on the device. Without the lease, what it says holds only if the shard did not change
    /// meanwhile.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public PageImage Locate(int page)
    {
        ref readonly var place = ref _table.DevicePlaces[page];
        return new PageImage(page, place.Generation, place.Offset, place.UsedBytes, place.HeadChecksum);
    }

    /// <summary>How often a page's number was used before.</summary>
    public long GenerationOf(int page) => _table.DevicePlaces[page].Generation;

    /// <summary>Describes a page that is whole on the device, as it is now.</summary>
    public KeptPage Describe(int page)
    {
        ref readonly var info = ref _table.Info[page];
        ref readonly var place = ref _table.DevicePlaces[page];
        return new KeptPage(
            page,
            info.Database,
            info.IsJumbo,
            place.HeadChecksum,
            place.Generation,
            place.Offset,
            place.UsedBytes,
            info.LiveBytes,
            info.ExpiringRecords,
            info.EarliestExpiryMs);
    }

    /// <summary>Takes up a page that was kept on the device, in a log that holds nothing else yet.</summary>
    /// <returns>False where there can be no such page.</returns>
    public bool TryRestore(in KeptPage kept)
    {
        var isPossible = kept.UsedBytes > RecordLog.FirstOffset
            && kept.LiveBytes > 0 && kept.LiveBytes <= kept.UsedBytes
            && kept.ExpiringRecords >= 0 && kept.Generation >= 0
            && (kept.IsJumbo || kept.UsedBytes <= _log.LongestPage)
            && Segments.CanHold(kept.Offset, kept.UsedBytes);
        if (!isPossible || !_table.TryRestore(kept))
        {
            return false;
        }

        Segments.Restore(_table.Info, kept.Page, kept.Offset, PageImage.DeviceBytesFor(kept.UsedBytes));
        CountCold(1);
        return true;
    }

    /// <summary>All that was kept is there.</summary>
    /// <param name="firstGeneration">A generation above all that were used before.</param>
    public void EndRestore(long firstGeneration)
    {
        _table.EndRestore(firstGeneration);
        Segments.EndRestore();
    }

    /// <summary>Finds a closed page a place on the device.</summary>
    public PageImage BeginWrite(int page)
    {
        ref var info = ref _table.Info[page];
        _table.Unrank(page);
        ref var place = ref _table.DevicePlaces[page];
        place.Offset = Segments.Allocate(_table.Info, page, PageImage.DeviceBytesFor(info.UsedBytes));
        place.UsedBytes = info.UsedBytes;
        place.HeadChecksum = 0;
        _table.Requeue(page, PageKind.Writing);
        return Locate(page);
    }

    /// <summary>A page of one record is being written, of which the start alone can be read then.</summary>
    public void NoteHead(int page, uint checksum) => _table.DevicePlaces[page].HeadChecksum = checksum;

    /// <summary>A page was written.</summary>
    public void EndWrite(int page)
    {
        _table.Requeue(page, PageKind.Clean);
        if (_table.Info[page].LiveBytes == 0)
        {
            Remove(page);
        }
    }

    /// <summary>A page was not written: it has no place on the device any more.</summary>
    public void FailWrite(int page)
    {
        Segments.Release(_table.Info, page, _table.DevicePlaces[page].Offset);
        _table.Requeue(page, PageKind.Probation);
        _table.Close(page);
    }

    /// <summary>Gives up the memory of a clean page.</summary>
    public void Drop(int page)
    {
        ref var info = ref _table.Info[page];
        Invariant.Check(info.Kind == PageKind.Clean, "only what is on the device leaves memory");
        _frames.Retire(info);
        _table.Queue(PageKind.Clean).Remove(_table.Info, page);
        _table.DropFrame(page);
        info.Kind = PageKind.Cold;
        CountCold(1);
        _table.Queue(PageKind.Cold).Append(_table.Info, page);
    }

    /// <summary>Bytes of a page's records became garbage. What is being written stays until that has ended.</summary>
    public void Forget(int page, long liveBytes)
    {
        ref var info = ref _table.Info[page];
        info.LiveBytes -= liveBytes;
        Segments.AddLive(_table.DevicePlaces[page].Offset, -liveBytes);
        if (info.LiveBytes == 0 && info.Kind != PageKind.Writing)
        {
            Remove(page);
        }
    }

    private void Remove(int page)
    {
        var info = _table.Info[page];
        Segments.Release(_table.Info, page, _table.DevicePlaces[page].Offset);
        _table.Remove(page);
        CountCold(info.Kind == PageKind.Cold ? -1 : 0);
        if (info.Kind == PageKind.Clean)
        {
            _frames.Retire(info);
        }
    }

    private void CountCold(int pages)
    {
        ColdPages += pages;
        _log.HasCold = ColdPages > 0;
    }
}
