using System.Buffers.Binary;
using Strata.Storage.Strings;

namespace Strata.Server.Rdb;

/// <summary>Writes a listpack: its bytes (4) and elements (2, or 65535 for "count them"), elements, 255. An element is
/// its encoding, its bytes, and the length of both backwards in groups of seven bits. (The format is described in
/// listpack.md of its authors, https://github.com/antirez/listpack.)</summary>
internal static class ListpackWriter
{
    /// <summary>Bytes in front of the first element.</summary>
    public const int HeaderBytes = 6;

    /// <summary>Bytes of a listpack without elements.</summary>
    public const int FrameBytes = HeaderBytes + 1;

    /// <summary>What ends it.</summary>
    public const byte End = 0xFF;

    private const int MostCounted = ushort.MaxValue;
    private const int LengthBytes = 5;

    /// <summary>Begins a listpack at the start of an output.</summary>
    public static void Begin(RdbOutput output)
    {
        output.Clear();
        _ = output.Append(HeaderBytes);
    }

    /// <summary>Adds an element.</summary>
    public static void Add(RdbOutput output, ReadOnlySpan<byte> element)
    {
        if (CanonicalInteger.TryParse(element, out var value))
        {
            Add(output, value);
            return;
        }

        Span<byte> header = stackalloc byte[LengthBytes];
        var length = element.Length;
        if (length < 1 << 6)
        {
            header[0] = (byte)(0x80 | length);
            header = header[..1];
        }
        else if (length < 1 << 12)
        {
            header[0] = (byte)(0xE0 | (length >> 8));
            header[1] = (byte)length;
            header = header[..2];
        }
        else
        {
            header[0] = 0xF0;
            BinaryPrimitives.WriteInt32LittleEndian(header[1..], length);
        }

        output.Write(header);
        output.Write(element);
        WriteLengthBackwards(output, header.Length + length);
    }

    /// <summary>Adds an integer.</summary>
    public static void Add(RdbOutput output, long value)
    {
        switch (value)
        {
            case >= 0 and <= 127:
                output.WriteByte((byte)value);
                WriteLengthBackwards(output, 1);
                break;
            case >= -4096 and <= 4095:
                var room = output.Append(2);
                room[0] = (byte)(0xC0 | ((value >> 8) & 0x1F));
                room[1] = (byte)value;
                WriteLengthBackwards(output, 2);
                break;
            case >= short.MinValue and <= short.MaxValue:
                Add(output, 0xF1, value, sizeof(short));
                break;
            case >= -(1 << 23) and < 1 << 23:
                Add(output, 0xF2, value, 3);
                break;
            case >= int.MinValue and <= int.MaxValue:
                Add(output, 0xF3, value, sizeof(int));
                break;
            default:
                Add(output, 0xF4, value, sizeof(long));
                break;
        }
    }

    /// <summary>Ends the listpack.</summary>
    public static void Finish(RdbOutput output, long elements)
    {
        output.WriteByte(End);
        var bytes = output.Written;
        BinaryPrimitives.WriteInt32LittleEndian(bytes, bytes.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes[sizeof(int)..], (ushort)Math.Min(elements, MostCounted));
    }

    /// <summary>Bytes that an element takes.</summary>
    public static int BytesOf(ReadOnlySpan<byte> element)
    {
        var bytes = !CanonicalInteger.TryParse(element, out var value)
            ? element.Length + (element.Length < 1 << 6 ? 1 : element.Length < 1 << 12 ? 2 : LengthBytes)
            : value switch
            {
                >= 0 and <= 127 => 1,
                >= -4096 and <= 4095 => 2,
                >= short.MinValue and <= short.MaxValue => 1 + sizeof(short),
                >= -(1 << 23) and < 1 << 23 => 4,
                >= int.MinValue and <= int.MaxValue => 1 + sizeof(int),
                _ => 1 + sizeof(long),
            };
        return bytes + BackwardBytesOf(bytes);
    }

    /// <summary>Bytes of a length that is written backwards.</summary>
    public static int BackwardBytesOf(int length) => length switch
    {
        <= 127 => 1,
        < (1 << 14) - 1 => 2,
        < (1 << 21) - 1 => 3,
        < (1 << 28) - 1 => 4,
        _ => 5,
    };

    private static void Add(RdbOutput output, byte encoding, long value, int bytes)
    {
        Span<byte> all = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(all, value);
        output.WriteByte(encoding);
        output.Write(all[..bytes]);
        WriteLengthBackwards(output, 1 + bytes);
    }

    private static void WriteLengthBackwards(RdbOutput output, int length)
    {
        var room = output.Append(BackwardBytesOf(length));
        for (var i = room.Length - 1; i >= 0; i--)
        {
            room[i] = (byte)((length & 0x7F) | (i == 0 ? 0 : 0x80));
            length >>= 7;
        }
    }
}
