using System.Numerics;
using System.Runtime.InteropServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>
/// The pages of a log by number: where they lie, for readers with and without the lease, and what the lease holder
/// knows of them; their queues by kind, and their ranking by garbage.
/// </summary>
internal sealed unsafe class PageTable : IDisposable
{
    private const int InitialPages = 64;

    private readonly ReservedRegion _places;
    private readonly Stack<int> _freeNumbers = new(InitialPages);
    private readonly ReservedRegion? _devicePlaces;
    private readonly PageQueue[] _queues = [new(), new(), new(), new(), new(), new(), new()];
    private readonly GarbageRanking _garbage = new();
    private PageInfo[] _info = new PageInfo[InitialPages];

    public PageTable(int maxPages, bool isTiered)
    {
        MaxPages = maxPages;
        _places = new ReservedRegion((long)maxPages * sizeof(Place));
        _devicePlaces = isTiered ? new ReservedRegion((long)maxPages * sizeof(DevicePlace)) : null;
    }

    /// <summary>Page numbers are below this.</summary>
    public int MaxPages { get; }

    /// <summary>Page numbers that have ever been in use are below this. Page 0 never is, so that address 0 means
    /// "none".</summary>
    public int Top { get; private set; } = 1;

    /// <summary>Where the pages lie. A reader without the lease may find a page's place half changed.</summary>
    public Place* Places => (Place*)_places.Base;

    /// <summary>Where the pages lie on the device, if they do; null in a log that has none. Read as <see
    /// cref="Places"/> are.</summary>
    public DevicePlace* DevicePlaces => _devicePlaces == null ? null : (DevicePlace*)_devicePlaces.Base;

    public PageInfo[] Info => _info;

    /// <summary>Memory of all pages.</summary>
    public long FrameBytes { get; private set; }

    /// <summary>Pages with more memory than this are huge.</summary>
    public long HugeLimitBytes { get; set; } = long.MaxValue;

    /// <summary>Memory of huge pages.</summary>
    public long HugeBytes { get; private set; }

    /// <summary>Pages in use.</summary>
    public int Count { get; private set; }

    /// <summary>What is put on the device from now on has this generation at least: above all that what was kept there
    /// may have.</summary>
    public long FirstGeneration { get; private set; }

    public PageQueue Queue(PageKind kind) => _queues[(int)kind];

    /// <summary>Makes sure that the next <see cref="Add"/> finds a number.</summary>
    /// <exception cref="MemoryExhaustedException">All are in use.</exception>
    public void EnsureNumber()
    {
        if (_freeNumbers.Count == 0 && Top == MaxPages)
        {
            throw new MemoryExhaustedException("the log has used up its page numbers");
        }
    }

    /// <summary>Makes a frame a page at the young end of a queue.</summary>
    /// <param name="kind">The queue.</param>
    /// <param name="database">The database of its records, where that is noted.</param>
    /// <param name="start">Its first byte.</param>
    /// <param name="frame">The frame, or the first of a run of them.</param>
    /// <param name="bytes">Bytes of its place.</param>
    /// <param name="frameBytes">How many of them are charged.</param>
    /// <param name="isJumbo">Whether it is for one large record.</param>
    public int Add(PageKind kind, byte database, byte* start, int frame, long bytes, long frameBytes, bool isJumbo)
    {
        var page = TakeNumber();
        _info[page] = new PageInfo
        {
            Kind = kind,
            Database = database,
            IsJumbo = isJumbo,
            IsHuge = isJumbo && frameBytes > HugeLimitBytes,
            IsOpen = !isJumbo,
            UsedBytes = RecordLog.FirstOffset,
            FrameBytes = frameBytes,
            PlaceBytes = bytes,
            Frame = frame,
            EarliestExpiryMs = long.MaxValue,
            ExpiryDueMs = long.MaxValue,
            RankDropsAtBytes = long.MinValue,
        };
        Places[page].Bytes = bytes;
        Volatile.Write(ref *(nint*)&Places[page].Start, (nint)start);
        Queue(kind).Append(_info, page);
        FrameBytes += frameBytes;
        HugeBytes += _info[page].IsHuge ? frameBytes : 0;
        Count++;
        return page;
    }

