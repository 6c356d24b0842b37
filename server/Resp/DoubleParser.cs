using System.Buffers;
using System.Globalization;
using System.Text;

namespace Strata.Server.Resp;

/// <summary>Reads doubles as Redis does, that is, as C's strtod: decimal and hexadecimal numbers, the words for
/// infinity; NaN is none.</summary>
public static class DoubleParser
{
    // So many decimal digits are an integer that a double holds exactly.
    private const int ExactDigits = 15;

    private const int HexDigitBits = 4;

    // Exponents beyond this mean infinity or zero whatever the digits of an argument.
    private const long ExponentBound = 1L << 40;

    private static readonly SearchValues<byte> s_space = SearchValues.Create(" \t\n\v\f\r"u8);
    private static readonly SearchValues<byte> s_decimal = SearchValues.Create("0123456789.eE+-"u8);

    /// <summary>Reads a number that takes the whole text: without white space, and neither too large nor too small to
    /// be told from zero.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out double value)
        => TryParse(text, out value, out var isOutOfRange) && !isOutOfRange;

    /// <summary>Reads an end of a range of scores, which Redis reads less strictly: what follows a zero byte is not
    /// looked at, white space may come first, nothing at all is 0, and numbers out of range are infinite or
    /// 0.</summary>
    public static bool TryParseLenient(ReadOnlySpan<byte> text, out double value)
    {
        var end = text.IndexOf((byte)0);
        text = end < 0 ? text : text[..end];
        if (text.IsEmpty)
        {
            value = 0;
            return true;
        }

        var start = text.IndexOfAnyExcept(s_space);
        value = 0;
        return start >= 0 && TryParse(text[start..], out value, out _);
    }

    private static bool TryParse(ReadOnlySpan<byte> text, out double value, out bool isOutOfRange)
    {
        value = 0;
        isOutOfRange = false;
        if (text.IsEmpty)
        {
            return false;
        }

        var isNegative = text[0] == '-';
        var number = isNegative || text[0] == '+' ? text[1..] : text;
        bool isNumber;
        if (Ascii.EqualsIgnoreCase(number, "inf"u8) || Ascii.EqualsIgnoreCase(number, "infinity"u8))
        {
            value = double.PositiveInfinity;
            isNumber = true;
        }
        else if (number.Length > 2 && number[0] == '0' && (number[1] | 0x20) == 'x')
        {
            isNumber = TryParseHexadecimal(number[2..], out value, out isOutOfRange);
        }
        else
        {
            isNumber = TryParseDecimal(number, out value, out isOutOfRange);
        }

        value = isNegative ? -value : value;
        return isNumber;
    }

    private static bool TryParseDecimal(ReadOnlySpan<byte> number, out double value, out bool isOutOfRange)
    {
        isOutOfRange = false;
        if (number.Length <= ExactDigits && TryParseDigits(number, out value))
        {
            return true;
        }

        value = 0;
        if (number.IsEmpty || number[0] is (byte)'-' or (byte)'+' || number.ContainsAnyExcept(s_decimal))
        {
            return false;
        }

        return number.Length < LongNumber.LeastBytes
            ? TryParseShort(number, out value, out isOutOfRange)
            : TryParseLong(number, out value, out isOutOfRange);
    }

    private static bool TryParseLong(ReadOnlySpan<byte> number, out double value, out bool isOutOfRange)
    {
        (value, isOutOfRange) = (0, false);
        Span<byte> shorter = stackalloc byte[LongNumber.MostBytes];
        return LongNumber.TryShortenDecimal(number, shorter, out var length)
            && TryParseShort(shorter[..length], out value, out isOutOfRange);
    }

