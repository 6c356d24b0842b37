using System.Globalization;
using System.Numerics;
using System.Text;

namespace Strata.Server.Commands.Strings;

/// <summary>
/// Reads an <see cref="ExtendedFloat"/> as C's strtold does, correctly rounded: decimal and hexadecimal numbers,
/// with or without exponent, and the words for infinity. White space, NaN, numbers that are too large and numbers
/// that are too small to be told from zero are refused, as Redis does.
/// </summary>
internal static class ExtendedFloatParser
{
    private const int TooLongBytes = 5 * 1024;

    /// <summary>Exponents beyond this mean infinity or zero whatever the digits, of which there are fewer.</summary>
    private const int ExponentBound = 100_000;

    /// <summary>The largest power of five below 2^64, and the most decimal digits.</summary>
    private const int MaxSmallPower = 27;

    /// <inheritdoc cref="MaxSmallPower"/>
    private const int MaxSmallDigits = 19;

    /// <summary>Powers of ten that are out of the format's range either way.</summary>
    private const int DecimalRange = 4960;

    /// <summary>Reads the whole of <paramref name="text"/>.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out ExtendedFloat value)
    {
        value = default;
        if (text.IsEmpty || text.Length >= TooLongBytes)
        {
            return false;
        }

        var isNegative = text[0] == '-';
        var number = isNegative || text[0] == '+' ? text[1..] : text;
        if (Ascii.EqualsIgnoreCase(number, "inf"u8) || Ascii.EqualsIgnoreCase(number, "infinity"u8))
        {
            value = ExtendedFloat.Infinity(isNegative);
            return true;
        }

        var isHexadecimal = number.Length > 2 && number[0] == '0' && (number[1] | 0x20) == 'x';
        return isHexadecimal
            ? TryParseHexadecimal(number[2..], isNegative, out value)
            : TryParseDecimal(number, isNegative, out value);
    }

    private static bool TryParseDecimal(ReadOnlySpan<byte> text, bool isNegative, out ExtendedFloat value)
    {
        value = default;
        if (!TrySplit(text, (byte)'e', out var mantissa, out var exponent))
        {
            return false;
        }

        Span<byte> digits = stackalloc byte[TooLongBytes];
        if (!TryCollectDigits(mantissa, isHexadecimal: false, digits, out var count, out var decimals))
        {
            return false;
        }

        var power = exponent - decimals;
        if (count == 0)
        {
            value = ExtendedFloat.Zero(isNegative);
            return true;
        }

        if (Math.Abs(count + power) > DecimalRange)
        {
            return false;
        }

        value = FromDecimal(isNegative, digits[..count], power);
        return IsInRange(value);
    }

    private static bool TryParseHexadecimal(ReadOnlySpan<byte> text, bool isNegative, out ExtendedFloat value)
    {
        const int KeptDigits = 31;
        value = default;
        if (!TrySplit(text, (byte)'p', out var mantissa, out var exponent))
        {
            return false;
        }

        Span<byte> digits = stackalloc byte[TooLongBytes];
        if (!TryCollectDigits(mantissa, isHexadecimal: true, digits, out var count, out var decimals))
        {
            return false;
        }

        var bits = UInt128.Zero;
        var kept = Math.Min(count, KeptDigits);
        foreach (var digit in digits[..kept])
        {
            bits = (bits << 4) | (uint)HexadecimalDigit(digit);
        }

        var isInexact = digits[kept..count].ContainsAnyExcept((byte)'0');
        value = ExtendedFloat.Round(isNegative, bits, exponent + (4 * (count - kept - decimals)), isInexact);
        return count == 0 || IsInRange(value);
    }

    private static bool IsInRange(in ExtendedFloat value) => !value.IsInfinite && !value.IsUnderflow;

