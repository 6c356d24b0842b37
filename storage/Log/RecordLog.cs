using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>
/// A shard's records, in pages of native memory. Two pages are open, one for new records and one for proven ones; a
/// record too large for a page gets one of its own. Space freed inside a page is only counted here: the
/// compactor moves the rest of an empty enough page together and retires it.
/// An address is page number and offset in 8-byte units. Changed only under the shard's lease;
/// <see cref="TryOpen"/> may be called without it. Nothing moves and no memory is reused between two calls of
/// <see cref="Reclaim"/>, so a span of a record stays readable for the whole command that took it.
/// </summary>
public sealed unsafe class RecordLog : IDisposable
{
    private const int TableEntryBytes = 16;
    private const int PrefetchedLines = 4;
    private const int FirstOffset = RecordHeader.Alignment;

    private readonly MemoryBudget _budget;
    private readonly Quiescence _quiescence;
    private readonly FrameAllocator _frames;
    private readonly ReservedRegion _table;
    private readonly PageEntry* _pages;
    private readonly int _maxPages;
    private readonly int _pageBits;
    private readonly int _unitBits;
    private readonly Stack<int> _freePages = new();
    private readonly Queue<RetiredFrame> _retired = new();
    private readonly PageQueue _probation = new();
    private readonly PageQueue _main = new();
    private PageInfo[] _info = new PageInfo[64];
    private int _pageTop = 1; // Page 0 is never used, so that address 0 means "none".
    private int _openProbation;
    private int _openMain;

    /// <summary>An empty log in pages of 2^<paramref name="pageBits"/> bytes.</summary>
    public RecordLog(MemoryBudget budget, Quiescence quiescence, int pageBits, long reserveBytes)
    {
        _budget = budget;
        _quiescence = quiescence;
        _pageBits = pageBits;
        _unitBits = pageBits - 3;
        _frames = new FrameAllocator(budget, reserveBytes, pageBits);
        _maxPages = (int)Math.Min(1L << (IndexEntry.AddressBits - _unitBits), reserveBytes >> pageBits);
        _table = new ReservedRegion((long)_maxPages * TableEntryBytes);
        _pages = (PageEntry*)_table.Base;
    }

    /// <summary>Bytes of an ordinary page.</summary>
    public int PageBytes => 1 << _pageBits;

    /// <summary>Bytes of records that are live, slack not counted.</summary>
    public long LiveBytes { get; private set; }

    /// <summary>Memory of all pages in use.</summary>
    public long PageMemoryBytes => _probation.FrameBytes + _main.FrameBytes;

    /// <summary>Bytes of dead records and slack in pages that are no longer appended to.</summary>
    public long GarbageBytes { get; private set; }

    /// <summary>Memory retired and not reusable yet.</summary>
    public long RetiredBytes { get; private set; }

    /// <summary>Memory of emptied pages kept for reuse.</summary>
    public long FreeFrameBytes => (long)_frames.ResidentFree * PageBytes;

    /// <summary>Pages in use.</summary>
    public int PageCount => _probation.Count + _main.Count;

    /// <summary>Bytes appended since the log was made.</summary>
    public long AppendedBytes { get; private set; }

    /// <summary>Page numbers that have ever been in use are below this.</summary>
    internal int PageTop => _pageTop;

    internal PageInfo[] Pages => _info;

    internal PageQueue Queue(PageKind kind) => kind == PageKind.Main ? _main : _probation;

