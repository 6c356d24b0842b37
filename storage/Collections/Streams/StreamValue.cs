using System.Runtime.CompilerServices;
using Strata.Storage.Strings;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// A field's value in a <see cref="StreamEntry"/>: one byte, which is its length, or says that a length of four bytes
/// follows, or that an integer follows in as few bytes as it needs, the lowest first, which was text in its one
/// canonical form.
/// </summary>
internal static unsafe class StreamValue
{
    /// <summary>Bytes of the text of an integer.</summary>
    public const int MaxDigits = CanonicalInteger.MaxBytes;

    private const int Long = PackedForm.LongLength;

    // From here on up to eight more it is an integer of so many bytes.
    private const int IntegerBase = 0xF0;

    /// <summary>Bytes that a value takes.</summary>
    /// <param name="value">The value.</param>
    /// <param name="listpack">Bytes it takes in Redis's listpack.</param>
    public static int SizeOf(ReadOnlySpan<byte> value, out long listpack)
    {
        if (CanonicalInteger.TryParse(value, out var number))
        {
            listpack = ListpackSize.Of(number);
            return 1 + BytesOf(number);
        }

        listpack = ListpackSize.OfText(value.Length);
        return value.Length + (value.Length < IntegerBase ? 1 : 1 + sizeof(int));
    }

    /// <summary>Writes a value.</summary>
    /// <returns>What follows.</returns>
    public static byte* Write(byte* target, ReadOnlySpan<byte> value)
    {
        if (CanonicalInteger.TryParse(value, out var number))
        {
            var bytes = BytesOf(number);
            *target++ = (byte)(IntegerBase + bytes);
            for (var i = 0; i < bytes; i++)
            {
                target[i] = (byte)(number >> (8 * i));
            }

            return target + bytes;
        }

        if (value.Length < IntegerBase)
        {
            *target++ = (byte)value.Length;
        }
        else
        {
            *target++ = Long;
            Unsafe.WriteUnaligned(target, value.Length);
            target += sizeof(int);
        }

        value.CopyTo(new Span<byte>(target, value.Length));
        return target + value.Length;
    }

    /// <summary>What follows a value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* Skip(byte* value)
    {
        int first = *value;
        return first < IntegerBase ? value + 1 + first
            : first == Long ? value + 1 + sizeof(int) + Unsafe.ReadUnaligned<int>(value + 1)
            : value + 1 + (first - IntegerBase);
    }

    /// <summary>Reads a value, and goes on behind it.</summary>
    /// <param name="next">Where it begins.</param>
    /// <param name="digits">Room for an integer's text, <see cref="MaxDigits"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> Read(scoped ref byte* next, Span<byte> digits)
    {
        int first = *next;
        if (first < IntegerBase)
        {
            var text = new ReadOnlySpan<byte>(next + 1, first);
            next += 1 + first;
            return text;
        }

        return ReadOther(ref next, digits);
    }

    private static ReadOnlySpan<byte> ReadOther(scoped ref byte* next, Span<byte> digits)
    {
        int first = *next++;
        if (first == Long)
        {
            var text = new ReadOnlySpan<byte>(next + sizeof(int), Unsafe.ReadUnaligned<int>(next));
            next += sizeof(int) + text.Length;
            return text;
        }

        var bytes = first - IntegerBase;
        var number = 0L;
        for (var i = 0; i < bytes; i++)
        {
            number |= (long)next[i] << (8 * i);
        }

        next += bytes;
        var unused = 8 * (sizeof(long) - bytes);
        return digits[..CanonicalInteger.Format(number << unused >> unused, digits)];
    }

    /// <summary>Bytes that an integer needs with its sign.</summary>
    private static int BytesOf(long number)
    {
        var magnitude = (ulong)(number ^ (number >> 63));
        return ((64 - (int)ulong.LeadingZeroCount(magnitude)) / 8) + 1;
    }
}
