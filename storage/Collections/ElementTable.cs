using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>
/// A hash table of the elements of one large collection, in native memory: 64-byte buckets of seven entries (the
/// element's block in 48 bits, 16 bits of its hash) and a link to an overflow bucket, grown and shrunk one bucket at a
/// time (<see cref="LinearHashing"/>) by what is inserted and removed, so that no operation pays for a whole resize.
/// Blocks are the owner's: the table neither makes nor frees them. A member costs 12 to 14 bytes.
/// A struct within the owner's root block, which does not move. To be used under the shard's lease.
/// </summary>
public unsafe struct ElementTable
{
    private const int EntriesPerBucket = LinearHashing.EntriesPerBucket;
    private const ulong BlockMask = (1UL << 48) - 1;
    private const ulong TagMask = ~BlockMask;

    // Elements per bucket at which a bucket is split, as a ratio.
    private const long SplitLoadNumerator = 28;
    private const long SplitLoadDenominator = 5;

    // Buckets are merged when they hold less than this part of that.
    private const int ShrinkParts = 4;

    // A chain this long is rare. Random draws take longer ones into account, but not with equal chances.
    private const int DrawnChain = 4 * EntriesPerBucket;

    private LineArray _buckets;
    private uint _mask;
    private uint _overflowCount;

    /// <summary>Elements.</summary>
    public long Count { get; private set; }

    /// <summary>Buckets, overflow buckets not counted.</summary>
    public readonly uint BucketCount => _buckets.Count;

    /// <summary>Overflow buckets in use.</summary>
    public readonly uint OverflowBucketCount => _overflowCount;

    /// <summary>Bytes of the table's own blocks, the elements' not counted.</summary>
    public readonly long SizeBytes => _buckets.SizeBytes + (_overflowCount * (long)LineArray.LineBytes);

    /// <summary>Makes an empty table ready for <paramref name="expected"/> elements and more.</summary>
    /// <param name="table">Memory that holds anything.</param>
    /// <param name="heap">Where the table's own blocks come from.</param>
    /// <param name="expected">Elements that will not make it grow.</param>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public static void Initialize(ElementTable* table, SlabHeap heap, long expected)
    {
        *table = default;
        var buckets = Math.Clamp(
            ((expected * SplitLoadDenominator) + SplitLoadNumerator - 1) / SplitLoadNumerator, 1, uint.MaxValue);
        try
        {
            while (table->_buckets.Count < buckets)
            {
                table->_buckets.Add(heap);
            }
        }
        catch (MemoryExhaustedException)
        {
            _ = table->TryTake(heap, out _);
            throw;
        }

        table->_mask = LinearHashing.MaskOf(table->_buckets.Count);
    }

    /// <summary>The block of the element with this key, or null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly byte* Find<TKey>(ulong hash, ReadOnlySpan<byte> key)
        where TKey : struct, IElementKey
    {
        var slot = FindSlot<TKey>(hash, key);
        return slot == null ? null : BlockOf(*slot);
    }

    /// <summary>Adds an element; its key must not be in the table.</summary>
    /// <exception cref="MemoryExhaustedException">The element was not added.</exception>
    public void Insert<TKey>(SlabHeap heap, ulong hash, byte* block)
        where TKey : struct, IElementKey
    {
        Invariant.Check(((ulong)block & TagMask) == 0, "an address has 48 bits");
        if (Count * SplitLoadDenominator >= _buckets.Count * SplitLoadNumerator && _buckets.Count < uint.MaxValue)
        {
            Split<TKey>(heap);
        }

        var bucket = BucketOf(hash);
        var spare = bucket[EntriesPerBucket - 1] == 0 ? null : RentOverflow(heap, NeedsOverflow(bucket) ? 1 : 0);
        _ = Append(bucket, EntryOf(hash, block), ref spare);
        Count++;
    }

    /// <summary>Takes an element out.</summary>
    /// <returns>Its block, or null when there is none with this key.</returns>
    public byte* Remove<TKey>(SlabHeap heap, ulong hash, ReadOnlySpan<byte> key)
        where TKey : struct, IElementKey
    {
        var slot = FindSlot<TKey>(hash, key);
        if (slot == null)
        {
            return null;
        }

        var block = BlockOf(*slot);
        Remove(heap, hash, slot);
        return block;
    }

    /// <summary>Takes out the element of a block that is in the table.</summary>
    public void Remove(SlabHeap heap, ulong hash, byte* block) => Remove(heap, hash, SlotOf(hash, block));

    /// <summary>Another block is the element's from now on; the keys are equal.</summary>
    public readonly void Replace(ulong hash, byte* block, byte* replacement)
    {
        Invariant.Check(((ulong)replacement & TagMask) == 0, "an address has 48 bits");
        *SlotOf(hash, block) = EntryOf(hash, replacement);
    }

