using System.Numerics;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Strata.Storage.Memory;

namespace Strata.Storage.Records;

/// <summary>
/// Remembers keys that were evicted, by a fingerprint of 15 bits, and of which queue they were: one of the small queue
/// that is set again was worth keeping (the ghost queue of S3-FIFO; Yang et al., SOSP '23), and how many of each come
/// again soon says which queue is too small. Buckets of eight, first in first out; a new key is taken for a remembered
/// one about once in 4,000 times, which costs nothing but a wrong queue.
/// </summary>
internal sealed unsafe class GhostQueue : IDisposable
{
    private const int SlotsPerBucket = 8;
    private const int BucketBytes = SlotsPerBucket * sizeof(ushort);
    private const ushort ProvenBit = 1;
    private const ulong Scatter = 0x9E3779B97F4A7C15UL;

    private readonly MemoryBudget _budget;
    private Vector128<ushort>* _buckets;
    private long _bucketCount;

    public GhostQueue(MemoryBudget budget)
    {
        _budget = budget;
    }

    /// <summary>Bytes charged to the budget.</summary>
    public long SizeBytes => _bucketCount * BucketBytes;

    /// <summary>Makes it remember about as many keys as <paramref name="keys"/>; from half to once that is left as it
    /// is, else it starts anew, empty.</summary>
    public void Fit(long keys)
    {
        var slots = _bucketCount * SlotsPerBucket;
        if (slots >= keys / 2 && slots <= Math.Max(keys, SlotsPerBucket))
        {
            return;
        }

        Dispose();
        var bucketCount = Math.Max(1, keys * 3 / 4 / SlotsPerBucket);
        try
        {
            _buckets = (Vector128<ushort>*)NativeMemory.AlignedAlloc((nuint)(bucketCount * BucketBytes), BucketBytes);
        }
        catch (OutOfMemoryException)
        {
            return; // It remembers nothing: eviction chooses less well, and tries again with its next page.
        }

        _bucketCount = bucketCount;
        _budget.Charge(SizeBytes);
        Clear();
    }

    /// <summary>Remembers a key; the oldest of its bucket is forgotten.</summary>
    /// <param name="hash">The key's.</param>
    /// <param name="isProven">Whether it was of the main queue.</param>
    public void Add(ulong hash, bool isProven)
    {
        if (_buckets != null)
        {
            var bucket = BucketOf(hash);
            var moved = Vector128.Shuffle(*bucket, Vector128.Create((ushort)0, 0, 1, 2, 3, 4, 5, 6));
            *bucket = moved.WithElement(0, (ushort)(Fingerprint(hash) | (isProven ? ProvenBit : 0)));
        }
    }

    /// <summary>What is remembered of a key; from then on nothing is.</summary>
    public Ghost Take(ulong hash)
    {
        if (_buckets == null)
        {
            return default;
        }

        var bucket = BucketOf(hash);
        var fingerprints = *bucket & Vector128.Create(unchecked((ushort)~ProvenBit));
        var match = Vector128.Equals(fingerprints, Vector128.Create(Fingerprint(hash))).ExtractMostSignificantBits();
        if (match == 0)
        {
            return default;
        }

        var slot = BitOperations.TrailingZeroCount(match);
        var isProven = (bucket->GetElement(slot) & ProvenBit) != 0;
        *bucket = bucket->WithElement(slot, (ushort)0);
        return new Ghost(IsKnown: true, isProven, IsYoung: slot == 0);
    }

    /// <summary>Forgets all.</summary>
    public void Clear() => NativeMemory.Clear(_buckets, (nuint)SizeBytes);

    /// <inheritdoc/>
    public void Dispose()
    {
        _budget.Charge(-SizeBytes);
        NativeMemory.AlignedFree(_buckets);
        _buckets = null;
        _bucketCount = 0;
    }

    private static ushort Fingerprint(ulong hash) => (ushort)Math.Max(hash & ushort.MaxValue & ~1UL, 2);

    private Vector128<ushort>* BucketOf(ulong hash)
        => _buckets + (long)Math.BigMul(hash * Scatter, (ulong)_bucketCount, out _);
}
