using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>
/// Blocks in the order of their times: a heap with eight children a node (d-ary heaps; D. B. Johnson, 1975), which lie
/// in one cache line. Blocks know where they stand, so that any can be taken out.
/// A struct within the owner's memory; all zeros is an empty heap.
/// </summary>
internal unsafe struct TimeHeap<TItem>
    where TItem : struct, ITimedItem
{
    private const int ChildBits = 3;
    private const uint Children = 1 << ChildBits;

    private LineArray _lines;

    /// <summary>Items.</summary>
    public uint Count { get; private set; }

    /// <summary>Bytes of the heap's own blocks.</summary>
    public readonly long SizeBytes => _lines.SizeBytes;

    /// <summary>The item whose time comes first, or null.</summary>
    public readonly byte* First => Count == 0 ? null : At(0);

    /// <summary>The time that comes first; the end of time where there is none.</summary>
    public readonly long FirstMs => Count == 0 ? long.MaxValue : TItem.TimeOf(At(0));

    /// <summary>Adds an item.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Add(SlabHeap heap, byte* block)
    {
        if ((Count & (Children - 1)) == 0)
        {
            _lines.Add(heap);
        }

        Count++;
        Rise(Count - 1, block);
    }

    /// <summary>Takes an item out. Nothing is allocated.</summary>
    public void Remove(SlabHeap heap, byte* block)
    {
        var position = TItem.PositionOf(block);
        Invariant.Check(position < Count && At(position) == block, "the item is in the heap");
        var last = At(Count - 1);
        Count--;
        if (last != block)
        {
            Place(position, last);
            Move(last);
        }

        if ((Count & (Children - 1)) == 0)
        {
            _lines.RemoveLast(heap);
        }
    }

    /// <summary>Finds the place of an item whose time was changed.</summary>
    public readonly void Move(byte* block)
    {
        Rise(TItem.PositionOf(block), block);
        Sink(TItem.PositionOf(block), block);
    }

    /// <summary>Another block, which has the same time, is the item from now on.</summary>
    public readonly void Replace(byte* block, byte* replacement) => Place(TItem.PositionOf(block), replacement);

    private readonly byte** Slot(uint position)
        => (byte**)_lines.At(position >> ChildBits) + (position & (Children - 1));

    private readonly byte* At(uint position) => *Slot(position);

    private readonly void Place(uint position, byte* block)
    {
        *Slot(position) = block;
        TItem.SetPosition(block, position);
    }

    private readonly void Rise(uint position, byte* block)
    {
        var time = TItem.TimeOf(block);
        while (position > 0)
        {
            var parent = (position - 1) >> ChildBits;
            if (TItem.TimeOf(At(parent)) <= time)
            {
                break;
            }

            Place(position, At(parent));
            position = parent;
        }

        Place(position, block);
    }

    private readonly void Sink(uint position, byte* block)
    {
        var time = TItem.TimeOf(block);
        while (true)
        {
            var first = ((ulong)position << ChildBits) + 1;
            if (first >= Count)
            {
                break;
            }

            var least = (uint)first;
            for (var child = least + 1; child < Math.Min(first + Children, Count); child++)
            {
                least = TItem.TimeOf(At(child)) < TItem.TimeOf(At(least)) ? child : least;
            }

            if (TItem.TimeOf(At(least)) >= time)
            {
                break;
            }

            Place(position, At(least));
            position = least;
        }

        Place(position, block);
    }
}
