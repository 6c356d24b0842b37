using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Strata.Storage.Index;

/// <summary>
/// What tables have in common that grow and shrink by one bucket at a time (linear hashing, Litwin, VLDB '80) and whose
/// buckets are eight words: seven entries, each with a tag of the hash in some of its bits, and a link.
/// The mask covers the bits of the largest bucket number.
/// </summary>
public static unsafe class LinearHashing
{
    /// <summary>Entries of a bucket; the word behind them is the link.</summary>
    public const int EntriesPerBucket = 7;

    /// <summary>The mask of a table of <paramref name="bucketCount"/> buckets.</summary>
    public static uint MaskOf(uint bucketCount) => (uint)BitOperations.RoundUpToPowerOf2(bucketCount) - 1;

    /// <summary>The bucket a hash belongs to.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint BucketOf(ulong hash, uint mask, uint bucketCount)
    {
        var b = (uint)hash & mask;
        return b >= bucketCount ? b & (mask >> 1) : b;
    }

    /// <summary>The slots of a bucket whose tag is the one in <paramref name="tagInPlace"/>, as a bit mask. Empty slots
    /// may be among them when the tag is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Match(ulong* bucket, ulong tagMask, ulong tagInPlace)
    {
        var mask = Vector256.Create(tagMask);
        var tag = Vector256.Create(tagInPlace);
        var low = Vector256.Equals(Vector256.Load(bucket) & mask, tag).ExtractMostSignificantBits();
        var high = Vector256.Equals(Vector256.Load(bucket + 4) & mask, tag).ExtractMostSignificantBits();
        return (low | (high << 4)) & ((1u << EntriesPerBucket) - 1);
    }

    /// <summary>Moves the last entry of a bucket, the last of its chain, to a slot of the chain: chains have no holes.
    /// </summary>
    /// <returns>Whether nothing is left in the bucket.</returns>
    public static bool FillHole(ulong* last, ulong* slot)
    {
        var i = EntriesPerBucket - 1;
        while (i > 0 && last[i] == 0)
        {
            i--;
        }

        *slot = last[i];
        last[i] = 0;
        return i == 0;
    }

    /// <summary>
    /// The cursor after <paramref name="cursor"/> in SCAN's order and, through <paramref name="bucket"/>, the bucket
    /// the cursor names. Buckets are visited in the order of their reversed numbers, so that whatever is split or
    /// merged between two calls, every entry present all the while is met at least once (Redis's dictScan, by
    /// P. Noordhuis).
    /// </summary>
    public static ulong NextCursor(ulong cursor, uint mask, uint bucketCount, out uint bucket)
    {
        bucket = (uint)cursor & mask;
        if (bucket >= bucketCount)
        {
            mask >>= 1;
            bucket &= mask;
        }
        else if ((bucket & (mask >> 1)) == bucket && (bucket | (mask ^ (mask >> 1))) >= bucketCount)
        {
            mask >>= 1; // This bucket is not split yet: it holds both halves of the finer numbering.
        }

        var next = Reverse(cursor | ~(ulong)mask);
        return Reverse(next + 1);
    }

    private static ulong Reverse(ulong v)
    {
        v = ((v >> 1) & 0x5555555555555555UL) | ((v & 0x5555555555555555UL) << 1);
        v = ((v >> 2) & 0x3333333333333333UL) | ((v & 0x3333333333333333UL) << 2);
        v = ((v >> 4) & 0x0F0F0F0F0F0F0F0FUL) | ((v & 0x0F0F0F0F0F0F0F0FUL) << 4);
        return BinaryPrimitives.ReverseEndianness(v);
    }
}
