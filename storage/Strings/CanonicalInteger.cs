using System.Buffers.Text;
using System.Runtime.CompilerServices;

namespace Strata.Storage.Strings;

/// <summary>64-bit integers as text in its one canonical form: no white space, no plus sign, no leading
/// zeros.</summary>
public static class CanonicalInteger
{
    /// <summary>The longest text of an integer.</summary>
    public const int MaxBytes = 20;

    /// <summary>Reads an integer in its canonical form and no other.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryParse(ReadOnlySpan<byte> text, out long value)
    {
        value = 0;
        if (text.IsEmpty || text.Length > MaxBytes)
        {
            return false;
        }

        var negative = text[0] == '-';
        var digits = negative ? text[1..] : text;
        if (digits.IsEmpty || (digits[0] == '0' && (digits.Length > 1 || negative)))
        {
            return false;
        }

        var magnitude = 0UL;
        foreach (var c in digits)
        {
            var digit = (uint)(c - '0');
            if (digit > 9 || magnitude > (ulong.MaxValue - digit) / 10)
            {
                return false;
            }

            magnitude = (magnitude * 10) + digit;
        }

        if (magnitude > (ulong)long.MaxValue + (negative ? 1UL : 0UL))
        {
            return false;
        }

        value = negative ? (long)(0 - magnitude) : (long)magnitude;
        return true;
    }

    /// <summary>Writes an integer; <see cref="MaxBytes"/> suffice.</summary>
    /// <returns>Bytes written.</returns>
    public static int Format(long value, Span<byte> destination)
        => Utf8Formatter.TryFormat(value, destination, out var written)
            ? written
            : throw new ArgumentException("20 bytes are needed", nameof(destination));
}
