using Strata.Server.Commands.Model;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>The type of a bit field: "i1" to "i64" and "u1" to "u63".</summary>
/// <param name="IsSigned">Whether it is two's complement.</param>
/// <param name="Width">Bits.</param>
internal readonly record struct BitFieldType(bool IsSigned, int Width)
{
    /// <summary>Bytes that a field may touch, when it begins inside one.</summary>
    private const int WindowBytes = 9;
    private const int WindowBits = WindowBytes * 8;

    private ulong Mask => ulong.MaxValue >> (64 - Width);

    private long Max => (long)(IsSigned ? Mask >> 1 : Mask);

    private long Min => IsSigned ? -Max - 1 : 0;

    /// <summary>Reads a type; answers Redis's error when it is none.</summary>
    public static bool TryRead(CommandContext context, int index, out BitFieldType type)
    {
        var text = context.Argument(index);
        var isSigned = !text.IsEmpty && text[0] == 'i';
        var isType = isSigned || (!text.IsEmpty && text[0] == 'u');
        if (isType && NumberParser.TryParseInt64(text[1..], out var width)
            && width >= 1 && width <= (isSigned ? 64 : 63))
        {
            type = new BitFieldType(isSigned, (int)width);
            return true;
        }

        context.Reply.Error(
            "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is."u8);
        type = default;
        return false;
    }

    /// <summary>The field at a bit offset; bits beyond the end are 0.</summary>
    public long Get(ReadOnlySpan<byte> bytes, long offset)
    {
        var window = Window(bytes, (int)(offset >> 3));
        var field = (ulong)(window >> (WindowBits - (int)(offset & 7) - Width)) & Mask;
        return IsSigned ? SignExtend(field) : (long)field;
    }

    /// <summary>Writes the low bits of a value to the field at a bit offset, all of which lies in <paramref
    /// name="bytes"/>.</summary>
    public void Set(Span<byte> bytes, long offset, long value)
    {
        var start = (int)(offset >> 3);
        var shift = WindowBits - (int)(offset & 7) - Width;
        var window = Window(bytes, start) & ~((UInt128)Mask << shift);
        window |= (UInt128)((ulong)value & Mask) << shift;
        var end = Math.Min(start + WindowBytes, bytes.Length);
        for (var i = start; i < end; i++)
        {
            bytes[i] = (byte)(window >> (WindowBits - 8 - ((i - start) * 8)));
        }
    }

    /// <summary>Adds two numbers into a field of this type. With no increment the value may be any; that of an
    /// unsigned field is then taken as an unsigned number.</summary>
    /// <returns>False when the sum does not fit and the field is to be left alone.</returns>
    public bool TryAdd(long value, long increment, BitFieldOverflow overflow, out long sum)
    {
        var exact = IsSigned ? (Int128)value + increment : (Int128)(ulong)value + increment;
        sum = unchecked(value + increment);
        if (exact >= Min && exact <= Max)
        {
            return true;
        }

        if (overflow == BitFieldOverflow.Saturate)
        {
            sum = exact > Max || IsTooFarBelow(value) ? Max : Min;
        }
        else
        {
            sum = IsSigned ? SignExtend((ulong)sum & Mask) : (long)((ulong)sum & Mask);
        }

        return overflow != BitFieldOverflow.Fail;
    }

    /// <summary>Redis takes a number so far below the field's range that the distance has no 64 bits for one above it.
    /// </summary>
    private bool IsTooFarBelow(long value) => IsSigned && Width < 64 && (Int128)Max - value > long.MaxValue;

    private static UInt128 Window(ReadOnlySpan<byte> bytes, int start)
    {
        var window = UInt128.Zero;
        for (var i = start; i < start + WindowBytes; i++)
        {
            window = (window << 8) | (i < bytes.Length ? bytes[i] : (byte)0);
        }

        return window;
    }

    private long SignExtend(ulong field) => (long)(field << (64 - Width)) >> (64 - Width);
}