    /// <summary>The cursor after <paramref name="cursor"/> in SCAN's order, 0 after the last one, and the bucket it
    /// names. What is in the table all the while is met at least once, whatever is inserted and removed between two
    /// calls.</summary>
    public readonly ulong NextCursor(ulong cursor, out uint bucket)
        => LinearHashing.NextCursor(cursor, _mask, _buckets.Count, out bucket);

    /// <summary>The elements of a bucket.</summary>
    public readonly ElementChain ChainOf(uint bucket) => new(_buckets.At(bucket));

    /// <summary>All elements of a table.</summary>
    public static ElementWalk Walk(ElementTable* table) => new(table);

    /// <summary>An element at random, each with the same chance, of a table that is not empty.</summary>
    public readonly byte* Draw(Random random)
    {
        while (true)
        {
            // A place in a bucket whose chain is taken to be as long as any: where no element is, another draw.
            var bucket = _buckets.At((uint)random.NextInt64(_buckets.Count));
            var place = random.Next(DrawnChain);
            var length = LengthOf(bucket);
            if (length > DrawnChain)
            {
                place = random.Next(length);
            }

            if (place < length)
            {
                for (; place >= EntriesPerBucket; place -= EntriesPerBucket)
                {
                    bucket = Next(bucket);
                }

                return BlockOf(bucket[place]);
            }
        }
    }

    /// <summary>Takes any element out of a table that no one will search again, for freeing it step by step. Nothing is
    /// allocated.</summary>
    /// <returns>False when it was empty; then its own blocks are freed, too.</returns>
    public bool TryTake(SlabHeap heap, out byte* block)
    {
        for (; _buckets.Count > 0; _buckets.RemoveLast(heap))
        {
            var bucket = _buckets.At(_buckets.Count - 1);
            if (bucket[0] != 0)
            {
                block = BlockOf(bucket[0]);
                RemoveFromChain(heap, bucket, bucket);
                Count--;
                return true;
            }
        }

        block = null;
        return false;
    }