    private static bool TryParseShort(ReadOnlySpan<byte> number, out double value, out bool isOutOfRange)
    {
        isOutOfRange = false;
        const NumberStyles Style = NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        if (!double.TryParse(number, Style, CultureInfo.InvariantCulture, out value))
        {
            return false;
        }

        if (value == 0)
        {
            var exponent = number.IndexOfAny((byte)'e', (byte)'E');
            isOutOfRange = (exponent < 0 ? number : number[..exponent]).ContainsAnyInRange((byte)'1', (byte)'9');
        }
        else
        {
            isOutOfRange = double.IsInfinity(value);
        }

        return true;
    }

    private static bool TryParseDigits(ReadOnlySpan<byte> number, out double value)
    {
        var integer = 0L;
        foreach (var c in number)
        {
            var digit = (uint)(c - '0');
            if (digit > 9)
            {
                value = 0;
                return false;
            }

            integer = (integer * 10) + digit;
        }

        value = integer;
        return !number.IsEmpty;
    }

    private static bool TryParseHexadecimal(ReadOnlySpan<byte> number, out double value, out bool isOutOfRange)
    {
        value = 0;
        isOutOfRange = false;
        var mark = number.IndexOfAny((byte)'p', (byte)'P');
        var exponent = 0L;
        if (mark >= 0 && !TryParseExponent(number[(mark + 1)..], out exponent))
        {
            return false;
        }

        var mantissa = mark < 0 ? number : number[..mark];
        if (mantissa.Length < LongNumber.LeastBytes)
        {
            return TryParseShort(mantissa, exponent, out value, out isOutOfRange);
        }

        Span<byte> shorter = stackalloc byte[LongNumber.MostBytes];
        return LongNumber.TryShortenHexadecimal(mantissa, shorter, out var length, out var shift)
            && TryParseShort(shorter[..length], exponent + (shift * HexDigitBits), out value, out isOutOfRange);
    }

    private static bool TryParseShort(
        ReadOnlySpan<byte> mantissa, long exponent, out double value, out bool isOutOfRange)
    {
        value = 0;
        isOutOfRange = false;
        var bits = 0UL;
        var isInexact = false;
        var hasPoint = false;
        var digits = 0;
        foreach (var c in mantissa)
        {
            if (c == '.' && !hasPoint)
            {
                hasPoint = true;
                continue;
            }

            if (!char.IsAsciiHexDigit((char)c))
            {
                return false;
            }

            digits++;
            var digit = (ulong)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
            if (bits >> (64 - HexDigitBits) == 0)
            {
                bits = (bits << HexDigitBits) | digit;
                exponent -= hasPoint ? HexDigitBits : 0;
            }
            else
            {
                isInexact |= digit != 0;
                exponent += hasPoint ? 0 : HexDigitBits;
            }
        }

        // More than 53 bits are kept then: the last of them says which way to round.
        bits |= isInexact ? 1UL : 0UL;
        value = Math.ScaleB(bits, (int)Math.Clamp(exponent, int.MinValue / 2, int.MaxValue / 2));
        isOutOfRange = double.IsInfinity(value) || (value == 0 && bits != 0);
        return digits > 0;
    }

    /// <summary>Reads an exponent; one that is too large counts as another that is.</summary>
    internal static bool TryParseExponent(ReadOnlySpan<byte> text, out long exponent)
    {
        exponent = 0;
        var isNegative = !text.IsEmpty && text[0] == '-';
        text = isNegative || (!text.IsEmpty && text[0] == '+') ? text[1..] : text;
        if (text.IsEmpty || text.ContainsAnyExceptInRange((byte)'0', (byte)'9'))
        {
            return false;
        }

        // Behind zeros, of which there may be any number, so many digits pass the bound.
        const int MostDigits = 16;
        var start = text.IndexOfAnyExcept((byte)'0');
        foreach (var c in start < 0 ? default : text.Slice(start, Math.Min(MostDigits, text.Length - start)))
        {
            exponent = Math.Min((exponent * 10) + (c - '0'), ExponentBound);
        }

        exponent = isNegative ? -exponent : exponent;
        return true;
    }
}
