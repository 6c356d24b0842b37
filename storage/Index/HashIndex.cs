using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Strata.Storage.Memory;

namespace Strata.Storage.Index;

/// <summary>
/// A shard's hash table: 64-byte buckets of 7 entries and an overflow link, grown and shrunk one bucket at a time
/// (linear hashing, Litwin, VLDB '80), so that no operation pays for a whole resize. Splitting needs no key: all hash
/// bits a bucket number can take are in the bucket's number and the entry's tag.
/// One entry a key. Changed only under the shard's lease; read without it by optimistic readers, for whom bucket and
/// overflow arrays never move and every link is checked against the array's bound.
/// </summary>
public sealed unsafe class HashIndex : IDisposable
{
    public const int BucketBytes = 64;
    public const int EntriesPerBucket = LinearHashing.EntriesPerBucket;

    /// <summary>Bytes that a key takes, about: an entry, at the load at which buckets are split.</summary>
    public const int BytesPerKey = 14;

    /// <summary>Bytes of neighbouring buckets as a power of two: the buckets of all shards lie in stripes of so many.
    /// </summary>
    public const int StripeBits = 16;

    private const int StripeBucketBits = StripeBits - 6;
    private const uint StripeMask = (1u << StripeBucketBits) - 1;

    private const uint InitialBuckets = 1u << IndexEntry.BucketBitsBelowTag;

    // Entries per bucket at which a bucket is split, as a ratio: at 31/5 = 6.2 of 7 about a seventh of the keys stand
    // in overflow buckets, and the index costs 13.6 bytes a key.
    private const long SplitLoadNumerator = 31;
    private const long SplitLoadDenominator = 5;

    private readonly MemoryBudget _budget;
    private readonly Stripes _stripes;
    private readonly byte* _base;
    private readonly int _strideBits;
    private readonly OverflowBuckets _overflow;
    private readonly uint _maxBuckets;
    private uint _bucketCount = InitialBuckets;
    private uint _mask = InitialBuckets - 1;
    private long _count;
    private long _chargedBytes;

    /// <summary>An empty index that may fill <paramref name="stripes"/> with buckets.</summary>
    public HashIndex(MemoryBudget budget, Stripes stripes)
    {
        Invariant.Check(stripes.Region.StripeBits == StripeBits, "stripes of the index's size");
        _budget = budget;
        _stripes = stripes;
        _base = stripes.Base;
        _strideBits = stripes.Region.StrideBits;
        var reserveBytes = stripes.Region.StripesPerOwner << StripeBits;
        _overflow = new OverflowBuckets(reserveBytes);
        const int BucketBits = IndexEntry.TagBits + IndexEntry.BucketBitsBelowTag;
        _maxBuckets = (uint)Math.Min(reserveBytes / BucketBytes, 1L << BucketBits);
        ChargeTouched();
    }

    /// <summary>Entries held.</summary>
    public long Count => _count;

    /// <summary>Changes when buckets are taken back: who walks by <see cref="NextCursor"/> and wants to meet no entry
    /// twice looks at it.</summary>
    public long Merges { get; private set; }

    /// <summary>Buckets in use, overflow buckets not counted.</summary>
    public uint BucketCount => _bucketCount;

    /// <summary>Overflow buckets in use.</summary>
    public uint OverflowBucketCount => _overflow.Count;

    /// <summary>Bytes charged to the budget.</summary>
    public long SizeBytes => _chargedBytes;

    /// <summary>The bucket a hash belongs to now.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint BucketOf(ulong hash) => LinearHashing.BucketOf(hash, _mask, _bucketCount);

    /// <summary>Bucket <paramref name="bucket"/>: eight words, the last the overflow link.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong* Bucket(uint bucket)
        => (ulong*)(_base
            + ((long)(bucket >> StripeBucketBits) << _strideBits)
            + ((bucket & StripeMask) * BucketBytes));

    /// <summary>The bucket a bucket's chain goes on with, or null. A link that cannot be one (a torn read) ends it.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong* Next(ulong* bucket)
    {
        return _overflow.At(bucket[EntriesPerBucket]);
    }

    /// <summary>Asks the processor to fetch the bucket of <paramref name="hash"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Prefetch(ulong hash)
    {
        if (Sse.IsSupported)
        {
            Sse.Prefetch0(Bucket(BucketOf(hash)));
        }
    }

    /// <summary>The slots of a bucket whose tag is the one in <paramref name="tagInPlace"/>, as a bit mask. Empty slots
    /// may be among them when the tag is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Match(ulong* bucket, ulong tagInPlace)
        => LinearHashing.Match(bucket, IndexEntry.TagMask, tagInPlace);

    /// <summary>Whether a key of this hash may be in the index, which its record alone can tell for certain. That it is
    /// not is certain.</summary>
    public bool MayContain(ulong hash)
    {
        for (var bucket = Bucket(BucketOf(hash)); bucket != null; bucket = Next(bucket))
        {
            for (var match = Match(bucket, IndexEntry.TagInPlace(hash)); match != 0; match &= match - 1)
            {
                if (bucket[BitOperations.TrailingZeroCount(match)] != 0)
                {
                    return true;
                }
            }
        }

        return false;
    }

