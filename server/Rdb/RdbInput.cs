using System.Buffers.Binary;
using Strata.Storage;
using Strata.Storage.Memory;

namespace Strata.Server.Rdb;

/// <summary>
/// Bytes in the RDB format to be read: a payload that lies in memory, or a source of which some are at hand. Every
/// length in them may be a lie: memory is taken as bytes come, never because a length says that they will.
/// </summary>
internal sealed unsafe class RdbInput : IDisposable
{
    private const int WindowBytes = 256 << 10;

    private readonly IRdbSource? _source;
    private readonly BufferPool? _buffers;
    private readonly bool _sums;
    private NativeBlock _block;
    private MemoryCharge _charge;
    private Crc64 _crc;

    // Where the bytes end that the checksum is of.
    private long _summed;

    // What is at hand: its first byte, where that is in the whole, and how many there are.
    private byte* _start;
    private long _startOffset;
    private long _length;

    // From where on bytes stay at hand though they were read; long.MaxValue for nowhere.
    private long _kept = long.MaxValue;

    /// <summary>A payload, which stays where it is unless it is told otherwise.</summary>
    public RdbInput(byte* start, long length)
    {
        _start = start;
        _length = length;
    }

    /// <summary>A source.</summary>
    /// <param name="source">Where bytes come from.</param>
    /// <param name="budget">What is charged for those at hand.</param>
    /// <param name="sums">Whether their checksum is wanted.</param>
    public RdbInput(IRdbSource source, MemoryBudget budget, bool sums)
    {
        _source = source;
        _buffers = budget.Buffers;
        _charge = new MemoryCharge(budget);
        _sums = sums;
    }

    /// <summary>Bytes that were read, from the beginning.</summary>
    public long Offset { get; private set; }

    /// <summary>Bytes that are at hand and were not read yet.</summary>
    public ReadOnlySpan<byte> Unread => new(_start + (Offset - _startOffset), (int)Math.Min(AtHand, int.MaxValue));

    private long AtHand => _startOffset + _length - Offset;

    /// <summary>The payload lies at another place from here on.</summary>
    public void Move(byte* start) => _start = start;

    /// <summary>Another payload, from its beginning.</summary>
    /// <param name="start">Its first byte.</param>
    /// <param name="length">Bytes.</param>
    /// <param name="offset">Where the first byte is in the whole.</param>
    public void Reset(byte* start, long length, long offset = 0)
    {
        _start = start;
        _length = length;
        _startOffset = offset;
        Offset = offset;
    }

    /// <summary>Keeps what is read from here on at hand.</summary>
    public void Keep() => _kept = Offset;

    /// <summary>Keeps nothing any more.</summary>
    public void Release() => _kept = long.MaxValue;

    /// <summary>Goes back to what is kept, which is to be read again, and keeps nothing any more.</summary>
    public void Return()
    {
        Offset = _kept;
        Release();
    }

    /// <summary>Bytes that were read, and are still at hand.</summary>
    public ReadOnlySpan<byte> Again(long offset, int count) => new(_start + (offset - _startOffset), count);

    /// <summary>Reads bytes; they are at hand until more are read, or longer if they are kept.</summary>
    /// <exception cref="RdbException">There are not as many.</exception>
    public ReadOnlySpan<byte> Read(int count)
    {
        Require(count);
        Offset += count;
        return Again(Offset - count, count);
    }

    public byte ReadByte() => Read(1)[0];

    private byte Peek()
    {
        Require(1);
        return Again(Offset, 1)[0];
    }

    public long ReadInt64() => BinaryPrimitives.ReadInt64LittleEndian(Read(sizeof(long)));

    /// <summary>Reads a length, or another number that is not negative.</summary>
    public long ReadLength()
    {
        var offset = Offset;
        return TryReadLength(out var length) ? length : throw new RdbException("a length is expected", offset);
    }

    /// <summary>Reads a number that may have 64 bits.</summary>
    public ulong ReadNumber()
    {
        if (Peek() != RdbFormat.Length64)
        {
            return (ulong)ReadLength();
        }

        _ = ReadByte();
        return BinaryPrimitives.ReadUInt64BigEndian(Read(sizeof(ulong)));
    }

    /// <summary>Reads a length, or a number that names the form of what follows.</summary>
    /// <returns>Whether it is a length.</returns>
    public bool TryReadLength(out long length)
    {
        var first = ReadByte();
        length = first & 0x3F;
        switch (first >> 6)
        {
            case 0:
                return true;
            case 1:
                length = (length << 8) | ReadByte();
                return true;
            case 2 when first == RdbFormat.Length32:
                length = BinaryPrimitives.ReadUInt32BigEndian(Read(sizeof(uint)));
                return true;
            case 2 when first == RdbFormat.Length64:
                length = BinaryPrimitives.ReadInt64BigEndian(Read(sizeof(long)));
                return length >= 0 ? true : throw new RdbException("a length is negative", Offset - sizeof(long));
            case 2:
                throw new RdbException($"no length begins with {first}", Offset - 1);
            default:
                return false;
        }
    }

    /// <summary>Reads past bytes, of which none need be at hand.</summary>
    /// <exception cref="RdbException">There are not as many.</exception>
    public void Skip(long count)
    {
        while (count > 0)
        {
            var piece = (int)Math.Min(count, _source == null ? int.MaxValue : WindowBytes);
            _ = Read(piece);
            count -= piece;
        }
    }

    /// <summary>The checksum of all that was read.</summary>
    public ulong Sum()
    {
        Sum(Offset);
        return _crc.Value;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _buffers?.Free(ref _block, ref _charge);
        _start = null;
        _length = 0;
    }

    /// <summary>Takes bytes into the checksum.</summary>
    private void Sum(long end)
    {
        if (_sums && end > _summed)
        {
            _crc.Add(Again(_summed, (int)(end - _summed)));
            _summed = end;
        }
    }

    private void Require(int count)
    {
        if (AtHand < count)
        {
            Fill(count);
        }
    }

    private void Fill(int count)
    {
        if (_source == null)
        {
            throw Torn(count);
        }

        DropRead();
        while (AtHand < count)
        {
            if (_length == _block.Bytes)
            {
                Grow();
            }

            var room = (int)Math.Min(_block.Bytes - _length, Limits.MaxValueBytes);
            var read = _source.Read(new Span<byte>(_start + _length, room));
            if (read == 0)
            {
                throw Torn(count);
            }

            _length += read;
        }
    }

    /// <summary>Makes room of what was read, and is not kept.</summary>
    private void DropRead()
    {
        var end = Math.Min(Offset, _kept);
        Sum(end);
        var dropped = end - _startOffset;
        if (dropped > 0)
        {
            var left = _length - dropped;
            Buffer.MemoryCopy(_start + dropped, _start, left, left);
            _startOffset = end;
            _length = left;
        }

        if (_length == 0 && _block.Bytes > WindowBytes * 4)
        {
            _buffers!.Free(ref _block, ref _charge); // A long string was read.
            _start = null;
        }
    }

    /// <summary>Takes more memory: as much again as bytes have come.</summary>
    private void Grow()
    {
        try
        {
            var bytes = Math.Max(WindowBytes, BufferGrowth.Next(_block.Bytes, _block.Bytes + 1));
            _buffers!.Resize(ref _block, ref _charge, bytes);
            _start = _block.Start;
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException("the system gave no memory for what is read", exception);
        }
    }

    private RdbException Torn(int count)
        => new($"{count} bytes are expected and only {AtHand} follow", Offset);
}
