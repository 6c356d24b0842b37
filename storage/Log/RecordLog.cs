using System.Runtime.CompilerServices;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>
/// A shard's records, in pages of native memory. One page of each kind is open at most; a
/// record too large for a page gets one of its own. Space freed inside a page is only counted here: the
/// compactor moves the rest of an empty enough page together and retires it.
/// An address is page number and offset in 8-byte units. Changed only under the shard's lease;
/// <see cref="TryOpen"/> may be called without it. Nothing moves and no memory is reused between two calls of
/// <see cref="Reclaim"/>, so a span of a record stays readable for the whole command that took it.
/// </summary>
public sealed unsafe class RecordLog : IDisposable
{
    /// <summary>Where a page's first record stands.</summary>
    internal const int FirstOffset = RecordHeader.Alignment;

    private const int PrefetchedLines = 4;
    private const int InitialRetired = 64;

    private readonly MemoryBudget _budget;
    private readonly Quiescence _quiescence;
    private readonly FrameAllocator _frames;
    private readonly StripedRegion _runRegion;
    private readonly FrameAllocator _runs;
    private readonly StripedRegion _region;
    private readonly PageTable _table;
    private readonly PageTable.Place* _places;
    private readonly int _maxPages;
    private readonly int _unitBits;
    private readonly Queue<RetiredFrame> _retired = new(InitialRetired);
    private readonly int[] _open = new int[(int)PageKind.Pinned + 1];

    /// <summary>An empty log in pages of at most one of the <paramref name="stripes"/>.</summary>
    /// <exception cref="MemoryExhaustedException">The address space for large records is not to be had.</exception>
    public RecordLog(MemoryBudget budget, Quiescence quiescence, Stripes stripes)
    {
        var pageBits = stripes.Region.StripeBits;
        var reserveBytes = stripes.Region.StripesPerOwner << pageBits;
        _budget = budget;
        _quiescence = quiescence;
        _unitBits = pageBits - 3;
        _region = stripes.Region;
        _frames = new FrameAllocator(budget, stripes);
        _runRegion = new StripedRegion(reserveBytes, owners: 1, pageBits);
        _runRegion.UseHugePages(false); // Runs have any length.
        _runs = new FrameAllocator(budget, _runRegion.Of(0));
        SetPageBytes(1 << pageBits);
        _maxPages = (int)Math.Min(1L << (IndexEntry.AddressBits - _unitBits), reserveBytes >> pageBits);
        _table = new PageTable(_maxPages);
        _places = _table.Places;
    }

    /// <summary>Bytes of an ordinary page opened from now on.</summary>
    public int PageBytes { get; private set; }

    /// <summary>Bytes of records that are live, slack not counted.</summary>
    public long LiveBytes { get; private set; }

    /// <summary>Memory of all pages in use.</summary>
    public long PageMemoryBytes => _table.FrameBytes;

    /// <summary>Bytes of dead records and slack.</summary>
    public long GarbageBytes { get; private set; }

    /// <summary>Memory retired and not reusable yet.</summary>
    public long RetiredBytes { get; private set; }

    /// <summary>Memory of emptied pages kept for reuse.</summary>
    public long FreeFrameBytes => _frames.ResidentFreeBytes;

    /// <summary>Pages in use.</summary>
    public int PageCount => _table.Count;

    /// <summary>Bytes appended since the log was made.</summary>
    public long AppendedBytes { get; private set; }

    /// <summary>Whether memory is retired and waits for <see cref="Reclaim"/>.</summary>
    public bool HasRetired => _retired.Count > 0;

    /// <summary>Page numbers that have ever been in use are below this.</summary>
    internal int PageTop => _table.Top;

    /// <summary>Memory of pages larger than <see cref="SetHugeLimit"/> says.</summary>
    internal long HugeBytes => _table.HugeBytes;

    internal PageInfo[] Pages => _table.Info;

    internal PageQueue Queue(PageKind kind) => _table.Queue(kind);

    /// <summary>The clock that accesses are noted by (<see cref="Log.AccessClock"/>); maintenance moves it on.
    /// </summary>
    internal int AccessClock { get; set; }

