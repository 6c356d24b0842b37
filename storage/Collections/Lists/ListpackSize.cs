using System.Buffers.Text;

namespace Strata.Storage.Collections.Lists;

/// <summary>
/// How much room Redis's listpack needs for elements: by it OBJECT ENCODING says "listpack" or "quicklist".
/// (The format is in the file listpack.md of its authors.)
/// </summary>
internal static class ListpackSize
{
    /// <summary>Bytes of a listpack around its elements.</summary>
    public const int FrameBytes = 7;

    private const int LongestInteger = 20;

    // The bytes that one more byte of a length read backwards, of seven bits each, makes room for.
    private const int LengthBits = 7;

    /// <summary>Bytes of an element.</summary>
    public static long Of(ReadOnlySpan<byte> element)
    {
        var bytes = IsInteger(element, out var value) ? OfInteger(value)
            : element.Length < 64 ? 1L + element.Length
            : element.Length < 4096 ? 2L + element.Length
            : 5L + element.Length;
        var backwards = 1;
        for (var left = bytes >> LengthBits; left > 0; left >>= LengthBits)
        {
            backwards++;
        }

        return bytes + backwards;
    }

    private static int OfInteger(long value) => value switch
    {
        >= 0 and <= 127 => 1,
        >= -4096 and <= 4095 => 2,
        >= short.MinValue and <= short.MaxValue => 3,
        >= -(1 << 23) and < 1 << 23 => 4,
        >= int.MinValue and <= int.MaxValue => 5,
        _ => 9,
    };

    /// <summary>Whether the text is an integer in its one canonical form.</summary>
    private static bool IsInteger(ReadOnlySpan<byte> text, out long value)
    {
        value = 0;
        if (text.IsEmpty || text.Length > LongestInteger)
        {
            return false;
        }

        var digits = text[0] == '-' ? text[1..] : text;
        if (digits.IsEmpty || digits[0] is < (byte)'0' or > (byte)'9' || (digits[0] == '0' && text.Length > 1))
        {
            return false;
        }

        return Utf8Parser.TryParse(text, out value, out var consumed) && consumed == text.Length;
    }
}
