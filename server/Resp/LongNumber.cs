using System.Buffers;
using System.Buffers.Text;

namespace Strata.Server.Resp;

/// <summary>Shortens numbers of very many digits to some hundreds, which read as the same double: zeros before the
/// first digit that counts are left out, and what follows those that count is one digit, which says on which side the
/// number lies. All is looked at many bytes at a time.</summary>
internal static class LongNumber
{
    /// <summary>Bytes of the shortest number for which it is worth it.</summary>
    public const int LeastBytes = 1024;

    /// <summary>The most bytes of what is made of one.</summary>
    public const int MostBytes = DecimalDigits + 64;

    // No halfway between two doubles has more than 768 digits.
    private const int DecimalDigits = 800;
    private const int HexadecimalDigits = 32;
    private const long ExponentBound = 1_000_000;

    private static readonly SearchValues<byte> s_hexadecimal = SearchValues.Create("0123456789abcdefABCDEF"u8);

    /// <summary>Shortens a decimal number without a sign.</summary>
    /// <param name="number">The number.</param>
    /// <param name="target">Where the shorter one is written, <see cref="MostBytes"/>.</param>
    /// <param name="length">Its bytes.</param>
    /// <returns>False when it is no number.</returns>
    public static bool TryShortenDecimal(ReadOnlySpan<byte> number, Span<byte> target, out int length)
    {
        length = 0;
        var end = number.IndexOfAny((byte)'e', (byte)'E');
        var exponent = 0L;
        if ((end >= 0 && !DoubleParser.TryParseExponent(number[(end + 1)..], out exponent))
            || !TrySplit(end < 0 ? number : number[..end], out var whole, out var fraction)
            || whole.ContainsAnyExceptInRange((byte)'0', (byte)'9')
            || fraction.ContainsAnyExceptInRange((byte)'0', (byte)'9'))
        {
            return false;
        }

        "0.0"u8.CopyTo(target);
        var digits = Gather(whole, fraction, DecimalDigits, target[2..], out var point);
        length = 2 + Math.Max(1, digits);
        target[length++] = (byte)'e';
        var shifted = Math.Clamp(point + exponent, -ExponentBound, ExponentBound);
        _ = Utf8Formatter.TryFormat(shifted, target[length..], out var written);
        length += written;
        return true;
    }

    /// <summary>Shortens the digits of a hexadecimal number to those of an integer.</summary>
    /// <param name="mantissa">The digits, perhaps with a point.</param>
    /// <param name="target">Where the integer is written, <see cref="MostBytes"/>.</param>
    /// <param name="length">Its bytes.</param>
    /// <param name="shift">How many digits it is to be moved to the left.</param>
    /// <returns>False when it is no number.</returns>
    public static bool TryShortenHexadecimal(
        ReadOnlySpan<byte> mantissa, Span<byte> target, out int length, out long shift)
    {
        (length, shift) = (0, 0);
        if (!TrySplit(mantissa, out var whole, out var fraction)
            || whole.ContainsAnyExcept(s_hexadecimal)
            || fraction.ContainsAnyExcept(s_hexadecimal))
        {
            return false;
        }

        target[0] = (byte)'0';
        var digits = Gather(whole, fraction, HexadecimalDigits, target, out var point);
        length = Math.Max(1, digits);
        shift = digits == 0 ? 0 : point - digits;
        return true;
    }

    /// <summary>Splits digits at their point.</summary>
    /// <returns>False where there are none.</returns>
    private static bool TrySplit(
        ReadOnlySpan<byte> digits, out ReadOnlySpan<byte> whole, out ReadOnlySpan<byte> fraction)
    {
        var point = digits.IndexOf((byte)'.');
        whole = point < 0 ? digits : digits[..point];
        fraction = point < 0 ? default : digits[(point + 1)..];
        return whole.Length + fraction.Length > 0;
    }

    /// <summary>Writes the first digits that count, and one more if others follow that are not zero.</summary>
    /// <returns>How many were written.</returns>
    private static int Gather(
        ReadOnlySpan<byte> whole, ReadOnlySpan<byte> fraction, int most, Span<byte> target, out long point)
    {
        whole = WithoutZeros(whole);
        point = whole.Length;
        if (whole.IsEmpty)
        {
            var counted = WithoutZeros(fraction);
            point = counted.Length - fraction.Length;
            fraction = counted;
        }

        var first = whole[..Math.Min(whole.Length, most)];
        var second = fraction[..Math.Min(fraction.Length, most - first.Length)];
        first.CopyTo(target);
        second.CopyTo(target[first.Length..]);
        var count = first.Length + second.Length;
        if (whole[first.Length..].ContainsAnyExcept((byte)'0')
            || fraction[second.Length..].ContainsAnyExcept((byte)'0'))
        {
            target[count++] = (byte)'1';
        }

        return count;
    }

    private static ReadOnlySpan<byte> WithoutZeros(ReadOnlySpan<byte> digits)
    {
        var start = digits.IndexOfAnyExcept((byte)'0');
        return start < 0 ? default : digits[start..];
    }
}
