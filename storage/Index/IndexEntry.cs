using System.Runtime.CompilerServices;

namespace Strata.Storage.Index;

/// <summary>
/// The bits of an index entry: address in 4-byte units (40), tag (22), access frequency (2, saturating; S3-FIFO).
/// Zero is an empty slot, because address 0 is never given out.
/// </summary>
public static class IndexEntry
{
    public const int AddressBits = 40;
    public const int TagBits = 22;
    public const int MaxFrequency = 3;

    /// <summary>Everything but the frequency.</summary>
    public const ulong IdentityMask = (1UL << (AddressBits + TagBits)) - 1;

    /// <summary>The tag's bits in place.</summary>
    public const ulong TagMask = ((1UL << TagBits) - 1) << AddressBits;

    private const ulong AddressMask = (1UL << AddressBits) - 1;
    private const int FrequencyShift = AddressBits + TagBits;

    /// <summary>The hash bits below the tag's: they choose among the first 2^6 buckets.</summary>
    public const int BucketBitsBelowTag = 6;

    /// <summary>The tag of a hash, in place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong TagInPlace(ulong hash) => (hash << (AddressBits - BucketBitsBelowTag)) & TagMask;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Make(ulong address, ulong tagInPlace, int frequency)
        => address | tagInPlace | ((ulong)frequency << FrequencyShift);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Address(ulong entry) => entry & AddressMask;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Frequency(ulong entry) => (int)(entry >> FrequencyShift);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong WithFrequency(ulong entry, int frequency)
        => (entry & IdentityMask) | ((ulong)frequency << FrequencyShift);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong WithAddress(ulong entry, ulong address) => (entry & ~AddressMask) | address;

    /// <summary>The low hash bits an entry still knows when it stands in bucket <paramref name="bucket"/>: the bucket
    /// number gives the bits below the tag, the tag all above them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint BucketHash(ulong entry, uint bucket)
        => (uint)((entry & TagMask) >> (AddressBits - BucketBitsBelowTag))
            | (bucket & ((1u << BucketBitsBelowTag) - 1));
}
