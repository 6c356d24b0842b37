using System.Runtime.CompilerServices;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Log;

/// <summary>
/// A shard's records, in pages of native memory. One page of each kind is open at most; a
/// record too large for a page gets one of its own. Space freed inside a page is only counted here: the
/// compactor moves the rest of an empty enough page together and retires it.
/// An address is page number and offset in 4-byte units. Changed only under the shard's lease;
/// <see cref="TryOpen"/> may be called without it. Nothing moves and no memory is reused between two calls of
/// <see cref="Reclaim"/>, so a span of a record stays readable for the whole command that took it.
/// </summary>
public sealed unsafe class RecordLog : IDisposable
{
    /// <summary>Where a page's first record stands.</summary>
    internal const int FirstOffset = RecordHeader.Alignment;

    private const int PrefetchedLines = 4;

    private readonly MemoryBudget _budget;
    private readonly PageFrames _frames;
    private readonly PageTable _table;
    private readonly PageTable.Place* _places;
    private readonly int _maxPages;
    private readonly int _unitBits;
    private readonly int[] _open;
    private readonly int _openDatabases;
    private readonly RecordFlags _format;
    private AccessNotes _accesses;

    /// <summary>An empty log in pages of at most one of the <paramref name="stripes"/>.</summary>
    /// <param name="budget">What memory is charged to.</param>
    /// <param name="quiescence">Tells when retired memory may be reused.</param>
    /// <param name="stripes">Where pages lie.</param>
    /// <param name="segments">Where on a device pages go, or null when they stay in memory.</param>
    /// <exception cref="MemoryExhaustedException">The address space for large records is not to be had.</exception>
    internal RecordLog(MemoryBudget budget, Quiescence quiescence, Stripes stripes, LogSegments? segments = null)
    {
        var pageBits = stripes.Region.StripeBits;
        _budget = budget;
        _unitBits = pageBits - RecordHeader.AlignmentBits;
        _frames = new PageFrames(budget, quiescence, stripes);
        SetPageBytes(1 << pageBits);

        // What lies on a device takes no address space, only a number.
        var pageNumbers = Math.Min(1L << (IndexEntry.AddressBits - _unitBits), Limits.MaxPagesPerShard);
        _maxPages = (int)(segments == null ? Math.Min(pageNumbers, stripes.Region.StripesPerOwner) : pageNumbers);
        _table = new PageTable(_maxPages, isTiered: segments != null);
        _places = _table.Places;
        _openDatabases = segments == null ? 1 : Limits.MaxDatabases;
        _open = new int[((int)PageKind.Pinned + 1) * _openDatabases];
        _format = segments == null ? RecordFlags.None : RecordFlags.HasChecksum;
        Loans = new ValueLoans(quiescence.Workers);
        Device = segments == null ? null : new DevicePages(this, _table, _frames, segments);
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
    public long RetiredBytes => _frames.RetiredBytes;

    /// <summary>Memory of emptied pages kept for reuse.</summary>
    public long FreeFrameBytes => _frames.FreeBytes;

    /// <summary>Pages in use.</summary>
    public int PageCount => _table.Count;

    /// <summary>Bytes appended since the log was made.</summary>
    public long AppendedBytes { get; private set; }

    /// <summary>Whether memory is retired and waits for <see cref="Reclaim"/>.</summary>
    public bool HasRetired => _frames.HasRetired;

    /// <summary>The pages that have a place on a device; null in a log that stays in memory.</summary>
    internal DevicePages? Device { get; }

    /// <summary>The values that are sent from where they lie. None of a log that goes to a device is.</summary>
    public ValueLoans Loans { get; }

    /// <summary>Page numbers that have ever been in use are below this.</summary>
    internal int PageTop => _table.Top;

    /// <summary>Memory of pages larger than <see cref="SetHugeLimit"/> says.</summary>
    internal long HugeBytes => _table.HugeBytes;

    internal PageInfo[] Pages => _table.Info;

    internal PageQueue Queue(PageKind kind) => _table.Queue(kind);

    /// <summary>What accesses are noted by.</summary>
    internal ref AccessNotes Accesses => ref _accesses;

    /// <summary>Whether reads are marked in the index, since they decide what leaves memory. Like <see cref="HasCold"/>
    /// it is kept here, beside what every look-up needs: another object would be another line to miss.</summary>
    internal bool CountsReads { get; set; }

    /// <summary>Whether some pages are on the device alone. Any thread.</summary>
    internal bool HasCold { get; set; }

    /// <summary>Asks the processor to fetch the record at <paramref name="address"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(ulong address)
    {
        var page = (int)(address >> _unitBits);
        if (page < _maxPages && System.Runtime.Intrinsics.X86.Sse.IsSupported && _places[page].Start != null)
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
        if (start == null || left < RecordHeader.LeastRecordBytes)
        {
            return false;
        }

        // What a torn header's flags make this read behind the page is still mapped: the region's end stays free.
        return Record.TryParse(start + OffsetOf(address), left, address, out record);
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
        var flags = Record.FormOf(spec, spec.Flags | _format, valueLength, capacity, out var size);
        var isJumbo = size > LargestShared;
        var isMoved = isJumbo && spec.MovedFrom != null;
        var padding = isMoved ? RecordAlignment.PaddingToMove(spec, flags, Device != null) : 0;
        var page = isJumbo
            ? AddPage(kind, spec.Database, JumboBytesFor(padding + size), isJumbo: true)
            : OpenFor(kind, spec.Database, size);
        if (Device != null || padding > 0)
        {
            Pad(page, padding > 0 ? FirstOffset + padding : OffsetFor(page, size));
        }

        var record = Append(page, spec, flags, size, valueLength);
        if (isJumbo)
        {
            _table.Close(page);
        }

        return record;
    }

    /// <summary>Appends a record that goes to the device (<paramref name="image"/>) while its value is written, some
    /// <paramref name="partBytes"/> at a time: only the parts with header and key stay in memory.</summary>
    /// <exception cref="MemoryExhaustedException">There is no room in the address space; nothing was changed.
    /// </exception>
    internal Record AppendPassing(in RecordSpec spec, int valueLength, int partBytes, out PageImage image)
    {
        var flags = Record.FormOf(spec, spec.Flags | _format, valueLength, capacity: 0, out var size);
        var bytes = JumboBytesFor(size);
        var headBytes = FirstOffset + size - valueLength;
        var keptBytes = Math.Min(bytes, (headBytes + partBytes - 1) / partBytes * partBytes);
        var page = AddPage(PageKind.Probation, spec.Database, bytes, isJumbo: true, keptBytes);
        var record = Append(page, spec, flags, size, valueLength);
        _table.Close(page);
        image = BeginWrite(page);
        Device!.NoteHead(page, RecordChecksum.OfHead(record, image.Generation));
        return record;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Record Append(int page, in RecordSpec spec, RecordFlags flags, long size, int valueLength)
    {
        ref var info = ref Pages[page];
        var offset = info.UsedBytes;
        info.UsedBytes = offset + size;
        AppendedBytes += size;
        if (spec.ExpiryMs >= 0)
        {
            info.ExpiringRecords++;
            info.EarliestExpiryMs = Math.Min(info.EarliestExpiryMs, spec.ExpiryMs);
        }

        var address = AddressOf(page, offset);
        var header = (RecordHeader*)(_places[page].Start + offset);
        var record = Record.Write(header, spec, flags, size, valueLength, address);
        record.SetAccessed(spec.Accessed >= 0 ? spec.Accessed : _accesses.First);
        var live = record.LiveBytes;
        AddLive(page, live);
        GarbageBytes += size - live;
        return record;
    }

    /// <summary>Whether a value of this length has a page of its own, however short its key.</summary>
    internal bool HasPageOfItsOwn(long valueLength) => valueLength > LargestShared;

    /// <summary>The record is no longer pointed to: its bytes are garbage from here on.</summary>
    public void Forget(in Record record)
    {
        var page = PageOf(record.Address);
        ref var info = ref Pages[page];
        var live = record.LiveBytes;
        record.SetDead();
        info.ExpiringRecords -= record.HasExpiry ? 1 : 0;
        if (info.Kind > PageKind.Pinned)
        {
            Device!.Forget(page, live);
            return;
        }

        AddLive(page, -live);
        GarbageBytes += live;
        if (info.IsJumbo)
        {
            RetirePage(page);
        }
    }

    /// <summary>Whether a record may be changed in place: what is on its way to the device, or there, may not, nor what
    /// is lent.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsMutable(in Record record)
        => Device == null ? !Loans.Contains(record.Address) : KindOf(record.Address) <= PageKind.Pinned;

    /// <summary>Whether a record has a page of its own, in memory or on the device.</summary>
    internal bool IsAlone(in Record record) => Pages[PageOf(record.Address)].IsJumbo;

    /// <summary>Whether the record at an address is on the device alone.</summary>
    internal bool IsCold(ulong address) => Device != null && KindOf(address) == PageKind.Cold;

    /// <summary>Changes a record's value length in place, as far as it can hold that.</summary>
    public Record SetValueLength(in Record record, int valueLength)
    {
        var before = record.LiveBytes;
        var changed = record.WithValueLength(valueLength);
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

    /// <summary>The address of a place in a page.</summary>
    internal ulong AddressOf(int page, long offset)
        => ((ulong)page << _unitBits) | ((ulong)offset >> RecordHeader.AlignmentBits);

    /// <summary>The first byte of a page that is in memory.</summary>
    internal byte* StartOf(int page) => _places[page].Start;

    /// <summary>The page an address lies in.</summary>
    public int PageOf(ulong address) => (int)(address >> _unitBits);

    /// <summary>The kind of the page an address lies in.</summary>
    public PageKind KindOf(ulong address) => Pages[PageOf(address)].Kind;

    /// <summary>The record at <paramref name="offset"/> of a page: the first when the offset is 0.</summary>
    /// <returns>False at the end of the page's records.</returns>
    public bool TryWalk(int page, ref long offset, out Record record)
    {
        offset = Math.Max(offset, FirstOffset);
        Record.SkipFiller(_places[page].Start, Pages[page].UsedBytes, ref offset);
        if (offset >= Pages[page].UsedBytes)
        {
            record = default;
            return false;
        }

        record = Open(AddressOf(page, offset));
        offset += record.SizeBytes;
        return true;
    }

    /// <summary>The longest page that records share, bytes, whatever the limit of memory.</summary>
    internal long LongestPage => 1L << (_unitBits + RecordHeader.AlignmentBits);

    /// <summary>Whether a page is large enough that a value of <paramref name="valueLength"/> bytes leaves most of it
    /// unused: such a value is better written anew.</summary>
    internal bool IsOversized(in Record record, long valueLength)
    {
        ref readonly var info = ref Pages[PageOf(record.Address)];
        return info.IsJumbo && RecordHeader.SizeFor(record.Flags, record.KeyLength, valueLength) <= info.FrameBytes / 2;
    }

    /// <summary>The pages records are appended to; 0 stands for none.</summary>
    internal ReadOnlySpan<int> OpenPages => _open;

    /// <summary>Whether the page new records go to is nearly full.</summary>
    internal bool IsNearlyFull
        => _open[(int)PageKind.Probation * _openDatabases] is not 0 and var page
            && Pages[page].FrameBytes - Pages[page].UsedBytes < PageBytes / 16;

    /// <summary>Changes the size of the pages opened from now on; no more than the largest.</summary>
    internal void SetPageBytes(int bytes)
    {
        Invariant.Check(bytes >= Limits.MinPageBytes && bytes <= _frames.FrameBytes, "a page fits its frame");
        PageBytes = bytes;
        _frames.FitHugePages(bytes);
    }

    /// <summary>From how many bytes on the pages of single records opened from now on count as huge.</summary>
    internal void SetHugeLimit(long bytes) => _table.HugeLimitBytes = bytes;

    /// <summary>Closes a page, so that it can be compacted or evicted.</summary>
    internal void Seal(int page)
    {
        ref readonly var info = ref Pages[page];
        if (info.IsOpen)
        {
            _open[OpenSlot(info.Kind, info.Database)] = 0;
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
        var retired = info;
        _table.Remove(page);
        _frames.Retire(retired);
    }

    /// <inheritdoc cref="PageFrames.Reclaim"/>
    internal bool Reclaim(int worker, int maxPages) => _frames.Reclaim(worker, maxPages);

    /// <summary>Closes a page for being written: from here on its records are read, but not changed in place.</summary>
    /// <returns>Where its bytes are and where they go.</returns>
    internal PageImage BeginWrite(int page)
    {
        Seal(page);
        ref readonly var info = ref Pages[page];
        LiveBytes -= info.LiveBytes;
        GarbageBytes -= info.GarbageBytes;
        return Device!.BeginWrite(page);
    }

    /// <summary>A page could not be written: it goes back to the young end of its queue.</summary>
    internal void FailWrite(int page)
    {
        Device!.FailWrite(page);
        ref readonly var info = ref Pages[page];
        LiveBytes += info.LiveBytes;
        GarbageBytes += info.GarbageBytes;
        if (info.LiveBytes == 0)
        {
            RetirePage(page);
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
            if (Pages[page].Kind > PageKind.Pinned)
            {
                Device!.Forget(page, Pages[page].LiveBytes);
            }
            else if (Pages[page].Kind != PageKind.Free)
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
        _budget.Charge(-PageMemoryBytes);
        _frames.Dispose();
        _table.Dispose();
    }

    /// <summary>The largest record that shares a page with others, bytes.</summary>
    internal long LargestShared
        => Math.Max(PageBytes >> Limits.JumboShift, Math.Min(PageBytes / 2, Limits.MinJumboBytes) - FirstOffset);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal long OffsetOf(ulong address)
        => (long)(address & ((1UL << _unitBits) - 1)) << RecordHeader.AlignmentBits;

    private void AddLive(int page, long bytes)
    {
        LiveBytes += bytes;
        _table.AddLive(page, bytes);
    }

    private int OpenSlot(PageKind kind, byte database) => ((int)kind * _openDatabases) + (database % _openDatabases);

    private int OpenFor(PageKind kind, byte database, long size)
    {
        var slot = OpenSlot(kind, database);
        var open = _open[slot];
        if (open != 0 && OffsetFor(open, size) + size <= Pages[open].FrameBytes)
        {
            return open;
        }

        var page = AddPage(kind, database, PageBytes, isJumbo: false);
        if (open != 0)
        {
            Seal(open);
        }

        return _open[slot] = page;
    }

    private static long JumboBytesFor(long size)
        => (size + FirstOffset + Limits.MinPageBytes - 1) & -(long)Limits.MinPageBytes;

    private int AddPage(PageKind kind, byte database, long bytes, bool isJumbo, long? keptBytes = null)
    {
        _table.EnsureNumber();
        var frame = keptBytes is { } kept ? _frames.RentPassage(bytes, kept) : _frames.Rent(bytes, isJumbo);
        var owner = _openDatabases == 1 ? (byte)0 : database;
        var start = _frames.Address(frame, isJumbo);
        return _table.Add(kind, owner, start, frame, bytes, keptBytes ?? bytes, isJumbo);
    }

    private long OffsetFor(int page, long size)
        => Device == null ? Pages[page].UsedBytes : RecordAlignment.OffsetFor(Pages[page].UsedBytes, size);

    private void Pad(int page, long padded)
    {
        ref var info = ref Pages[page];
        if (padded != info.UsedBytes)
        {
            ((RecordHeader*)(_places[page].Start + info.UsedBytes))->SetFiller(padded - info.UsedBytes);
            GarbageBytes += padded - info.UsedBytes;
            info.UsedBytes = padded;
        }
    }
}
