using System.Buffers.Text;
using System.Runtime.CompilerServices;

namespace Strata.Server.Resp;

/// <summary>Numbers as Redis reads them from arguments: no white space, no plus sign, no leading zeros.</summary>
public static class NumberParser
{
    /// <summary>Reads a signed 64-bit integer in its one canonical form (Redis's string2ll).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryParseInt64(ReadOnlySpan<byte> text, out long value)
    {
        value = 0;
        if (text.IsEmpty || text.Length > 20)
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

    /// <summary>Whether <paramref name="text"/> is <paramref name="word"/> (lower case), whatever its case.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsWord(ReadOnlySpan<byte> text, ReadOnlySpan<byte> word)
        => text.Length == word.Length && System.Text.Ascii.EqualsIgnoreCase(text, word);

    /// <summary>Formats an integer.</summary>
    /// <returns>Bytes written.</returns>
    public static int Format(long value, Span<byte> destination)
        => Utf8Formatter.TryFormat(value, destination, out var written)
            ? written
            : throw new ArgumentException("20 bytes are needed", nameof(destination));
}