    /// <summary>Puts a page that was kept on the device back under its number, in a table that holds no others.
    /// </summary>
    /// <returns>False where there can be no such page, or is one already.</returns>
    public bool TryRestore(in KeptPage kept)
    {
        if (kept.Page <= 0 || kept.Page >= MaxPages || (kept.Page < Top && _info[kept.Page].Kind != PageKind.Free))
        {
            return false;
        }

        if (kept.Page >= _info.Length)
        {
            var length = (int)Math.Min(MaxPages, BitOperations.RoundUpToPowerOf2((uint)kept.Page + 1));
            Array.Resize(ref _info, length);
        }

        Top = Math.Max(Top, kept.Page + 1);
        _info[kept.Page] = new PageInfo
        {
            Kind = PageKind.Cold,
            Database = kept.Database,
            IsJumbo = kept.IsJumbo,
            UsedBytes = kept.UsedBytes,
            LiveBytes = kept.LiveBytes,
            ExpiringRecords = kept.ExpiringRecords,
            EarliestExpiryMs = kept.EarliestExpiryMs,
            ExpiryDueMs = kept.EarliestExpiryMs,
            RankDropsAtBytes = long.MinValue,
        };
        DevicePlaces[kept.Page] = new DevicePlace
        {
            Offset = kept.Offset,
            UsedBytes = kept.UsedBytes,
            Generation = kept.Generation,
            HeadChecksum = kept.HeadChecksum,
        };
        Queue(PageKind.Cold).Append(_info, kept.Page);
        Count++;
        return true;
    }

    /// <summary>All pages that were kept are there: the numbers between them are free.</summary>
    public void EndRestore(long firstGeneration)
    {
        FirstGeneration = firstGeneration;
        for (var page = Top - 1; page > 0; page--)
        {
            if (_info[page].Kind == PageKind.Free)
            {
                DevicePlaces[page].Generation = firstGeneration;
                _freeNumbers.Push(page);
            }
        }
    }

    /// <summary>Takes a page out of use.</summary>
    public void Remove(int page)
    {
        ref var info = ref _info[page];
        _garbage.Remove(_info, page);
        Queue(info.Kind).Remove(_info, page);
        DropFrame(page);
        Count--;
        info = default;
        if (DevicePlaces != null)
        {
            ref var generation = ref DevicePlaces[page].Generation;
            generation = Math.Max(generation + 1, FirstGeneration);
        }

        _freeNumbers.Push(page);
    }

    /// <summary>Takes a page out of memory; its number stays in use.</summary>
    public void DropFrame(int page)
    {
        ref var info = ref _info[page];
        FrameBytes -= info.FrameBytes;
        HugeBytes -= info.IsHuge ? info.FrameBytes : 0;
        info.FrameBytes = 0;
        info.IsHuge = false;
        Volatile.Write(ref *(nint*)&Places[page].Start, 0);
    }

    /// <summary>Takes a page, which is going to the device, out of the ranking by garbage.</summary>
    public void Unrank(int page)
    {
        _garbage.Remove(_info, page);
        _info[page].RankDropsAtBytes = long.MinValue;
    }

    /// <summary>Puts a page at the young end of a queue, as it is.</summary>
    public void Requeue(int page, PageKind kind)
    {
        Queue(_info[page].Kind).Remove(_info, page);
        _info[page].Kind = kind;
        Queue(kind).Append(_info, page);
    }

    /// <summary>Notes that nothing is appended to the page any more.</summary>
    public void Close(int page)
    {
        ref var info = ref _info[page];
        info.IsOpen = false;
        info.ExpiryDueMs = info.EarliestExpiryMs;
        _garbage.Update(_info, page);
    }

    /// <summary>Adds to (or with a negative number takes from) a page's live bytes.</summary>
    public void AddLive(int page, long bytes)
    {
        ref var info = ref _info[page];
        info.LiveBytes += bytes;
        if (info.LiveBytes <= info.RankDropsAtBytes)
        {
            _garbage.Update(_info, page);
        }
    }

    /// <inheritdoc cref="GarbageRanking.Worst"/>
    public int WorstPage(int leastRank) => _garbage.Worst(_info, leastRank);

    /// <inheritdoc/>
    public void Dispose()
    {
        _places.Dispose();
        _devicePlaces?.Dispose();
    }

    private int TakeNumber()
    {
        if (_freeNumbers.TryPop(out var page))
        {
            return page;
        }

        if (Top == _info.Length)
        {
            Array.Resize(ref _info, _info.Length * 2);
        }

        if (DevicePlaces != null)
        {
            DevicePlaces[Top].Generation = FirstGeneration;
        }

        return Top++;
    }

    /// <summary>Where a page lies: its first byte, or null when the number is not in use, and its size.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct Place
    {
        public byte* Start;
        public long Bytes;
    }

    /// <summary>Where a page lies on the device: its offset in the shard's segments and how many bytes there hold
    /// records, good while the page is of a kind that has them; how often its number was used before; and of a page of
    /// one record the checksum of its head.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct DevicePlace
    {
        public long Offset;
        public long UsedBytes;
        public long Generation;
        public uint HeadChecksum;
    }
}