    /// <summary>Asks the processor to fetch the record at <paramref name="address"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(ulong address)
    {
        var page = (int)(address >> _unitBits);
        if (page < _maxPages && System.Runtime.Intrinsics.X86.Sse.IsSupported)
        {
            var start = _places[page].Start + OffsetOf(address);
            for (var line = 0; line < PrefetchedLines; line++)
            {
                System.Runtime.Intrinsics.X86.Sse.Prefetch0(start + line * 64);
            }
        }
    }

    /// <summary>
    /// Opens the record at an address. Safe on a stale address or torn header: every length is checked against the
    /// page before it is used.
    /// </summary>
    /// <returns>False when what stands there cannot be a record; under the lease that never happens.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryOpen(ulong address, out Record record)
    {
        record = default;
        var page = (int)(address >> _unitBits);
        if (page >= _maxPages)
        {
            return false;
        }

        var start = _places[page].Start;
        var left = _places[page].Bytes - OffsetOf(address);
        if (start == null || left < RecordHeader.Bytes)
        {
            return false;
        }

        // What a torn header's flags make this read behind the page is still mapped: the region's end stays free.
        var header = (RecordHeader*)(start + OffsetOf(address));
        var copy = *header;
        var flags = copy.Flags;
        var valueLength = (int)(copy.ValueLength & RecordHeader.MaxValueLength);
        var optional = RecordHeader.OptionalBytes(flags);
        var key = (byte*)header + RecordHeader.Bytes + optional;
        var keyLength = (flags & RecordFlags.LongKey) == 0
            ? copy.ShortKeyLength
            : Unsafe.ReadUnaligned<int>(key - RecordHeader.LongKeyBytes) & int.MaxValue;
        var size = copy.SizeBytes;
        if (size > left || RecordHeader.Bytes + optional + (long)keyLength + valueLength > size)
        {
            return false;
        }

        record = new Record(header, key, keyLength, valueLength, address);
        return true;
    }

    /// <summary>Opens a record under the lease.</summary>
    public Record Open(ulong address)
    {
        Invariant.Check(TryOpen(address, out var record), "an index entry points to a record");
        return record;
    }

    /// <summary>Appends a record whose value has <paramref name="valueLength"/> bytes, not written yet, and room for
    /// <paramref name="capacity"/>.</summary>
    /// <exception cref="MemoryExhaustedException">There is no room in the address space; nothing was changed.
    /// </exception>
    public Record Append(PageKind kind, in RecordSpec spec, int valueLength, long capacity)
    {
        var size = RecordHeader.SizeFor(spec.Flags, spec.KeyLength, Math.Max(valueLength, capacity));
        var isJumbo = size > LargestShared;
        var page = isJumbo ? OpenJumbo(kind, size) : OpenFor(kind, size);
        ref var info = ref Pages[page];
        var offset = info.UsedBytes;
        info.UsedBytes = offset + size;
        AppendedBytes += size;
        if (spec.ExpiryMs >= 0)
        {
            info.ExpiringRecords++;
            info.EarliestExpiryMs = Math.Min(info.EarliestExpiryMs, spec.ExpiryMs);
        }

        var address = ((ulong)page << _unitBits) | ((ulong)offset >> 3);
        var record = Write((RecordHeader*)(_places[page].Start + offset), spec, size, valueLength, address);
        record.SetAccessed(spec.Accessed >= 0 ? spec.Accessed : AccessClock);
        var live = record.LiveBytes;
        AddLive(page, live);
        GarbageBytes += size - live;
        if (isJumbo)
        {
            _table.Close(page);
        }

        return record;
    }

    /// <summary>The record is no longer pointed to: its bytes are garbage from here on.</summary>
    public void Forget(in Record record)
    {
        var page = PageOf(record.Address);
        ref var info = ref Pages[page];
        var live = record.LiveBytes;
        record.Header->ValueLength |= RecordHeader.DeadBit;
        info.ExpiringRecords -= record.HasExpiry ? 1 : 0;
        AddLive(page, -live);
        GarbageBytes += live;
        if (info.IsJumbo)
        {
            RetirePage(page);
        }
    }

