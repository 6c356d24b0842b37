using System.Buffers.Text;
using System.Runtime.CompilerServices;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>Ids of entries as clients write them, <c>ms-seq</c> or <c>ms</c> alone, and as they are answered. What
/// Redis
/// takes for a number it takes for one here: also white space and a plus sign before it, and leading zeros.</summary>
internal static class StreamIdText
{
    /// <summary>The longest text of an id that is answered.</summary>
    public const int MaxBytes = (2 * MostDigits) + 1;

    private const int MostDigits = 20;
    private const int LongestText = 127;

    /// <summary>Reads an id.</summary>
    /// <param name="text">The argument.</param>
    /// <param name="missing">The second number, where there is none.</param>
    /// <param name="id">The id.</param>
    public static bool TryParse(ReadOnlySpan<byte> text, ulong missing, out StreamId id)
        => TryParse(text, missing, mayBeStar: false, out id, out _);

    /// <summary>Reads an id whose second number may be <c>*</c>.</summary>
    /// <param name="text">The argument.</param>
    /// <param name="id">The id; where its second number is to be found, with 0.</param>
    /// <param name="isStar">Whether the second number is to be found.</param>
    public static bool TryParseNew(ReadOnlySpan<byte> text, out StreamId id, out bool isStar)
        => TryParse(text, 0, mayBeStar: true, out id, out isStar);

    /// <summary>What of an argument Redis looks at: what is before its first NUL byte.</summary>
    public static ReadOnlySpan<byte> Seen(ReadOnlySpan<byte> text)
        => text.IndexOf((byte)0) is >= 0 and var end ? text[..end] : text;

    /// <summary>Writes an id; <see cref="MaxBytes"/> suffice.</summary>
    /// <returns>Bytes written.</returns>
    public static int Format(StreamId id, Span<byte> destination)
    {
        _ = Utf8Formatter.TryFormat(id.Ms, destination, out var length);
        destination[length++] = (byte)'-';
        if (id.Seq < 10)
        {
            destination[length] = (byte)('0' + id.Seq);
            return length + 1;
        }

        _ = Utf8Formatter.TryFormat(id.Seq, destination[length..], out var digits);
        return length + digits;
    }

    private static bool TryParse(
        ReadOnlySpan<byte> text, ulong missing, bool mayBeStar, out StreamId id, out bool isStar)
    {
        id = default;
        isStar = false;
        if (text.Length > LongestText)
        {
            return false;
        }

        text = Seen(text);
        var dash = text.IndexOf((byte)'-');
        if (!TryNumber(dash < 0 ? text : text[..dash], out var ms))
        {
            return false;
        }

        var seq = missing;
        if (dash >= 0)
        {
            var behind = text[(dash + 1)..];
            if (mayBeStar && behind is [(byte)'*'])
            {
                isStar = true;
                seq = 0;
            }
            else if (!TryNumber(behind, out seq))
            {
                return false;
            }
        }

        id = new StreamId(ms, seq);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryNumber(ReadOnlySpan<byte> text, out ulong value)
        => TryDigits(text, out value) || (!text.IsEmpty && TrySpelled(text, out value));

    /// <summary>Digits and nothing else.</summary>
    private static bool TryDigits(ReadOnlySpan<byte> text, out ulong value)
    {
        value = 0;
        if (text.IsEmpty)
        {
            return false;
        }

        foreach (var c in text)
        {
            var digit = (uint)(c - '0');
            if (digit > 9 || value > (ulong.MaxValue - digit) / 10)
            {
                return false;
            }

            value = (value * 10) + digit;
        }

        return true;
    }

    /// <summary>What the C library reads as a number: one with a minus sign, where it is not in canonical form, is
    /// taken from 2^64.</summary>
    private static bool TrySpelled(ReadOnlySpan<byte> text, out ulong value)
    {
        value = 0;
        if (Storage.Strings.CanonicalInteger.TryParse(text, out _))
        {
            return false; // Negative, or it had been read by now.
        }

        var start = 0;
        while (start < text.Length && text[start] is (byte)' ' or (>= (byte)'\t' and <= (byte)'\r'))
        {
            start++;
        }

        var isNegative = start < text.Length && text[start] == '-';
        start += start < text.Length && text[start] is (byte)'-' or (byte)'+' ? 1 : 0;
        if (!TryDigits(text[start..], out value))
        {
            return false;
        }

        value = isNegative ? 0 - value : value;
        return true;
    }
}
