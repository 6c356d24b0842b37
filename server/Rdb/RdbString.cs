using System.Buffers.Binary;
using Strata.Storage;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Server.Rdb;

/// <summary>A string that is read from an input, in whatever form it was written: it lies in the input, which has to
/// keep it at hand, or here, where it was unpacked or an integer was made text.</summary>
internal sealed unsafe class RdbString
{
    private const int LeastBytes = 64;
    private const int KeptBytes = 64 << 10;

    private readonly MemoryBudget _budget;
    private readonly byte[] _digits = new byte[CanonicalInteger.MaxBytes];
    private NativeBlock _block;
    private MemoryCharge _charge;
    private Place _place;
    private long _offset;
    private int _length;

    /// <summary>No string yet.</summary>
    /// <param name="budget">What is charged for what is unpacked.</param>
    public RdbString(MemoryBudget budget)
    {
        _budget = budget;
        _charge = new MemoryCharge(budget);
    }

    private enum Place
    {
        Input,
        Digits,
        Memory,
    }

    /// <summary>Reads the next string.</summary>
    /// <exception cref="RdbException">There is none.</exception>
    public void Read(RdbInput input)
    {
        var offset = input.Offset;
        if (input.TryReadLength(out var length))
        {
            _place = Place.Input;
            _length = CheckLength(length, offset);
            _ = input.Read(_length);
            _offset = input.Offset - _length;
            return;
        }

        switch (length | 0xC0)
        {
            case RdbFormat.Integer8:
                SetInteger((sbyte)input.ReadByte());
                break;
            case RdbFormat.Integer16:
                SetInteger(BinaryPrimitives.ReadInt16LittleEndian(input.Read(sizeof(short))));
                break;
            case RdbFormat.Integer32:
                SetInteger(BinaryPrimitives.ReadInt32LittleEndian(input.Read(sizeof(int))));
                break;
            case RdbFormat.PackedByLzf:
                Unpack(input, offset);
                break;
            default:
                throw new RdbException($"no form of strings has the number {length}", offset);
        }
    }

    /// <summary>Reads past the next string, unless it goes on behind an offset.</summary>
    /// <returns>False if it does, where what was read of it is of no use.</returns>
    /// <inheritdoc cref="Read"/>
    public static bool TrySkip(RdbInput input, long end)
    {
        var offset = input.Offset;
        if (!input.TryReadLength(out var length))
        {
            length = PackedLength(input, (int)length, offset);
        }

        var bytes = CheckLength(length, offset);
        if (bytes > end - input.Offset)
        {
            return false;
        }

        input.Skip(bytes);
        return true;
    }

    private static long PackedLength(RdbInput input, int form, long offset)
    {
        switch (form | 0xC0)
        {
            case RdbFormat.Integer8 or RdbFormat.Integer16 or RdbFormat.Integer32:
                return 1 << form;
            case RdbFormat.PackedByLzf:
                var packed = input.ReadLength();
                _ = input.ReadLength();
                return packed;
            default:
                throw new RdbException($"no form of strings has the number {form}", offset);
        }
    }

    /// <summary>The string: of the input that it was read from, as long as that keeps it at hand.</summary>
    public ReadOnlySpan<byte> In(RdbInput input) => _place switch
    {
        Place.Input => input.Again(_offset, _length),
        Place.Digits => _digits.AsSpan(0, _length),
        _ => new ReadOnlySpan<byte>(_block.Start, _length),
    };

    /// <summary>Has the string lie here, whatever becomes of the input.</summary>
    public void Take(RdbInput input)
    {
        if (_place == Place.Input)
        {
            Resize(_length);
            input.Again(_offset, _length).CopyTo(new Span<byte>(_block.Start, _length));
            _place = Place.Memory;
        }
    }

    /// <summary>The string is not needed any more: gives memory back, if it is much.</summary>
    public void Forget()
    {
        _place = Place.Digits;
        _length = 0;
        if (_block.Bytes > KeptBytes)
        {
            Free();
        }
    }

    /// <summary>Gives all memory back; who needs no more strings must.</summary>
    public void Free() => _budget.Buffers.Free(ref _block, ref _charge);

    private static int CheckLength(long length, long offset)
        => length <= Limits.MaxValueBytes
            ? (int)length
            : throw new RdbException($"a string of {length} bytes is longer than 1 GB", offset);

    private void SetInteger(int value)
    {
        _place = Place.Digits;
        _length = CanonicalInteger.Format(value, _digits);
    }

    private void Unpack(RdbInput input, long offset)
    {
        var packedLength = CheckLength(input.ReadLength(), offset);
        var length = CheckLength(input.ReadLength(), offset);
        var packed = input.Read(packedLength);
        if (Lzf.LengthOf(packed) != length)
        {
            throw new RdbException($"what is packed by LZF does not become {length} bytes", offset);
        }

        Resize(length);
        if (!Lzf.TryUnpack(packed, new Span<byte>(_block.Start, length)))
        {
            throw new RdbException("what is packed by LZF is damaged", offset);
        }

        _place = Place.Memory;
        _length = length;
    }

    private void Resize(int length)
    {
        if (length <= _block.Bytes)
        {
            return;
        }

        Free();
        if (length > KeptBytes && _budget.WouldPassEndNow(length))
        {
            throw new NoRoomException(length, "command not allowed when used memory > 'maxmemory'.");
        }

        try
        {
            _budget.Buffers.Resize(ref _block, ref _charge, Math.Max(length, LeastBytes));
        }
        catch (OutOfMemoryException exception)
        {
            throw new MemoryExhaustedException($"the system gave no {length} bytes of memory", exception);
        }
    }
}