    /// <summary>Changes a record's value length in place, within its capacity.</summary>
    public Record SetValueLength(in Record record, int valueLength)
    {
        Invariant.Check(valueLength <= record.ValueCapacity, "a value changed in place fits");
        var before = record.LiveBytes;
        record.Header->ValueLength = (uint)valueLength;
        var changed = new Record(record.Header, record.KeyPointer, record.KeyLength, valueLength, record.Address);
        var delta = changed.LiveBytes - before;
        AddLive(PageOf(record.Address), delta);
        GarbageBytes -= delta;
        return changed;
    }

    /// <summary>Notes that a record's expiry was changed in place.</summary>
    public void NoteExpiry(in Record record, long expiryMs)
    {
        ref var info = ref Pages[PageOf(record.Address)];
        info.EarliestExpiryMs = Math.Min(info.EarliestExpiryMs, expiryMs);
        info.ExpiryDueMs = info.IsJumbo ? expiryMs : info.ExpiryDueMs;
    }

    /// <summary>The page an address lies in.</summary>
    public int PageOf(ulong address) => (int)(address >> _unitBits);

    /// <summary>The kind of the page an address lies in.</summary>
    public PageKind KindOf(ulong address) => Pages[PageOf(address)].Kind;

    /// <summary>The record at <paramref name="offset"/> of a page: the first when the offset is 0.</summary>
    /// <returns>False at the end of the page's records.</returns>
    public bool TryWalk(int page, ref long offset, out Record record)
    {
        offset = Math.Max(offset, FirstOffset);
        if (offset >= Pages[page].UsedBytes)
        {
            record = default;
            return false;
        }

        record = Open(((ulong)page << _unitBits) | ((ulong)offset >> 3));
        offset += record.SizeBytes;
        return true;
    }

    /// <summary>Whether a page is large enough that a value of <paramref name="valueLength"/> bytes leaves most of it
    /// unused: such a value is better written anew.</summary>
    internal bool IsOversized(in Record record, long valueLength)
    {
        ref readonly var info = ref Pages[PageOf(record.Address)];
        return info.IsJumbo && RecordHeader.SizeFor(record.Flags, record.KeyLength, valueLength) <= info.FrameBytes / 2;
    }

    /// <summary>The open page of a kind, or 0.</summary>
    internal int OpenPage(PageKind kind) => _open[(int)kind];

    /// <summary>Whether the page new records go to is nearly full.</summary>
    internal bool IsNearlyFull
    {
        get
        {
            var page = OpenPage(PageKind.Probation);
            return page != 0 && Pages[page].FrameBytes - Pages[page].UsedBytes < PageBytes / 16;
        }
    }

    /// <summary>Changes the size of the pages opened from now on; no more than the largest.</summary>
    internal void SetPageBytes(int bytes)
    {
        Invariant.Check(bytes >= Limits.MinPageBytes && bytes <= _frames.FrameBytes, "a page fits its frame");
        PageBytes = bytes;
        _region.UseHugePages(bytes == _frames.FrameBytes);
    }

    /// <summary>From how many bytes on the pages of single records opened from now on count as huge.</summary>
    internal void SetHugeLimit(long bytes) => _table.HugeLimitBytes = bytes;

    /// <summary>Closes a page, so that it can be compacted or evicted.</summary>
    internal void Seal(int page)
    {
        ref readonly var info = ref Pages[page];
        if (info.IsOpen)
        {
            _open[(int)info.Kind] = 0;
            _table.Close(page);
        }
    }

    /// <summary>Puts a whole page at the young end of a queue.</summary>
    internal void Requeue(int page, PageKind kind)
    {
        Seal(page);
        _table.Requeue(page, kind);
    }

    /// <inheritdoc cref="GarbageRanking.Worst"/>
    internal int WorstPage(int leastRank) => _table.WorstPage(leastRank);

    /// <summary>Takes a page without live records out of use. Its memory is reused after every worker's next turn.
    /// </summary>
    internal void RetirePage(int page)
    {
        Seal(page);
        ref readonly var info = ref Pages[page];
        Invariant.Check(info.LiveBytes == 0, "a retired page holds no live record");
        GarbageBytes -= info.GarbageBytes;
        RetiredBytes += info.FrameBytes;
        _budget.Retire(info.FrameBytes);
        var (frame, bytes, isJumbo) = (info.Frame, info.FrameBytes, info.IsJumbo);
        _table.Remove(page);
        _retired.Enqueue(new RetiredFrame(frame, bytes, isJumbo, _quiescence.Retire()));
    }

