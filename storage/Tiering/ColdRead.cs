using System.Runtime.InteropServices;
using Strata.Storage.Devices;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Tiering;

/// <summary>
/// One record's way from the device: a small read that brings its start, which for most is all of it; for a larger one
/// a second read of exactly its bytes. Pooled, with the memory a small record is kept in. Belongs to one worker.
/// </summary>
internal sealed unsafe class ColdRead : DeviceRequest, IDisposable
{
    /// <summary>Bytes of a first read's buffer: no first read crosses a sector of the largest size.</summary>
    public const int BufferBytes = Limits.MaxSectorBytes;

    /// <summary>Memory of the object itself, about, and with a record, at least.</summary>
    public const int ManagedBytes = 288, LeastHeldBytes = SmallBytes + ManagedBytes;

    private const int SmallBytes = 512;
    private const int MaxRequestBytes = 1 << 20;

    private readonly TierWorker _worker;
    private byte* _small;
    private NativeBlock _large;
    private long _largeBytes;
    private long _spentBytes;
    private byte* _unchecked;
    private uint _checksum;
    private bool _isFirst;
    private LogSegments _segments = null!;
    private LogSegment? _segment;
    private ColdReadSet _set = null!;
    private PageImage _image;
    private long _position;
    private long _start;
    private long _done;
    private int _asked;
    private Record _record;

    public ColdRead(TierWorker worker)
    {
        _worker = worker;
    }

    /// <summary>The shard's number and the record's address: what was asked for.</summary>
    public int Shard { get; private set; }

    /// <inheritdoc cref="Shard"/>
    public ulong Address { get; private set; }

    /// <summary>How often the page's number had been used when the record was asked for.</summary>
    public long Generation => _image.Generation;

    /// <summary>Whether only header and key are read, if they come with the first read.</summary>
    public bool IsHeadOnly { get; private set; }

    /// <summary>How far it is.</summary>
    public ColdReadState State { get; private set; }

    /// <summary>The errno of a read that the device failed.</summary>
    public int Error { get; private set; }

    /// <summary>The record, when <see cref="State"/> says that it is there.</summary>
    public Record Record => _record;

    /// <summary>What it holds, bytes.</summary>
    public long HeldBytes => LeastHeldBytes + _large.Bytes - _spentBytes;

    /// <summary>The last of its set's uses in which a look-up opened the record (<see cref="ColdReadSet.EndUse"/>); 0
    /// where it is still to be used.</summary>
    public long Use { get; set; }

    /// <summary>Memory that is kept for the next read, bytes charged to the budget.</summary>
    public int KeptBytes => _small == null ? 0 : SmallBytes;

    /// <summary>Begins to read a record, whose place is pinned.</summary>
    /// <param name="set">Whose it is.</param>
    /// <param name="ask">What is read.</param>
    /// <param name="segments">The shard's segments.</param>
    /// <param name="pinned">That in which the record lies, retained for the read.</param>
    public void Start(ColdReadSet set, in ColdAsk ask, LogSegments segments, LogSegment pinned)
    {
        _set = set;
        Shard = ask.Shard;
        Address = ask.Address;
        IsHeadOnly = ask.IsHeadOnly;
        _image = ask.Image;
        _position = ask.Position;
        _segments = segments;
        _segment = pinned;
        Use = 0;
        State = ColdReadState.Reading;
        _worker.Reads++;
        BeginFirst();
    }

    /// <summary>Gives the read back; it must have ended.</summary>
    public void Return() => _worker.ReadPool.Return(this);

    /// <summary>Gives up the memory of the value's first bytes, as far as it is much: they are part of a large
    /// collection. The value's head stays, for who makes that; nobody else can look at the record any more.</summary>
    /// <param name="valueBytes">How many.</param>
    public void Spend(long valueBytes)
    {
        const long Mask = ReservedRegion.HugePageBytes - 1; // The kernel gives those back as a whole only.
        var value = (long)_record.KeyPointer + _record.KeyLength;
        var first = ((value + Limits.MaxSectorBytes + Mask) & ~Mask) + _spentBytes;
        var end = (value + valueBytes) & ~Mask;
        if (end <= first || !_large.IsMapped)
        {
            return;
        }

        State = ColdReadState.Spent;
        _large.Release(first - (long)_large.Start, end - first);
        _spentBytes += end - first;
        _worker.Budget.Charge(first - end);
        _set.OnSpent(end - first);
    }