    /// <summary>Adds an entry; the key must not be in the index.</summary>
    /// <returns>The slot it stands in, good until the next change.</returns>
    /// <exception cref="MemoryExhaustedException">The index's address space is used up; nothing was changed.
    /// </exception>
    public ulong* Insert(ulong hash, ulong address, int frequency)
    {
        if (_count * SplitLoadDenominator >= _bucketCount * SplitLoadNumerator && _bucketCount < _maxBuckets)
        {
            Split();
        }

        var slot = AddToChain(Bucket(BucketOf(hash)), IndexEntry.Make(address, IndexEntry.TagInPlace(hash), frequency));
        _count++;
        return slot;
    }

    /// <summary>Takes out the entry in <paramref name="slot"/>, which stands in the chain of <paramref name="hash"/>.
    /// The chain's last entry moves into the hole, so chains stay dense.</summary>
    public void Remove(ulong hash, ulong* slot) => RemoveFrom(BucketOf(hash), slot);

    /// <summary>Takes out the entry in <paramref name="slot"/>, which stands in the chain of a bucket.</summary>
    public void RemoveFrom(uint bucket, ulong* slot)
    {
        RemoveFromChain(Bucket(bucket), slot);
        _count--;
    }

    /// <summary>Takes back one bucket when the table is far emptier than it need be: when its load is under a quarter
    /// of that at which buckets split, or under another part, two at least, so that growing and shrinking do not
    /// alternate.</summary>
    /// <returns>Whether a bucket was taken back.</returns>
    public bool TryShrink(int parts = 4)
    {
        if (_bucketCount <= InitialBuckets
            || _count * SplitLoadDenominator * parts >= _bucketCount * SplitLoadNumerator)
        {
            return false;
        }

        var last = _bucketCount - 1;
        var target = Bucket(last & (_mask >> 1));
        var bucket = Bucket(last);
        SetBucketCount(last);
        Merges++;
        MoveChain(bucket, target);
        if (((long)last * BucketBytes & 0xFFF) == 0)
        {
            _stripes.Release(last >> StripeBucketBits, (last & StripeMask) * BucketBytes, 4096);
            ChargeTouched();
        }

        return true;
    }

    /// <summary>Empties the index and gives its memory back.</summary>
    public void Clear()
    {
        for (var stripe = 0; stripe <= (_bucketCount - 1) >> StripeBucketBits; stripe++)
        {
            _stripes.Release(stripe, 0, 1L << StripeBits);
        }

        _overflow.Clear();
        SetBucketCount(InitialBuckets);
        Merges++;
        _count = 0;
        ChargeTouched();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _budget.Charge(-_chargedBytes);
        _chargedBytes = 0;
        _overflow.Dispose();
    }

    /// <inheritdoc cref="LinearHashing.NextCursor"/>
    public ulong NextCursor(ulong cursor, out uint bucket)
        => LinearHashing.NextCursor(cursor, _mask, _bucketCount, out bucket);

    private static long RoundUp(long bytes) => (bytes + 4095) & ~4095L;

    private void Split()
    {
        var added = _bucketCount;
        SetBucketCount(added + 1);
        var source = Bucket(added & (_mask >> 1));
        var sourceNumber = added & (_mask >> 1);
        var target = Bucket(added);
        for (var bucket = source; bucket != null;)
        {
            var moved = false;
            for (var i = 0; i < EntriesPerBucket; i++)
            {
                var entry = bucket[i];
                if (entry != 0 && (IndexEntry.BucketHash(entry, sourceNumber) & _mask) == added)
                {
                    AddToChain(target, entry);
                    RemoveFromChain(source, bucket + i);
                    moved = true;
                    break;
                }
            }

            // A removal fills the hole from the chain's end and may free this very bucket: look again from the start.
            bucket = moved ? source : Next(bucket);
        }

        ChargeTouched();
    }

    private void MoveChain(ulong* from, ulong* to)
    {
        while (from[0] != 0)
        {
            AddToChain(to, from[0]);
            RemoveFromChain(from, from);
        }
    }

    private ulong* AddToChain(ulong* bucket, ulong entry)
    {
        while (true)
        {
            for (var i = 0; i < EntriesPerBucket; i++)
            {
                if (bucket[i] == 0)
                {
                    Volatile.Write(ref bucket[i], entry);
                    return bucket + i;
                }
            }

            var next = Next(bucket);
            if (next == null)
            {
                var link = _overflow.Rent();
                bucket[EntriesPerBucket] = link;
                next = _overflow.At(link);
            }

            bucket = next;
        }
    }

    private void RemoveFromChain(ulong* head, ulong* slot)
    {
        ulong* before = null;
        var last = head;
        for (var next = Next(last); next != null; next = Next(last))
        {
            before = last;
            last = next;
        }

        var isEmpty = LinearHashing.FillHole(last, slot);
        if (isEmpty && before != null)
        {
            var link = before[EntriesPerBucket];
            before[EntriesPerBucket] = 0;
            _overflow.Return(link);
        }
    }

    private void SetBucketCount(uint count)
    {
        _bucketCount = count;
        _mask = LinearHashing.MaskOf(count);
    }

    private void ChargeTouched()
    {
        var touched = RoundUp((long)_bucketCount * BucketBytes) + _overflow.SizeBytes;
        if (touched != _chargedBytes)
        {
            _budget.Charge(touched - _chargedBytes);
            _chargedBytes = touched;
        }
    }
}
