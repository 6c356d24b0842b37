using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.Lists;

/// <summary>
/// An element of a list as it lies in a packed value: its length as in <see cref="PackedForm"/>, its bytes,
/// and the length once more in mirror writing (one byte, or four bytes and 254), so that entries can be walked from
/// either side.
/// </summary>
internal static unsafe class ListEntry
{
    private const byte LongLength = PackedForm.LongLength;
    private const int LongPrefixBytes = 1 + sizeof(int);

    /// <summary>Bytes that an element of <paramref name="length"/> bytes takes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SizeOf(int length) => length + (2 * PrefixOf(length));

    /// <summary>Writes an entry.</summary>
    public static void Write(byte* target, ReadOnlySpan<byte> element)
        => element.CopyTo(new Span<byte>(WriteLengths(target, element.Length), element.Length));

    /// <summary>Writes the lengths around an element.</summary>
    /// <returns>Where its bytes go.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* WriteLengths(byte* target, int length)
    {
        if (length < LongLength)
        {
            *target++ = (byte)length;
            target[length] = (byte)length;
            return target;
        }

        *target++ = LongLength;
        Unsafe.WriteUnaligned(target, length);
        target += sizeof(int);
        Unsafe.WriteUnaligned(target + length, length);
        target[length + sizeof(int)] = LongLength;
        return target;
    }

    /// <summary>The element of the entry that begins at <paramref name="entry"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> Read(byte* entry)
    {
        var length = LengthAt(entry);
        return new ReadOnlySpan<byte>(entry + PrefixOf(length), length);
    }

    /// <summary>Bytes of the entry that begins at <paramref name="entry"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SizeAt(byte* entry) => SizeOf(LengthAt(entry));

    /// <summary>Where the entry begins that ends before <paramref name="end"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte* Before(byte* end)
    {
        int length = end[-1];
        return end - SizeOf(length < LongLength ? length : Unsafe.ReadUnaligned<int>(end - LongPrefixBytes));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int LengthAt(byte* entry)
        => *entry < LongLength ? *entry : Unsafe.ReadUnaligned<int>(entry + 1);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int PrefixOf(int length) => length < LongLength ? 1 : LongPrefixBytes;
}
