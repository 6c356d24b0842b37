using Strata.Storage.Strings;

namespace Strata.Storage.Collections;

/// <summary>
/// How much room Redis's listpack needs for elements: by it OBJECT ENCODING says "listpack" or "quicklist".
/// (The format is in the file listpack.md of its authors.)
/// </summary>
internal static class ListpackSize
{
    /// <summary>Bytes of a listpack around its elements.</summary>
    public const int FrameBytes = 7;

    // The bytes that one more byte of a length read backwards, of seven bits each, makes room for.
    private const int LengthBits = 7;

    /// <summary>Bytes of an element.</summary>
    public static long Of(ReadOnlySpan<byte> element)
        => CanonicalInteger.TryParse(element, out var value) ? Of(value) : OfText(element.Length);

    /// <summary>Bytes of an element that is no integer.</summary>
    public static long OfText(int length)
        => WithLength((length < 64 ? 1L : length < 4096 ? 2L : 5L) + length);

    /// <summary>Bytes of an integer.</summary>
    public static long Of(long value) => WithLength(OfInteger(value));

    /// <summary>Bytes of an element with the length that is read backwards.</summary>
    private static long WithLength(long bytes)
    {
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
}
