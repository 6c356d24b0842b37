using System.Runtime.CompilerServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections;

/// <summary>
/// An array of 64-byte lines in blocks of a <see cref="SlabHeap"/> that grows and shrinks at its end without ever
/// moving more than 2 KB: lines lie in segments of 16, segments are named by pages of up to 256 pointers, pages by one
/// node. A small array has only as many of these levels as it needs; its one segment is no longer than it.
/// A struct within the owner's block; all zeros is an empty array.
/// </summary>
public unsafe struct LineArray
{
    /// <summary>Bytes of a line, which is aligned to as many.</summary>
    public const int LineBytes = 64;

    private const int SegmentBits = 4;
    private const uint SegmentLines = 1 << SegmentBits;
    private const int PageBits = 8;
    private const uint PagePointers = 1 << PageBits;
    private const uint PageLines = SegmentLines * PagePointers;

    // The only segment; or the only page; or the pointers to the pages.
    private byte* _node;

    // Lines or pointers there is room for in the node.
    private uint _nodeCapacity;

    /// <summary>Lines.</summary>
    public uint Count { get; private set; }

    /// <summary>Bytes of the blocks, as <see cref="SlabHeap.SizeOf"/> counts.</summary>
    public long SizeBytes { get; private set; }

    /// <summary>A line, eight words.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong* At(uint line)
    {
        var node = _node;
        if (Count > SegmentLines)
        {
            if (Count > PageLines)
            {
                node = ((byte**)node)[line >> (SegmentBits + PageBits)];
            }

            node = ((byte**)node)[(line >> SegmentBits) & (PagePointers - 1)];
        }

        return (ulong*)(node + ((line & (SegmentLines - 1)) * LineBytes));
    }

    /// <summary>Adds a line of zeros.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Add(SlabHeap heap)
    {
        if (Count >= SegmentLines)
        {
            if ((Count & (SegmentLines - 1)) == 0)
            {
                AddSegment(heap);
            }
        }
        else if (Count == _nodeCapacity)
        {
            Resize(heap, Math.Max(1, Count * 2), LineBytes);
        }

        Count++;
        new Span<byte>(At(Count - 1), LineBytes).Clear();
    }

    /// <summary>Takes away the last line. Nothing is allocated for it.</summary>
    public void RemoveLast(SlabHeap heap)
    {
        var count = Count - 1;
        if ((count & (SegmentLines - 1)) == 0 && count > 0)
        {
            Free(heap, (byte*)At(count), (int)SegmentLines * LineBytes);
            if ((count & (PageLines - 1)) == 0)
            {
                Free(heap, ((byte**)_node)[count / PageLines], (int)PagePointers * sizeof(byte*));
            }

            if (count is SegmentLines or PageLines)
            {
                var first = *(byte**)_node;
                Free(heap, _node, (int)_nodeCapacity * sizeof(byte*));
                _node = first;
                _nodeCapacity = count == SegmentLines ? SegmentLines : PagePointers;
            }
        }
        else if (count == 0)
        {
            Free(heap, _node, (int)_nodeCapacity * LineBytes);
            _node = null;
            _nodeCapacity = 0;
        }

        Count = count;
    }

    /// <summary>Adds the segment that the line behind the last one begins.</summary>
    private void AddSegment(SlabHeap heap)
    {
        const int Bytes = (int)SegmentLines * LineBytes;
        var segment = heap.Allocate(Bytes);
        try
        {
            var pointer = PointerOf(heap, Count);
            *pointer = segment;
        }
        catch (MemoryExhaustedException)
        {
            heap.Free(segment, Bytes);
            throw;
        }

        SizeBytes += SlabHeap.SizeOf(Bytes);
    }

    /// <summary>Where the pointer to a new segment belongs; adds a page, a level, or room for them.</summary>
    private byte** PointerOf(SlabHeap heap, uint line)
    {
        if (line == SegmentLines)
        {
            AddLevel(heap);
        }

        var segment = line >> SegmentBits;
        if (line < PageLines)
        {
            if (segment == _nodeCapacity)
            {
                Resize(heap, segment * 2, sizeof(byte*));
            }

            return (byte**)_node + segment;
        }

        if ((line & (PageLines - 1)) == 0)
        {
            AddPage(heap, line / PageLines);
        }

        return (byte**)((byte**)_node)[line / PageLines] + (segment & (PagePointers - 1));
    }

    private void AddPage(SlabHeap heap, uint number)
    {
        var bytes = (int)PagePointers * sizeof(byte*);
        var page = heap.Allocate(bytes);
        try
        {
            if (number == 1)
            {
                AddLevel(heap);
            }
            else if (number == _nodeCapacity)
            {
                Resize(heap, number * 2, sizeof(byte*));
            }
        }
        catch (MemoryExhaustedException)
        {
            heap.Free(page, bytes);
            throw;
        }

        ((byte**)_node)[number] = page;
        SizeBytes += SlabHeap.SizeOf(bytes);
    }

    /// <summary>Puts a node with room for two pointers above the node.</summary>
    private void AddLevel(SlabHeap heap)
    {
        const int Pointers = 2;
        var node = (byte**)heap.Allocate(Pointers * sizeof(byte*));
        node[0] = _node;
        _node = (byte*)node;
        _nodeCapacity = Pointers;
        SizeBytes += SlabHeap.SizeOf(Pointers * sizeof(byte*));
    }

    private void Resize(SlabHeap heap, uint capacity, int unitBytes)
    {
        var bytes = checked((int)capacity * unitBytes);
        var node = heap.Allocate(bytes);
        if (_node != null)
        {
            var used = _nodeCapacity * (uint)unitBytes;
            Buffer.MemoryCopy(_node, node, bytes, used);
            Free(heap, _node, (int)used);
        }

        _node = node;
        _nodeCapacity = capacity;
        SizeBytes += SlabHeap.SizeOf(bytes);
    }

    private void Free(SlabHeap heap, byte* block, int bytes)
    {
        heap.Free(block, bytes);
        SizeBytes -= SlabHeap.SizeOf(bytes);
    }
}