    /// <summary>Forgets the record.</summary>
    public void Clear()
    {
        FreeLarge();
        _record = default;
        State = ColdReadState.Idle;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        FreeLarge();
        if (_small != null)
        {
            NativeMemory.Free(_small);
            _worker.Budget.Charge(-SmallBytes);
            _small = null;
        }
    }

    /// <summary>Puts a record that was read again since it left memory back there, if so configured, and if its shard's
    /// lease is free.</summary>
    public void CopyToTail(long nowMs)
    {
        if (State != ColdReadState.Read || IsHeadOnly || !_worker.Tier.CopiesReadsToTail || _worker.Budget.IsOver)
        {
            return;
        }

        var shard = _worker.Tier.Shard(Shard);
        if (shard.Store.Lease.TryAcquire())
        {
            try
            {
                _worker.CopiedRecords += shard.TryCopyToTail(Record, Generation) ? 1 : 0;
            }
            finally
            {
                shard.Store.Release(_worker.Number, nowMs);
            }
        }
    }

    /// <inheritdoc/>
    protected internal override void OnCompleted(int result)
    {
        if (_isFirst)
        {
            EndFirst(result);
        }
        else
        {
            EndPart(result);
        }
    }

    /// <summary>Reads the record's start.</summary>
    private void BeginFirst()
    {
        _isFirst = true;
        var sectorBytes = _worker.SectorBytes;
        _start = _position & -sectorBytes;
        var end = Math.Min(_position + Limits.FirstReadBytes, (_position & -BufferBytes) + BufferBytes);
        end = Math.Min(end, _image.Offset + _image.DeviceBytes);
        _asked = (int)(((end + sectorBytes - 1) & -sectorBytes) - _start);
        _worker.ReadLent(this, _segments.DeviceOffset(_start), _asked);
    }

    private void EndFirst(int result)
    {
        _isFirst = false;
        var available = result - (_position - _start);
        var left = _image.UsedBytes - (_position - _image.Offset);
        if (result < _asked) // A page is written whole: not even its end may be missing.
        {
            Fail(result < 0 ? -result : Errno.InputOutput);
            return;
        }

        var start = Buffer + (_position - _start);
        if (!Record.TryParse(start, left, Address, out var record))
        {
            End(ColdReadState.Damaged);
            return;
        }

        var bytes = EndOf(record) - start;
        if (bytes <= available)
        {
            if (IsRefused(bytes))
            {
                return;
            }

            Keep(start, bytes, left);
            Check();
        }
        else if (IsHeadOnly && record.KeyPointer + record.KeyLength - start <= available)
        {
            KeepHead(record, start, left);
        }
        else
        {
            IsHeadOnly = false;
            BeginSecond(bytes);
        }
    }

    /// <summary>Ends the read where its record cannot be held. Of one that has its page alone it was known how large it
    /// is when there was room for it.</summary>
    private bool IsRefused(long bytes)
    {
        var state = _set.Admit(bytes, isKnown: bytes <= SmallBytes || _image.HeadChecksum != 0);
        if (state == ColdReadState.Reading)
        {
            return false;
        }

        End(state);
        return true;
    }

    private void BeginSecond(long bytes)
    {
        var sectorBytes = _worker.SectorBytes;
        var end = (_position + bytes + sectorBytes - 1) & -sectorBytes;
        if (IsRefused(end - _start))
        {
            return;
        }

        _worker.SecondReads++;
        if (!TryRentLarge(end - _start, isAligned: true))
        {
            Fail(Errno.NoMemory);
            return;
        }

        _done = 0;
        ReadPart();
    }

    /// <summary>Reads on: large records in parts, none of which crosses the end of a segment.</summary>
    private void ReadPart()
    {
        var from = _start + _done;
        var toBoundary = MaxRequestBytes - (from & (MaxRequestBytes - 1));
        _asked = (int)Math.Min(_largeBytes - _done, toBoundary);
        _worker.Read(this, _segments.DeviceOffset(from), _large.Start + _done, _asked);
    }