    /// <summary>Cuts the exponent off; a huge one is brought within <see cref="ExponentBound"/>.</summary>
    private static bool TrySplit(
        ReadOnlySpan<byte> text, byte marker, out ReadOnlySpan<byte> mantissa, out int exponent)
    {
        exponent = 0;
        var at = text.IndexOfAny(marker, (byte)(marker - 0x20));
        mantissa = at < 0 ? text : text[..at];
        if (at < 0)
        {
            return true;
        }

        var digits = text[(at + 1)..];
        var isNegative = !digits.IsEmpty && digits[0] == '-';
        digits = !digits.IsEmpty && digits[0] is (byte)'-' or (byte)'+' ? digits[1..] : digits;
        if (digits.IsEmpty || digits.ContainsAnyExceptInRange((byte)'0', (byte)'9'))
        {
            return false;
        }

        foreach (var digit in digits)
        {
            exponent = Math.Min((exponent * 10) + (digit - '0'), ExponentBound);
        }

        exponent = isNegative ? -exponent : exponent;
        return true;
    }

    /// <summary>Takes the point out of a mantissa, and the zeros in front.</summary>
    /// <param name="mantissa">Digits, at least one, and at most one point.</param>
    /// <param name="isHexadecimal">Whether A to F are digits.</param>
    /// <param name="digits">Gets the digits.</param>
    /// <param name="count">How many.</param>
    /// <param name="decimals">How many digits, of those written, stood behind the point.</param>
    private static bool TryCollectDigits(
        ReadOnlySpan<byte> mantissa, bool isHexadecimal, Span<byte> digits, out int count, out int decimals)
    {
        count = 0;
        decimals = 0;
        var point = mantissa.IndexOf((byte)'.');
        if (mantissa.Length == (point < 0 ? 0 : 1))
        {
            return false;
        }

        for (var i = 0; i < mantissa.Length; i++)
        {
            if (i == point)
            {
                continue;
            }

            var c = mantissa[i];
            if (!(isHexadecimal ? char.IsAsciiHexDigit((char)c) : char.IsAsciiDigit((char)c)))
            {
                return false;
            }

            if (count > 0 || c != '0')
            {
                digits[count++] = c;
            }
        }

        decimals = point < 0 ? 0 : mantissa.Length - point - 1;
        return true;
    }

    private static int HexadecimalDigit(byte digit) => digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;

    /// <summary>The number <paramref name="digits"/> × 10^<paramref name="power"/>, rounded once.</summary>
    private static ExtendedFloat FromDecimal(bool isNegative, ReadOnlySpan<byte> digits, int power)
    {
        if (digits.Length > MaxSmallDigits || Math.Abs(power) > MaxSmallPower)
        {
            return FromLongDecimal(isNegative, digits, power);
        }

        UInt128 integer = ulong.Parse(digits, NumberStyles.None, CultureInfo.InvariantCulture);
        UInt128 five = 1;
        for (var i = Math.Abs(power); i > 0; i--)
        {
            five *= 5;
        }

        if (power >= 0)
        {
            return ExtendedFloat.Round(isNegative, integer * five, power, isInexact: false);
        }

        // The dividend fills 128 bits and the divisor at most 63, so the quotient has 65 or more.
        var shift = (int)UInt128.LeadingZeroCount(integer);
        var (quotient, rest) = UInt128.DivRem(integer << shift, five);
        return ExtendedFloat.Round(isNegative, quotient, power - shift, rest != UInt128.Zero);
    }

    private static ExtendedFloat FromLongDecimal(bool isNegative, ReadOnlySpan<byte> digits, int power)
    {
        const int QuotientBits = 120;
        var text = Encoding.ASCII.GetString(digits);
        var integer = BigInteger.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
        var five = BigInteger.Pow(5, Math.Abs(power));
        var dividend = power >= 0 ? integer * five : integer;
        var divisor = power >= 0 ? BigInteger.One : five;

        // Brings the quotient to 119 to 121 bits, so that it fits and is long enough to be rounded.
        var shift = QuotientBits - (int)(dividend.GetBitLength() - divisor.GetBitLength());
        dividend <<= Math.Max(shift, 0);
        divisor <<= Math.Max(-shift, 0);
        var quotient = BigInteger.DivRem(dividend, divisor, out var rest);
        return ExtendedFloat.Round(isNegative, (UInt128)quotient, power - shift, !rest.IsZero);
    }
}
