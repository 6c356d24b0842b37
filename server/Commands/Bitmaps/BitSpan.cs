using System.Numerics;
using System.Runtime.InteropServices;

namespace Strata.Server.Commands.Bitmaps;

/// <summary>Counts and finds bits in bytes. Bit 0 is the highest of the first byte.</summary>
internal static class BitSpan
{
    /// <summary>The number of set bits.</summary>
    public static long Count(ReadOnlySpan<byte> bytes)
    {
        var words = MemoryMarshal.Cast<byte, ulong>(bytes);
        var count = 0L;
        var i = 0;
        for (; i + 4 <= words.Length; i += 4)
        {
            count += BitOperations.PopCount(words[i]) + BitOperations.PopCount(words[i + 1])
                + BitOperations.PopCount(words[i + 2]) + BitOperations.PopCount(words[i + 3]);
        }

        for (; i < words.Length; i++)
        {
            count += BitOperations.PopCount(words[i]);
        }

        foreach (var b in bytes[(words.Length * sizeof(ulong))..])
        {
            count += BitOperations.PopCount(b);
        }

        return count;
    }

    /// <summary>The number of set bits in a range that lies in <paramref name="bytes"/>.</summary>
    public static long Count(ReadOnlySpan<byte> bytes, BitRange range)
    {
        if (range.IsEmpty)
        {
            return 0;
        }

        var first = (int)(range.First >> 3);
        var last = (int)(range.Last >> 3);
        return Count(bytes[first..(last + 1)])
            - BitOperations.PopCount((uint)(bytes[first] & BitsBefore(range.First)))
            - BitOperations.PopCount((uint)(bytes[last] & BitsAfter(range.Last)));
    }

    /// <summary>The offset of the first bit of a value in a range that lies in <paramref name="bytes"/>; -1 if there is
    /// none.</summary>
    public static long IndexOf(ReadOnlySpan<byte> bytes, bool value, BitRange range)
    {
        if (range.IsEmpty)
        {
            return -1;
        }

        // What is looked for is always a set bit: of the complement when it is a clear one.
        var flip = value ? (byte)0 : byte.MaxValue;
        var first = (int)(range.First >> 3);
        var last = (int)(range.Last >> 3);
        var found = (byte)((bytes[first] ^ flip) & ~BitsBefore(range.First));
        var index = first;
        if (found == 0)
        {
            var skipped = bytes[(first + 1)..(last + 1)].IndexOfAnyExcept(flip);
            if (skipped < 0)
            {
                return -1;
            }

            index = first + 1 + skipped;
            found = (byte)(bytes[index] ^ flip);
        }

        var offset = (index * 8L) + BitOperations.LeadingZeroCount((uint)found << 24);
        return offset <= range.Last ? offset : -1;
    }

    private static byte BitsBefore(long offset) => (byte)~(0xFF >> (int)(offset & 7));

    private static byte BitsAfter(long offset) => (byte)(0x7F >> (int)(offset & 7));
}
