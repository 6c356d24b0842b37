using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Strata.Server.Rdb;

/// <summary>Reads bytes in Redis's RDB format. What is not right is never read past.</summary>
internal ref struct RdbReader
{
    private const byte Length32 = 0x80;
    private const byte Length64 = 0x81;
    private const int PackedByLzf = 3;

    private ReadOnlySpan<byte> _left;

    /// <summary>Begins at the first of the bytes.</summary>
    public RdbReader(ReadOnlySpan<byte> bytes)
    {
        _left = bytes;
    }

    /// <summary>Whether there are no more.</summary>
    public readonly bool IsAtEnd => _left.IsEmpty;

    /// <summary>Reads a byte.</summary>
    public bool TryReadByte(out byte value)
    {
        value = _left.IsEmpty ? default : _left[0];
        return TrySkip(1);
    }

    /// <summary>Reads a string, in whatever form it was written: as it is, as an integer, or packed.</summary>
    /// <param name="most">Bytes that it may have at most.</param>
    /// <param name="value">The string.</param>
    public bool TryReadString(int most, [NotNullWhen(true)] out byte[]? value)
    {
        value = null;
        if (!TryReadLength(out var length, out var isForm))
        {
            return false;
        }

        if (!isForm)
        {
            if (length > most || length > _left.Length)
            {
                return false;
            }

            value = _left[..(int)length].ToArray();
            return TrySkip((int)length);
        }

        return length == PackedByLzf ? TryReadPacked(most, out value) : TryReadInteger((int)length, out value);
    }

    /// <summary>Reads a length, or a number that names the form of what follows.</summary>
    private bool TryReadLength(out long length, out bool isForm)
    {
        length = 0;
        isForm = false;
        if (!TryReadByte(out var first))
        {
            return false;
        }

        length = first & 0x3F;
        switch (first >> 6)
        {
            case 0:
                return true;
            case 1:
                length = (length << 8) | (_left.IsEmpty ? 0L : _left[0]);
                return TrySkip(1);
            case 2:
                return TryReadLongLength(first, out length);
            default:
                isForm = true;
                return true;
        }
    }

    private bool TryReadLongLength(byte form, out long length)
    {
        length = 0;
        if (form == Length32 && _left.Length >= 4)
        {
            length = BinaryPrimitives.ReadUInt32BigEndian(_left);
            return TrySkip(4);
        }

        if (form == Length64 && _left.Length >= 8)
        {
            length = BinaryPrimitives.ReadInt64BigEndian(_left);
            return length >= 0 && TrySkip(8);
        }

        return false;
    }

    private bool TryReadInteger(int form, [NotNullWhen(true)] out byte[]? value)
    {
        value = null;
        if (form > 2 || _left.Length < 1 << form)
        {
            return false;
        }

        var number = form switch
        {
            0 => (sbyte)_left[0],
            1 => BinaryPrimitives.ReadInt16LittleEndian(_left),
            _ => BinaryPrimitives.ReadInt32LittleEndian(_left),
        };
        value = Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));
        return TrySkip(1 << form);
    }

    private bool TryReadPacked(int most, [NotNullWhen(true)] out byte[]? value)
    {
        value = null;
        if (!TryReadLength(out var packed, out var isForm) || isForm || !TryReadLength(out var length, out isForm)
            || isForm || packed > _left.Length || length > most || length > Lzf.MostBytes(packed))
        {
            return false;
        }

        value = new byte[length];
        return Lzf.TryUnpack(_left[..(int)packed], value) && TrySkip((int)packed);
    }

    private bool TrySkip(int count)
    {
        if (count > _left.Length)
        {
            return false;
        }

        _left = _left[count..];
        return true;
    }
}