    /// <summary>Asks the processor to fetch the bucket of a hash.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Prefetch(ulong hash)
    {
        if (Sse.IsSupported)
        {
            Sse.Prefetch0(BucketOf(hash));
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static byte* BlockOf(ulong entry) => (byte*)(entry & BlockMask);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong* Next(ulong* bucket) => (ulong*)bucket[EntriesPerBucket];

    private static ulong EntryOf(ulong hash, byte* block) => (hash & TagMask) | (ulong)block;

    private static int LengthOf(ulong* bucket)
    {
        var length = 0;
        for (var next = Next(bucket); next != null; next = Next(bucket))
        {
            length += EntriesPerBucket;
            bucket = next;
        }

        for (var i = 0; i < EntriesPerBucket && bucket[i] != 0; i++)
        {
            length++;
        }

        return length;
    }

    private static int OverflowsFor(int length) => Math.Max(0, (length - 1) / EntriesPerBucket);

    private static bool NeedsOverflow(ulong* bucket) => LengthOf(bucket) % EntriesPerBucket == 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ulong* BucketOf(ulong hash)
        => _buckets.At(LinearHashing.BucketOf(hash, _mask, _buckets.Count));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ulong* FindSlot<TKey>(ulong hash, ReadOnlySpan<byte> key)
        where TKey : struct, IElementKey
    {
        for (var bucket = BucketOf(hash); bucket != null; bucket = Next(bucket))
        {
            var match = LinearHashing.Match(bucket, TagMask, hash & TagMask);
            for (; match != 0; match &= match - 1)
            {
                var slot = bucket + BitOperations.TrailingZeroCount(match);
                var block = BlockOf(*slot);
                if (block != null && TKey.KeyOf(block).SequenceEqual(key))
                {
                    return slot;
                }
            }
        }

        return null;
    }

    private readonly ulong* SlotOf(ulong hash, byte* block)
    {
        var entry = EntryOf(hash, block);
        for (var bucket = BucketOf(hash); bucket != null; bucket = Next(bucket))
        {
            for (var i = 0; i < EntriesPerBucket; i++)
            {
                if (bucket[i] == entry)
                {
                    return bucket + i;
                }
            }
        }

        throw new InvalidOperationException("the element is not in the table");
    }

    private void Remove(SlabHeap heap, ulong hash, ulong* slot)
    {
        RemoveFromChain(heap, BucketOf(hash), slot);
        Count--;
        TryMerge(heap);
    }

    /// <summary>Adds a bucket and moves to it what belongs there from now on. Tags do not tell: keys are hashed again.
    /// </summary>
    private void Split<TKey>(SlabHeap heap)
        where TKey : struct, IElementKey
    {
        var added = _buckets.Count;
        var mask = LinearHashing.MaskOf(added + 1);
        var source = _buckets.At(added & (mask >> 1));
        PrefetchChain(source);
        var spare = RentOverflow(heap, OverflowsFor(LengthOf(source)));
        try
        {
            _buckets.Add(heap);
        }
        catch (MemoryExhaustedException)
        {
            ReturnOverflow(heap, spare);
            throw;
        }

        source = _buckets.At(added & (mask >> 1)); // A small array moves when it grows.
        _mask = mask;
        var kept = source;
        var keptSlot = 0;
        var moved = _buckets.At(added);
        for (var bucket = source; bucket != null; bucket = Next(bucket))
        {
            for (var i = 0; i < EntriesPerBucket && bucket[i] != 0; i++)
            {
                var entry = bucket[i];
                bucket[i] = 0;
                if (((uint)KeyHash.Compute(TKey.KeyOf(BlockOf(entry))) & mask) == added)
                {
                    moved = Append(moved, entry, ref spare);
                    continue;
                }

                if (keptSlot == EntriesPerBucket)
                {
                    kept = Next(kept);
                    keptSlot = 0;
                }

                kept[keptSlot++] = entry;
            }
        }

        ReturnOverflow(heap, Next(kept));
        kept[EntriesPerBucket] = 0;
        ReturnOverflow(heap, spare);
    }

    /// <summary>Takes back the last bucket when there are far more than needed.</summary>
    private void TryMerge(SlabHeap heap)
    {
        if (_buckets.Count <= 1 || Count * SplitLoadDenominator * ShrinkParts >= _buckets.Count * SplitLoadNumerator)
        {
            return;
        }

        var last = _buckets.Count - 1;
        var source = _buckets.At(last);
        var target = _buckets.At(last & (_mask >> 1));
        var targetLength = LengthOf(target);
        ulong* spare;
        try
        {
            spare = RentOverflow(heap, OverflowsFor(targetLength + LengthOf(source)) - OverflowsFor(targetLength));
        }
        catch (MemoryExhaustedException)
        {
            return; // The next removal tries again.
        }

        for (var chain = new ElementChain(source); chain.TryNextEntry(out var entry);)
        {
            target = Append(target, entry, ref spare);
        }

        ReturnOverflow(heap, Next(source));
        _buckets.RemoveLast(heap);
        _mask = LinearHashing.MaskOf(last);
    }

    /// <summary>Adds an entry behind all others, into a spare overflow bucket if there is no room.</summary>
    /// <returns>The bucket that holds it, the last one.</returns>
    private static ulong* Append(ulong* bucket, ulong entry, ref ulong* spare)
    {
        for (var next = Next(bucket); next != null; next = Next(bucket))
        {
            bucket = next;
        }

        for (var i = 0; i < EntriesPerBucket; i++)
        {
            if (bucket[i] == 0)
            {
                bucket[i] = entry;
                return bucket;
            }
        }

        var added = spare;
        spare = Next(added);
        added[0] = entry;
        added[EntriesPerBucket] = 0;
        bucket[EntriesPerBucket] = (ulong)added;
        return added;
    }

    /// <summary>Takes an entry out of its chain, whose last one moves into the hole: chains have no holes.</summary>
    private void RemoveFromChain(SlabHeap heap, ulong* head, ulong* slot)
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
            before[EntriesPerBucket] = 0;
            ReturnOverflow(heap, last);
        }
    }

    private static void PrefetchChain(ulong* bucket)
    {
        for (; Sse.IsSupported && bucket != null; bucket = Next(bucket))
        {
            for (var i = 0; i < EntriesPerBucket; i++)
            {
                Sse.Prefetch0(BlockOf(bucket[i]));
            }
        }
    }

    /// <summary>Overflow buckets, linked and empty.</summary>
    private ulong* RentOverflow(SlabHeap heap, int count)
    {
        ulong* rented = null;
        try
        {
            for (; count > 0; count--)
            {
                var added = (ulong*)heap.Allocate(LineArray.LineBytes);
                _overflowCount++;
                new Span<byte>(added, LineArray.LineBytes).Clear();
                added[EntriesPerBucket] = (ulong)rented;
                rented = added;
            }
        }
        catch (MemoryExhaustedException)
        {
            ReturnOverflow(heap, rented);
            throw;
        }

        return rented;
    }

    private void ReturnOverflow(SlabHeap heap, ulong* bucket)
    {
        while (bucket != null)
        {
            var next = Next(bucket);
            heap.Free((byte*)bucket, LineArray.LineBytes);
            _overflowCount--;
            bucket = next;
        }
    }
}
