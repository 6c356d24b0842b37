using Strata.Server.Commands.Model;
using Strata.Server.Commands.Strings;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>Bit offsets as arguments: bit 0 is the highest of the first byte.</summary>
internal static class BitOffset
{
    /// <summary>The widest field of BITFIELD reaches this far behind the byte of its offset.</summary>
    private const int FieldBytes = 8;

    /// <summary>Reads the offset of a bit, which lies in the longest string there may be; answers Redis's error when
    /// it does not.</summary>
    public static bool TryRead(CommandContext context, int index, out long offset)
        => TryRead(context, context.Argument(index), multiplier: 1, out offset);

    /// <summary>Reads the offset of a field of <paramref name="width"/> bits: of a bit, or "#n" for the nth such
    /// field.</summary>
    public static bool TryReadField(CommandContext context, int index, int width, out long offset)
    {
        var text = context.Argument(index);
        return !text.IsEmpty && text[0] == '#'
            ? TryRead(context, text[1..], width, out offset)
            : TryRead(context, text, multiplier: 1, out offset);
    }

    private static bool TryRead(CommandContext context, ReadOnlySpan<byte> text, int multiplier, out long offset)
    {
        var longest = Math.Min(StringLimits.MaxBytes(context), Storage.Limits.MaxValueBytes - FieldBytes);
        if (NumberParser.TryParseInt64(text, out offset))
        {
            offset = unchecked(offset * multiplier); // It wraps round, as Redis's product does.
            if (offset >= 0 && offset >> 3 < longest)
            {
                return true;
            }
        }

        context.Reply.Error("ERR bit offset is not an integer or out of range"u8);
        return false;
    }
}