    /// <summary>Asks the processor to fetch the record at <paramref name="address"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(ulong address)
    {
        var page = (int)(address >> _unitBits);
        if (page < _maxPages && System.Runtime.Intrinsics.X86.Sse.IsSupported)
        {
            var start = _pages[page].Base + OffsetOf(address);
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

        var start = _pages[page].Base;
        var left = _pages[page].Bytes - OffsetOf(address);
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
    /// <exception cref="MemoryExhaustedException">There is no room in the address space; nothing was changed.</exception>
    public Record Append(PageKind kind, in RecordSpec spec, int valueLength, long capacity)
    {
        var flags = spec.Flags;
        var size = RecordHeader.SizeFor(flags, spec.KeyLength, Math.Max(valueLength, capacity));
        var page = size > PageBytes >> Limits.JumboShift ? OpenJumbo(kind, size) : OpenFor(kind, size);
        ref var info = ref _info[page];
        var offset = info.UsedBytes;
        info.UsedBytes = offset + size;
        AppendedBytes += size;
        if (spec.ExpiryMs >= 0 && spec.ExpiryMs < info.EarliestExpiryMs)
        {
            info.EarliestExpiryMs = spec.ExpiryMs;
        }

        var address = ((ulong)page << _unitBits) | ((ulong)offset >> 3);
        var record = Write((RecordHeader*)(_pages[page].Base + offset), spec, size, valueLength, address);
        var live = record.LiveBytes;
        AddLive(ref info, live);
        GarbageBytes += size - live; // A page counts its garbage from the start; what is open is not compacted yet.
        return record;
    }

    /// <summary>The record is no longer pointed to: its bytes are garbage from here on.</summary>
    public void Forget(in Record record)
    {
        var page = PageOf(record.Address);
        ref var info = ref _info[page];
        var live = record.LiveBytes;
        AddLive(ref info, -live);
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
        AddLive(ref _info[PageOf(record.Address)], delta);
        GarbageBytes -= delta;
        return changed;
    }

    /// <summary>Notes that a record's expiry was changed in place.</summary>
    public void NoteExpiry(in Record record, long expiryMs)
    {
        ref var earliest = ref _info[PageOf(record.Address)].EarliestExpiryMs;
        earliest = Math.Min(earliest, expiryMs);
    }

    /// <summary>The page an address lies in.</summary>
    public int PageOf(ulong address) => (int)(address >> _unitBits);

    /// <summary>The kind of the page an address lies in.</summary>
    public PageKind KindOf(ulong address) => _info[PageOf(address)].Kind;

    /// <summary>The record at <paramref name="offset"/> of a page: the first when the offset is 0.</summary>
    /// <returns>False at the end of the page's records.</returns>
    public bool TryWalk(int page, ref long offset, out Record record)
    {
        offset = Math.Max(offset, FirstOffset);
        if (offset >= _info[page].UsedBytes)
        {
            record = default;
            return false;
        }

        record = Open(((ulong)page << _unitBits) | ((ulong)offset >> 3));
        offset += record.SizeBytes;
        return true;
    }

    /// <summary>Closes the open page of a kind, so that it can be compacted or evicted.</summary>
    public void Seal(PageKind kind)
    {
        ref var open = ref kind == PageKind.Main ? ref _openMain : ref _openProbation;
        if (open != 0)
        {
            _info[open].IsOpen = false;
            open = 0;
        }
    }

    /// <summary>Takes a page without live records out of use. Its memory is reused after every worker's next turn.
    /// </summary>
    public void RetirePage(int page)
    {
        ref var info = ref _info[page];
        Invariant.Check(info.LiveBytes == 0, "a retired page holds no live record");
        if (info.IsOpen)
        {
            Seal(info.Kind);
        }

        GarbageBytes -= info.UsedBytes - FirstOffset;
        Queue(info.Kind).Remove(_info, page);
        Volatile.Write(ref *(nint*)&_pages[page].Base, 0);
        _retired.Enqueue(new RetiredFrame(info.Frame, info.FrameBytes, info.IsJumbo, _quiescence.Retire()));
        RetiredBytes += info.FrameBytes;
        info = default;
        _freePages.Push(page);
    }

    /// <summary>Makes retired memory reusable that no worker can still read. Called between commands.</summary>
    public void Reclaim(int worker)
    {
        while (_retired.TryPeek(out var frame) && _quiescence.HasPassed(frame.Stamp, worker))
        {
            _ = _retired.Dequeue();
            RetiredBytes -= frame.Bytes;
            if (frame.IsRun)
            {
                _frames.ReturnRun(frame.Frame, frame.Bytes);
            }
            else
            {
                _frames.Return(frame.Frame);
            }
        }
    }

    /// <summary>Gives the memory kept for reuse back to the system.</summary>
    public void Trim() => _frames.Trim();

    /// <summary>Whether memory is retired and waits for <see cref="Reclaim"/>.</summary>
    public bool HasRetired => _retired.Count > 0;

    /// <summary>Drops all records.</summary>
    public void Clear()
    {
        for (var page = 1; page < _pageTop; page++)
        {
            if (_info[page].Kind != PageKind.Free)
            {
                ref var info = ref _info[page];
                GarbageBytes += info.LiveBytes;
                AddLive(ref info, -info.LiveBytes);
                RetirePage(page);
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _budget.Charge(-(PageMemoryBytes + RetiredBytes + ((long)_frames.ResidentFree * PageBytes)));
        _frames.Dispose();
        _table.Dispose();
    }

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

    private void AddLive(ref PageInfo info, long bytes)
    {
        info.LiveBytes += bytes;
        LiveBytes += bytes;
    }

    private int OpenFor(PageKind kind, long size)
    {
        ref var open = ref kind == PageKind.Main ? ref _openMain : ref _openProbation;
        if (open != 0 && _info[open].UsedBytes + size <= PageBytes)
        {
            return open;
        }

        var frame = _frames.Rent();
        Seal(kind);
        open = AddPage(kind, frame, PageBytes, isJumbo: false);
        return open;
    }

    private int OpenJumbo(PageKind kind, long size)
    {
        var bytes = (size + FirstOffset + 4095) & ~4095L;
        return AddPage(kind, _frames.RentRun(bytes), bytes, isJumbo: true);
    }

    private int AddPage(PageKind kind, int frame, long bytes, bool isJumbo)
    {
        if (!_freePages.TryPop(out var page))
        {
            Invariant.Check(_pageTop < _maxPages, "there are as many page numbers as frames");
            page = _pageTop++;
            if (page >= _info.Length)
            {
                Array.Resize(ref _info, _info.Length * 2);
            }
        }

        _info[page] = new PageInfo
        {
            Kind = kind,
            IsJumbo = isJumbo,
            IsOpen = !isJumbo,
            UsedBytes = FirstOffset,
            FrameBytes = bytes,
            Frame = frame,
            EarliestExpiryMs = long.MaxValue,
        };
        _pages[page].Bytes = bytes;
        Volatile.Write(ref *(nint*)&_pages[page].Base, (nint)_frames.Address(frame));
        Queue(kind).Append(_info, page);
        return page;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct PageEntry
    {
        public byte* Base;
        public long Bytes;
    }

    private readonly record struct RetiredFrame(int Frame, long Bytes, bool IsRun, long Stamp);
}