    /// <summary>Makes retired memory reusable that no worker can still read, <paramref name="maxPages"/> pages at most.
    /// Called between commands.</summary>
    internal void Reclaim(int worker, int maxPages)
    {
        while (maxPages-- > 0 && _retired.TryPeek(out var frame) && _quiescence.HasPassed(frame.Stamp, worker))
        {
            _ = _retired.Dequeue();
            RetiredBytes -= frame.Bytes;
            _budget.Retire(-frame.Bytes);
            if (frame.IsRun)
            {
                _runs.ReturnRun(frame.Frame, frame.Bytes);
            }
            else
            {
                _frames.Return(frame.Frame, frame.Bytes);
            }
        }
    }

    /// <summary>Gives the memory of all pages kept for reuse back to the system.</summary>
    public void Trim() => _frames.Trim();

    /// <summary>Gives the memory of one page kept for reuse back to the system.</summary>
    /// <returns>False when none is kept.</returns>
    internal bool TryTrim() => _frames.TryTrim();

    /// <summary>Drops all records.</summary>
    internal void Clear()
    {
        for (var page = 1; page < PageTop; page++)
        {
            if (Pages[page].Kind != PageKind.Free)
            {
                var live = Pages[page].LiveBytes;
                GarbageBytes += live;
                AddLive(page, -live);
                RetirePage(page);
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _budget.Charge(-(PageMemoryBytes + RetiredBytes + FreeFrameBytes));
        _budget.Retire(-RetiredBytes);
        _runRegion.Dispose();
        _table.Dispose();
    }

    /// <summary>The largest record that shares a page with others.</summary>
    private long LargestShared
        => Math.Max(PageBytes >> Limits.JumboShift, Math.Min(PageBytes / 2, Limits.MinJumboBytes) - FirstOffset);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long OffsetOf(ulong address) => (long)(address & ((1UL << _unitBits) - 1)) << 3;

    private static Record Write(RecordHeader* header, in RecordSpec spec, long size, int valueLength, ulong address)
    {
        header->SizeUnits = (uint)(size >> 3);
        header->ValueLength = (uint)valueLength;
        header->Database = spec.Database;
        var key = (byte*)header + RecordHeader.Bytes + RecordHeader.OptionalBytes(spec.Flags);
        if ((spec.Flags & RecordFlags.LongKey) != 0)
        {
            header->ShortKeyLength = RecordHeader.LongKeyLength;
            Unsafe.WriteUnaligned(key - RecordHeader.LongKeyBytes, spec.KeyLength);
        }
        else
        {
            header->ShortKeyLength = (ushort)spec.KeyLength;
        }

        header->SetTypeAndFlags(spec.Type, spec.Flags);
        Unsafe.CopyBlockUnaligned(key, spec.KeyPointer, (uint)spec.KeyLength);
        var record = new Record(header, key, spec.KeyLength, valueLength, address);
        if ((spec.Flags & RecordFlags.HasExpiry) != 0)
        {
            record.SetExpiry(spec.ExpiryMs);
        }

        return record;
    }

    private void AddLive(int page, long bytes)
    {
        LiveBytes += bytes;
        _table.AddLive(page, bytes);
    }

    private int OpenFor(PageKind kind, long size)
    {
        var open = _open[(int)kind];
        if (open != 0 && Pages[open].UsedBytes + size <= Pages[open].FrameBytes)
        {
            return open;
        }

        var frame = _frames.Rent(PageBytes);
        if (open != 0)
        {
            Seal(open);
        }

        return _open[(int)kind] = _table.Add(kind, _frames.Address(frame), frame, PageBytes, isJumbo: false);
    }

    private int OpenJumbo(PageKind kind, long size)
    {
        var bytes = (size + FirstOffset + Limits.MinPageBytes - 1) & -(long)Limits.MinPageBytes;
        var frame = _runs.RentRun(bytes);
        return _table.Add(kind, _runs.Address(frame), frame, bytes, isJumbo: true);
    }

    private readonly record struct RetiredFrame(int Frame, long Bytes, bool IsRun, long Stamp);
}
