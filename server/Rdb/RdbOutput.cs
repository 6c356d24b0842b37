using System.Buffers.Binary;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Server.Rdb;

/// <summary>Bytes in the RDB format, gathered in native memory that grows as needed and is charged to the budget. It
/// belongs to whoever has it at hand.</summary>
internal sealed unsafe class RdbOutput : IDisposable
{
    private const int LeastBytes = 4 << 10;

    private readonly BufferPool _buffers;
    private NativeBlock _block;
    private MemoryCharge _charge;

    /// <summary>No bytes yet, and no memory.</summary>
    public RdbOutput(MemoryBudget budget)
    {
        _buffers = budget.Buffers;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>Bytes written.</summary>
    public int Length { get; private set; }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>What was written; good until more is.</summary>
    public Span<byte> Written => new(_block.Start, Length);

    /// <summary>Forgets what was written, and keeps the memory.</summary>
    public void Clear() => Length = 0;

    /// <summary>Forgets what was written from a length on.</summary>
    public void Rewind(int length) => Length = length;

    /// <summary>Forgets what was written, and gives the memory back.</summary>
    public void Free()
    {
        Length = 0;
        _buffers.Free(ref _block, ref _charge);
    }

    /// <inheritdoc/>
    public void Dispose() => Free();

    /// <summary>Room for bytes that the caller writes, counted as written.</summary>
    /// <exception cref="MemoryExhaustedException">There is no memory, or they would be 2 GiB or more.</exception>
    public Span<byte> Append(int bytes)
    {
        var needed = (long)Length + bytes;
        if (needed > _block.Bytes)
        {
            Grow(needed);
        }

        var start = _block.Start + Length;
        Length = (int)needed;
        return new Span<byte>(start, bytes);
    }

    /// <summary>Bytes as they are.</summary>
    public void Write(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Append(bytes.Length));

    public void WriteByte(byte value) => Append(1)[0] = value;

    public void WriteInt64(long value) => BinaryPrimitives.WriteInt64LittleEndian(Append(sizeof(long)), value);

    public void WriteDouble(double value) => BinaryPrimitives.WriteDoubleLittleEndian(Append(sizeof(double)), value);

    /// <summary>A length, or another number that is not negative.</summary>
    public void WriteLength(long length)
    {
        var room = Append(RdbFormat.LengthBytes);
        Length -= RdbFormat.LengthBytes - RdbFormat.WriteLength(room, (ulong)length);
    }

    /// <summary>A string in the form that takes the fewest bytes.</summary>
    /// <param name="value">The string; it must not lie here.</param>
    /// <param name="compresses">Whether it may be packed.</param>
    public void WriteString(ReadOnlySpan<byte> value, bool compresses)
    {
        if (value.Length <= RdbFormat.LongestInteger && CanonicalInteger.TryParse(value, out var number)
            && number == (int)number)
        {
            WriteInteger((int)number);
            return;
        }

        if (compresses && value.Length > RdbFormat.LongestUnpacked
            && value.Length <= ServerLimits.MaxPackedStringBytes && TryPack(value))
        {
            return;
        }

        WriteLength(value.Length);
        Write(value);
    }

    private void WriteInteger(int number)
    {
        if (number == (sbyte)number)
        {
            var room = Append(2);
            room[0] = RdbFormat.Integer8;
            room[1] = (byte)number;
        }
        else if (number == (short)number)
        {
            var room = Append(1 + sizeof(short));
            room[0] = RdbFormat.Integer16;
            BinaryPrimitives.WriteInt16LittleEndian(room[1..], (short)number);
        }
        else
        {
            var room = Append(1 + sizeof(int));
            room[0] = RdbFormat.Integer32;
            BinaryPrimitives.WriteInt32LittleEndian(room[1..], number);
        }
    }

    /// <summary>Writes a string packed, if that makes it at least four bytes shorter.</summary>
    private bool TryPack(ReadOnlySpan<byte> value)
    {
        const int LeastSaved = 4;
        var start = Length;
        var most = value.Length - LeastSaved;
        const int HeaderRoom = 1 + (2 * RdbFormat.LengthBytes);
        var room = Append(HeaderRoom + most);
        var packed = LzfPacker.OfThread.Pack(value, room[HeaderRoom..]);
        Length = start;
        if (packed == 0)
        {
            return false;
        }

        room[0] = RdbFormat.PackedByLzf;
        var header = 1 + RdbFormat.WriteLength(room[1..], (ulong)packed);
        header += RdbFormat.WriteLength(room[header..], (ulong)value.Length);
        room.Slice(HeaderRoom, packed).CopyTo(room[header..]);
        Length = start + header + packed;
        return true;
    }

    private void Grow(long needed)
    {
        if (needed > int.MaxValue)
        {
            throw new MemoryExhaustedException("a value of 2 GiB or more cannot be written at once");
        }

        try
        {
            _buffers.Resize(ref _block, ref _charge, Math.Max(LeastBytes, BufferGrowth.Next(_block.Bytes, needed)));
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no {needed} bytes of memory", exception);
        }
    }
}