    private void EndPart(int result)
    {
        if (result < _asked)
        {
            Fail(result < 0 ? -result : Errno.InputOutput);
            return;
        }

        _done += result;
        if (!TryCheckPart())
        {
            End(ColdReadState.Damaged);
        }
        else if (_done < _largeBytes)
        {
            ReadPart();
        }
        else
        {
            End(RecordChecksum.IsStored(_record, _checksum) ? ColdReadState.Read : ColdReadState.Damaged);
        }
    }

    /// <summary>Goes on with the checksum, part by part, so that no large record takes long.</summary>
    /// <returns>False when this is not the start of a record that was read whole.</returns>
    private bool TryCheckPart()
    {
        if (_record.IsNull)
        {
            var left = _image.UsedBytes - (_position - _image.Offset);
            if (!Record.TryParse(_large.Start + (_position - _start), left, Address, out _record)
                || EndOf(_record) > _large.Start + _largeBytes)
            {
                return false;
            }

            _checksum = RecordChecksum.Begin(_record, _image.Generation);
            _unchecked = _record.KeyPointer;
        }

        var end = EndOf(_record) < _large.Start + _done ? EndOf(_record) : _large.Start + _done;
        _checksum = RecordChecksum.Continue(_checksum, _unchecked, Math.Max(0, end - _unchecked));
        _unchecked = end > _unchecked ? end : _unchecked;
        return true;
    }

    private static byte* EndOf(in Record record) => record.KeyPointer + record.KeyLength + (long)record.ValueLength;

    /// <summary>Copies what is wanted of a record that the first read brought, so that its buffer serves the next.
    /// </summary>
    private void Keep(byte* start, long bytes, long left)
    {
        byte* target;
        if (bytes <= SmallBytes)
        {
            target = RentSmall();
        }
        else
        {
            target = TryRentLarge(bytes, isAligned: false) ? _large.Start : null;
        }

        if (target != null)
        {
            System.Buffer.MemoryCopy(start, target, bytes, bytes);
            _ = Record.TryParse(target, left, Address, out _record);
        }
    }

    /// <summary>Copies what can be told of a large record without its value. The page's place in memory has the
    /// checksum of that: the record's own is over all of it.</summary>
    private void KeepHead(in Record record, byte* start, long left)
    {
        if (RecordChecksum.OfHead(record, _image.Generation) != _image.HeadChecksum)
        {
            End(ColdReadState.Damaged);
            return;
        }

        Keep(start, record.KeyPointer + record.KeyLength - start, left);
        if (_record.IsNull)
        {
            Fail(Errno.NoMemory);
            return;
        }

        _record.SetWithoutValue();
        End(ColdReadState.Read);
    }

    private void Check()
    {
        if (_record.IsNull)
        {
            Fail(Errno.NoMemory);
        }
        else if (RecordChecksum.IsRight(_record, _image.Generation))
        {
            End(ColdReadState.Read);
        }
        else
        {
            End(ColdReadState.Damaged);
        }
    }

    private void Fail(int errno)
    {
        Error = errno;
        _worker.FailedReads++;
        End(ColdReadState.Failed);
    }

    private void End(ColdReadState state)
    {
        _worker.DamagedRecords += state == ColdReadState.Damaged ? 1 : 0;
        State = state;
        _segment!.Release();
        _segment = null;
        _set.OnRead(this);
    }

    private byte* RentSmall()
    {
        if (_small == null)
        {
            _small = (byte*)NativeMemory.Alloc(SmallBytes);
            _set.OnCharged(SmallBytes);
            _worker.Budget.Charge(SmallBytes);
        }

        return _small;
    }

    private bool TryRentLarge(long bytes, bool isAligned)
    {
        _set.OnCharged(bytes); // Before it is charged, and while it is mapped: nobody is to see it twice.
        try
        {
            var buffers = _worker.Budget.Buffers;
            _large = isAligned ? buffers.AllocateAligned(bytes) : buffers.Allocate(bytes, fits: true);
        }
        catch (OutOfMemoryException)
        {
            return false;
        }

        _largeBytes = bytes;
        _worker.Budget.Charge(_large.Bytes);
        return true;
    }

    private void FreeLarge()
    {
        _worker.Budget.Charge(_spentBytes - _large.Bytes);
        _worker.Budget.Buffers.Free(_large);
        _large = default;
        (_largeBytes, _spentBytes) = (0, 0);
    }
}
