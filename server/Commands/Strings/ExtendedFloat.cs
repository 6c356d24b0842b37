using System.Globalization;
using System.Numerics;
using System.Text;

namespace Strata.Server.Commands.Strings;

/// <summary>
/// A number in the 80-bit extended format of x87 processors, which is Redis's <c>long double</c>: a 64-bit mantissa,
/// rounded to nearest, ties to even. INCRBYFLOAT computes with it, so that its answers are Redis's to the last digit.
/// Numbers too small for the format's normal range keep their full mantissa, which no answer shows.
/// </summary>
internal readonly struct ExtendedFloat
{
    /// <summary>The longest text <see cref="Format"/> writes: the largest number has 4933 digits.</summary>
    public const int MaxTextBytes = 4936;

    private const int MaxTopBit = 16383;
    private const int MinTopBit = -16446;
    private const int Decimals = 17;
    private const ulong DecimalsScale = 100_000_000_000_000_000;
    private const ulong TopBit = 1UL << 63;

    private readonly bool _isNegative;
    private readonly ulong _mantissa;
    private readonly int _exponent;

    private ExtendedFloat(bool isNegative, ulong mantissa, int exponent, bool isInfinite = false)
    {
        _isNegative = isNegative;
        _mantissa = mantissa;
        _exponent = exponent;
        IsInfinite = isInfinite;
    }

    /// <summary>Whether the number is infinite.</summary>
    public bool IsInfinite { get; }

    /// <summary>Whether the number is nothing but what was too small to be told from zero.</summary>
    public bool IsUnderflow
        => _exponent + 63 < MinTopBit || (_exponent + 63 == MinTopBit && _mantissa == TopBit);

    /// <summary>The nearest number of 64 bits.</summary>
    public double ToDouble()
    {
        var magnitude = IsInfinite ? double.PositiveInfinity : Math.ScaleB((double)_mantissa, _exponent);
        return _isNegative ? -magnitude : magnitude;
    }

    /// <summary>Zero of a sign.</summary>
    public static ExtendedFloat Zero(bool isNegative) => new(isNegative, 0, 0);

    /// <summary>Infinity of a sign.</summary>
    public static ExtendedFloat Infinity(bool isNegative) => new(isNegative, 0, 0, isInfinite: true);

    /// <summary>Rounds <paramref name="bits"/> × 2^<paramref name="exponent"/>.</summary>
    /// <param name="isNegative">The sign.</param>
    /// <param name="bits">At least 65 significant bits, unless <paramref name="isInexact"/> is false.</param>
    /// <param name="exponent">The power of two.</param>
    /// <param name="isInexact">Whether the number is a little, less than one unit, larger than the bits say.</param>
    public static ExtendedFloat Round(bool isNegative, UInt128 bits, int exponent, bool isInexact)
    {
        if (bits == UInt128.Zero)
        {
            return Zero(isNegative);
        }

        var zeros = (int)UInt128.LeadingZeroCount(bits);
        bits <<= zeros;
        exponent += 64 - zeros;
        var mantissa = (ulong)(bits >> 64);
        var rest = (ulong)bits;
        if (rest > TopBit || (rest == TopBit && (isInexact || (mantissa & 1) != 0)))
        {
            mantissa++;
            if (mantissa == 0)
            {
                mantissa = TopBit;
                exponent++;
            }
        }

        return exponent + 63 > MaxTopBit ? Infinity(isNegative) : new(isNegative, mantissa, exponent);
    }

    /// <summary>Adds two finite numbers; the sum may be infinite.</summary>
    public static ExtendedFloat Add(in ExtendedFloat left, in ExtendedFloat right)
    {
        if (left._mantissa == 0 || right._mantissa == 0)
        {
            return left._mantissa == 0 ? right : left;
        }

        var leftIsLarger = left._exponent > right._exponent
            || (left._exponent == right._exponent && left._mantissa >= right._mantissa);
        var larger = leftIsLarger ? left : right;
        var smaller = leftIsLarger ? right : left;

        // One bit is left for the carry, and 63 below the mantissa for what the smaller one is shifted out to.
        var distance = larger._exponent - smaller._exponent;
        var high = (UInt128)larger._mantissa << 63;
        var whole = (UInt128)smaller._mantissa << 63;
        var low = distance < 128 ? whole >> distance : UInt128.Zero;
        var isInexact = distance >= 128 || low << distance != whole;
        var exponent = larger._exponent - 63;
        if (larger._isNegative == smaller._isNegative)
        {
            return Round(larger._isNegative, high + low, exponent, isInexact);
        }

        var difference = high - low - (isInexact ? UInt128.One : UInt128.Zero);
        return Round(larger._isNegative && difference != UInt128.Zero, difference, exponent, isInexact);
    }

    /// <summary>Writes a finite number with as many of 17 decimals as are not zeros at the end.</summary>
    /// <returns>Bytes written.</returns>
    public int Format(Span<byte> destination)
    {
        if (_exponent >= 0)
        {
            return FormatInteger(new BigInteger(_mantissa) << _exponent, destination);
        }

        // Exact: a mantissa times 10^17 has at most 121 bits.
        var scaled = (UInt128)_mantissa * DecimalsScale;
        var shift = -_exponent;
        var rounded = UInt128.Zero;
        if (shift < 128)
        {
            rounded = scaled >> shift;
            var rest = scaled - (rounded << shift);
            var half = UInt128.One << (shift - 1);
            if (rest > half || (rest == half && (rounded & UInt128.One) != UInt128.Zero))
            {
                rounded++;
            }
        }

        var (integer, fraction) = UInt128.DivRem(rounded, DecimalsScale);
        var sign = _isNegative && rounded != UInt128.Zero;
        return FormatDecimal(sign, (ulong)integer, (ulong)fraction, destination);
    }

    private int FormatInteger(BigInteger magnitude, Span<byte> destination)
    {
        var value = _isNegative ? -magnitude : magnitude;
        return Encoding.ASCII.GetBytes(value.ToString(CultureInfo.InvariantCulture), destination);
    }

    private static int FormatDecimal(bool isNegative, ulong integer, ulong fraction, Span<byte> destination)
    {
        var length = 0;
        if (isNegative)
        {
            destination[length++] = (byte)'-';
        }

        _ = integer.TryFormat(destination[length..], out var written, default, CultureInfo.InvariantCulture);
        length += written;
        if (fraction == 0)
        {
            return length;
        }

        destination[length++] = (byte)'.';
        _ = fraction.TryFormat(destination[length..], out written, "D17", CultureInfo.InvariantCulture);
        return length + destination.Slice(length, Decimals).TrimEnd((byte)'0').Length;
    }
}
