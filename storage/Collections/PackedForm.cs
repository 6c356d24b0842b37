using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Strata.Storage.Collections;

/// <summary>
/// A collection as the value of one record: the number of its elements (31 bits of 4 bytes, little-endian; the top one
/// says that something follows the entries), then entries. An entry is its length in one byte, or 254 and the length in
/// four bytes, then its bytes. What entries mean is each type's own: members; fields and values in turn.
/// </summary>
public static class PackedForm
{
    /// <summary>Bytes in front of the first entry.</summary>
    public const int HeaderBytes = sizeof(int);

    /// <summary>The length byte in front of a length of four bytes.</summary>
    internal const byte LongLength = 254;

    private const int LongPrefixBytes = 1 + sizeof(int);
    private const int TrailerBit = int.MinValue;

    /// <summary>Elements of a packed collection.</summary>
    public static int CountOf(ReadOnlySpan<byte> packed) => MemoryMarshal.Read<int>(packed) & ~TrailerBit;

    /// <summary>Sets the number of elements, behind which nothing follows.</summary>
    public static void SetCount(Span<byte> packed, int count) => MemoryMarshal.Write(packed, count);

    /// <summary>Whether something follows the entries that only the collection's type knows.</summary>
    internal static bool HasTrailer(ReadOnlySpan<byte> packed) => (MemoryMarshal.Read<int>(packed) & TrailerBit) != 0;

    /// <summary>Notes that something follows the entries.</summary>
    internal static void SetTrailer(Span<byte> packed)
        => SetCount(packed, MemoryMarshal.Read<int>(packed) | TrailerBit);

    /// <summary>Bytes that an entry of <paramref name="length"/> bytes takes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SizeOf(int length) => length < LongLength ? 1 + length : LongPrefixBytes + length;

    /// <summary>Writes an entry at the start of <paramref name="target"/>.</summary>
    /// <returns>The bytes written.</returns>
    public static int Write(Span<byte> target, ReadOnlySpan<byte> entry)
    {
        var prefix = WriteLength(target, entry.Length);
        entry.CopyTo(target[prefix..]);
        return prefix + entry.Length;
    }

    /// <summary>Writes the length in front of an entry.</summary>
    /// <returns>The bytes written.</returns>
    public static int WriteLength(Span<byte> target, int length)
    {
        if (length < LongLength)
        {
            target[0] = (byte)length;
            return 1;
        }

        target[0] = LongLength;
        MemoryMarshal.Write(target[1..], length);
        return LongPrefixBytes;
    }

    /// <summary>Reads the entry at <paramref name="offset"/>, which is moved behind it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> Read(ReadOnlySpan<byte> packed, scoped ref int offset)
    {
        int length = packed[offset];
        if (length < LongLength)
        {
            offset++;
        }
        else
        {
            length = MemoryMarshal.Read<int>(packed[(offset + 1)..]);
            offset += LongPrefixBytes;
        }

        var entry = packed.Slice(offset, length);
        offset += length;
        return entry;
    }

    /// <summary>The length of an entry that is a block of its own.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="prefix">Bytes in front of the entry's own.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static unsafe int LengthAt(byte* entry, out int prefix)
    {
        prefix = *entry < LongLength ? 1 : LongPrefixBytes;
        return *entry < LongLength ? *entry : Unsafe.ReadUnaligned<int>(entry + 1);
    }

    /// <summary>Moves <paramref name="offset"/> behind the entry there.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Skip(ReadOnlySpan<byte> packed, ref int offset)
    {
        int length = packed[offset];
        offset += length < LongLength
            ? 1 + length
            : LongPrefixBytes + MemoryMarshal.Read<int>(packed[(offset + 1)..]);
    }
}
