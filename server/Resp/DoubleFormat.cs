using System.Buffers.Text;
using System.Globalization;

namespace Strata.Server.Resp;

/// <summary>Writes a double as Redis 7.2 does: integers plainly, otherwise the fewest digits that give the same number
/// when read, with an exponent when it is very large or very small.</summary>
public static class DoubleFormat
{
    /// <summary>No text is longer.</summary>
    public const int MaxBytes = 48;

    // Zeros that may follow the digits, or precede them after the point, before an exponent is used.
    private const int MostZeros = 7;

    // A number this large or larger, up to four digits before the point, has its point whatever its digits.
    private const int PlainExponent = 4;

    // Integers up to half of what 64 bits hold are written as such.
    private const double LargestInteger = long.MaxValue / 2;

    /// <summary>Writes <paramref name="value"/> to a span of at least <see cref="MaxBytes"/>.</summary>
    /// <returns>Bytes written.</returns>
    public static int Format(double value, Span<byte> text)
    {
        if (!double.IsFinite(value))
        {
            var word = double.IsNaN(value) ? "nan"u8 : value > 0 ? "inf"u8 : "-inf"u8;
            word.CopyTo(text);
            return word.Length;
        }

        if (value == 0)
        {
            var zero = double.IsNegative(value) ? "-0"u8 : "0"u8;
            zero.CopyTo(text);
            return zero.Length;
        }

        if (Math.Abs(value) <= LargestInteger && (long)value == value)
        {
            return NumberParser.Format((long)value, text);
        }

        Span<byte> digits = stackalloc byte[MaxBytes];
        var count = Shortest(Math.Abs(value), digits, out var exponent);
        var length = 0;
        if (value < 0)
        {
            text[length++] = (byte)'-';
        }

        return length + Place(digits[..count], exponent, text[length..]);
    }

    /// <summary>The fewest digits, without zeros at either end, and the power of ten of the last one.</summary>
    private static int Shortest(double value, Span<byte> digits, out int exponent)
    {
        Span<byte> text = stackalloc byte[MaxBytes];
        _ = value.TryFormat(text, out var length, default, CultureInfo.InvariantCulture);
        text = text[..length];
        exponent = 0;
        var mark = text.IndexOf((byte)'E');
        if (mark >= 0)
        {
            _ = Utf8Parser.TryParse(text[(mark + 1)..], out exponent, out _);
            text = text[..mark];
        }

        var point = text.IndexOf((byte)'.');
        exponent -= point < 0 ? 0 : text.Length - point - 1;
        var count = 0;
        foreach (var c in text)
        {
            if (c != '.' && (count > 0 || c != '0'))
            {
                digits[count++] = c;
            }
        }

        for (; digits[count - 1] == '0'; count--)
        {
            exponent++;
        }

        return count;
    }

    private static int Place(ReadOnlySpan<byte> digits, int exponent, Span<byte> text)
    {
        var count = digits.Length;
        var magnitude = exponent + count - 1;
        if (exponent >= 0 && magnitude < count + MostZeros)
        {
            digits.CopyTo(text);
            text.Slice(count, exponent).Fill((byte)'0');
            return count + exponent;
        }

        if (exponent < 0 && (exponent > -MostZeros || Math.Abs(magnitude) < PlainExponent))
        {
            var whole = count + exponent;
            if (whole > 0)
            {
                digits[..whole].CopyTo(text);
                text[whole] = (byte)'.';
                digits[whole..].CopyTo(text[(whole + 1)..]);
                return count + 1;
            }

            "0."u8.CopyTo(text);
            text.Slice(2, -whole).Fill((byte)'0');
            digits.CopyTo(text[(2 - whole)..]);
            return count + 2 - whole;
        }

        var length = 0;
        text[length++] = digits[0];
        if (count > 1)
        {
            text[length++] = (byte)'.';
            digits[1..].CopyTo(text[length..]);
            length += count - 1;
        }

        text[length++] = (byte)'e';
        text[length++] = (byte)(magnitude < 0 ? '-' : '+');
        return length + NumberParser.Format(Math.Abs(magnitude), text[length..]);
    }
}
