using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Lists;

/// <summary>
/// A large list: a root and a chain of blocks of packed entries (an unrolled linked list; Shao et al., LFP '94). Blocks
/// grow with the list up to <see cref="BlockBytes"/>; a large element may have a block of its own. Pushing and popping
/// take constant time at both ends; elsewhere blocks are found from the nearer end, split when full and merged when
/// sparse. Memory is allocated before anything is changed.
/// </summary>
internal static unsafe class BlockList
{
    /// <summary>Bytes of the largest block that elements share.</summary>
    public const int BlockBytes = SlabHeap.WholeSlab;

    // The blocks of a list as it grows: few sizes, as each has slabs of its own. A larger one has at most a certain
    // part of what the list has: what is free at its ends is little beside it.
    private const int LeastBlockBytes = 1024;
    private const int MiddleBlockBytes = BlockBytes / 8;
    private const int BlockShare = 8;

    // A block shares with others up to here; a larger element gets a block that it fills.
    private const int LargestSharing = 2044;

    // A block emptier than this part is merged with a neighbour or made smaller.
    private const int SparseShare = 4;

    /// <summary>An empty list.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public static ListRoot* Create(SlabHeap heap)
    {
        var root = (ListRoot*)heap.Allocate(sizeof(ListRoot));
        *root = new ListRoot { Weight = SlabHeap.SizeOf(sizeof(ListRoot)) };
        return root;
    }

    /// <summary>Adds an element at an end.</summary>
    public static void Push(SlabHeap heap, ListRoot* root, ReadOnlySpan<byte> element, ListEnd end)
    {
        var size = ListEntry.SizeOf(element.Length);
        if (end == ListEnd.Head)
        {
            var block = root->First;
            if (block == null || block->Start < size)
            {
                block = NewBlock(heap, root, size);
                block->Start = block->End = block->Capacity;
                Link(root, block, root->First);
            }

            block->Start -= size;
            Write(root, block, ListBlock.FirstOf(block), element, size);
        }
        else
        {
            var block = root->Last;
            if (block == null || block->Capacity - block->End < size)
            {
                block = NewBlock(heap, root, size);
                Link(root, block, next: null);
            }

            block->End += size;
            Write(root, block, ListBlock.EndOf(block) - size, element, size);
        }
    }

    /// <summary>Removes the element at an end.</summary>
    public static void Pop(SlabHeap heap, ListRoot* root, ListEnd end)
    {
        var block = end == ListEnd.Head ? root->First : root->Last;
        var entry = end == ListEnd.Head ? ListBlock.FirstOf(block) : ListEntry.Before(ListBlock.EndOf(block));
        var size = Forget(root, block, entry);
        if (block->Count == 0)
        {
            Remove(heap, root, block);
            return;
        }

        if (end == ListEnd.Head)
        {
            block->Start += size;
        }
        else
        {
            block->End -= size;
        }

        if (IsSparse(block) && (block->Capacity > BlockBytes || block->Previous == block->Next))
        {
            _ = Shrink(heap, root, block);
        }
    }

    /// <summary>Adds an element before a position, at which it stands afterwards.</summary>
    public static void Insert(SlabHeap heap, ListRoot* root, ref ListPosition position, ReadOnlySpan<byte> element)
    {
        var size = ListEntry.SizeOf(element.Length);
        var block = position.Block;
        if (block->Capacity - block->Used < size)
        {
            Split(heap, root, ref position, size);
            block = position.Block;
        }

        position.Entry = OpenGap(block, position.Entry, size);
        Write(root, block, position.Entry, element, size);
    }

    /// <summary>Removes the element at a position, which moves to the next one, or the end of the last block.</summary>
    public static void Remove(SlabHeap heap, ListRoot* root, ref ListPosition position)
    {
        var block = position.Block;
        var entry = position.Entry;
        var size = Forget(root, block, entry);
        if (block->Count == 0)
        {
            position = Remove(heap, root, block);
            return;
        }

        var front = (int)(entry - ListBlock.FirstOf(block));
        var behind = block->Used - front - size;
        if (front < behind)
        {
            new Span<byte>(entry - front, front).CopyTo(new Span<byte>(entry - front + size, front));
            block->Start += size;
            position.Entry = entry + size;
        }
        else
        {
            new Span<byte>(entry + size, behind).CopyTo(new Span<byte>(entry, behind));
            block->End -= size;
        }

        if (IsSparse(block))
        {
            Condense(heap, root, ref position);
        }

        if (position.Entry == ListBlock.EndOf(position.Block) && position.Block->Next != null)
        {
            position.Block = position.Block->Next;
            position.Entry = ListBlock.FirstOf(position.Block);
        }
    }

    /// <summary>Removes elements at an end, whole blocks at once.</summary>
    public static void Trim(SlabHeap heap, ListRoot* root, long count, ListEnd end)
    {
        while (count > 0)
        {
            var block = end == ListEnd.Head ? root->First : root->Last;
            if (block->Count > count)
            {
                Pop(heap, root, end);
                count--;
                continue;
            }

            count -= block->Count;
            root->Count -= block->Count;
            root->EntryBytes -= block->Used;
            root->ListpackBytes -= block->ListpackBytes;
            _ = Remove(heap, root, block);
        }
    }

    /// <summary>The position of an element; its index must be right.</summary>
    public static ListPosition Find(ListRoot* root, long index)
    {
        ListBlock* block;
        if (index < root->Count / 2)
        {
            for (block = root->First; index >= block->Count; block = block->Next)
            {
                index -= block->Count;
            }
        }
        else
        {
            var fromEnd = root->Count - index;
            for (block = root->Last; fromEnd > block->Count; block = block->Previous)
            {
                fromEnd -= block->Count;
            }

            index = block->Count - fromEnd;
        }

        return new ListPosition { Block = block, Entry = FindIn(block, (int)index) };
    }

    /// <summary>Adds a block, as full as it gets, of entries of a packed list.</summary>
    /// <returns>Bytes of the entries it took.</returns>
    /// <exception cref="MemoryExhaustedException">The list was not changed.</exception>
    public static int AppendBlock(SlabHeap heap, ListRoot* root, byte* entry, byte* end)
    {
        var room = Math.Max(BlockBytes - sizeof(ListBlock), ListEntry.SizeAt(entry));
        var next = entry;
        var listpackBytes = 0L;
        var count = 0;
        while (next < end && next + ListEntry.SizeAt(next) - entry <= room)
        {
            listpackBytes += ListpackSize.Of(ListEntry.Read(next));
            next += ListEntry.SizeAt(next);
            count++;
        }

        var used = (int)(next - entry);
        var block = AllocateBlock(heap, root, sizeof(ListBlock) + used);
        block->End = used;
        block->Count = count;
        block->ListpackBytes = listpackBytes;
        new ReadOnlySpan<byte>(entry, used).CopyTo(new Span<byte>(ListBlock.FirstOf(block), used));
        Link(root, block, next: null);
        root->Count += count;
        root->EntryBytes += used;
        root->ListpackBytes += listpackBytes;
        return used;
    }

    /// <summary>Frees blocks until about <paramref name="elements"/> elements are gone.</summary>
    /// <returns>Whether nothing is left, not even the root.</returns>
    public static bool FreeSome(SlabHeap heap, ListRoot* root, int elements)
    {
        while (root->First != null)
        {
            if (elements <= 0)
            {
                return false;
            }

            var block = root->First;
            elements -= block->Count;
            root->First = block->Next;
            heap.Free((byte*)block, BytesOf(block));
        }

        heap.Free((byte*)root, sizeof(ListRoot));
        return true;
    }

    private static byte* FindIn(ListBlock* block, int index)
    {
        byte* entry;
        if (index < block->Count / 2)
        {
            entry = ListBlock.FirstOf(block);
            for (; index > 0; index--)
            {
                entry += ListEntry.SizeAt(entry);
            }
        }
        else
        {
            entry = ListBlock.EndOf(block);
            for (; index < block->Count; index++)
            {
                entry = ListEntry.Before(entry);
            }
        }

        return entry;
    }

    private static int BytesOf(ListBlock* block) => sizeof(ListBlock) + block->Capacity;

    private static bool IsSparse(ListBlock* block)
        => block->Used < block->Capacity / SparseShare && BytesOf(block) > LeastBlockBytes;

    /// <summary>A block for an entry of <paramref name="size"/> bytes and, unless it is large, others.</summary>
    private static ListBlock* NewBlock(SlabHeap heap, ListRoot* root, int size)
    {
        var bytes = checked(sizeof(ListBlock) + size);
        var most = root->EntryBytes / BlockShare;
        var wanted = most >= BlockBytes ? BlockBytes : most >= MiddleBlockBytes ? MiddleBlockBytes : LeastBlockBytes;
        return AllocateBlock(heap, root, size > LargestSharing ? bytes : Math.Max(bytes, wanted));
    }

    private static ListBlock* AllocateBlock(SlabHeap heap, ListRoot* root, int bytes)
    {
        var size = SlabHeap.UsableBytes(bytes);
        var block = (ListBlock*)heap.Allocate(size);
        *block = new ListBlock { Capacity = size - sizeof(ListBlock) };
        root->Weight += SlabHeap.SizeOf(size);
        return block;
    }

    /// <summary>Puts a block before another one, or at the end.</summary>
    private static void Link(ListRoot* root, ListBlock* block, ListBlock* next)
    {
        var previous = next == null ? root->Last : next->Previous;
        block->Previous = previous;
        block->Next = next;
        if (previous == null)
        {
            root->First = block;
        }
        else
        {
            previous->Next = block;
        }

        if (next == null)
        {
            root->Last = block;
        }
        else
        {
            next->Previous = block;
        }
    }

    /// <summary>Frees a block, whose entries are no longer counted.</summary>
    /// <returns>The first entry of the next block, or the end of the last one, or nothing.</returns>
    private static ListPosition Remove(SlabHeap heap, ListRoot* root, ListBlock* block)
    {
        var previous = block->Previous;
        var next = block->Next;
        if (previous == null)
        {
            root->First = next;
        }
        else
        {
            previous->Next = next;
        }

        if (next == null)
        {
            root->Last = previous;
        }
        else
        {
            next->Previous = previous;
        }

        root->Weight -= SlabHeap.SizeOf(BytesOf(block));
        heap.Free((byte*)block, BytesOf(block));
        return next != null ? new ListPosition { Block = next, Entry = ListBlock.FirstOf(next) }
            : previous != null ? new ListPosition { Block = previous, Entry = ListBlock.EndOf(previous) }
            : default;
    }

    private static void Write(ListRoot* root, ListBlock* block, byte* entry, ReadOnlySpan<byte> element, int size)
    {
        ListEntry.Write(entry, element);
        var listpackBytes = ListpackSize.Of(element);
        block->Count++;
        block->ListpackBytes += listpackBytes;
        root->Count++;
        root->EntryBytes += size;
        root->ListpackBytes += listpackBytes;
    }

    /// <summary>Takes an entry out of the counts.</summary>
    /// <returns>Its size.</returns>
    private static int Forget(ListRoot* root, ListBlock* block, byte* entry)
    {
        var size = ListEntry.SizeAt(entry);
        var listpackBytes = ListpackSize.Of(ListEntry.Read(entry));
        block->Count--;
        block->ListpackBytes -= listpackBytes;
        root->Count--;
        root->EntryBytes -= size;
        root->ListpackBytes -= listpackBytes;
        return size;
    }

    /// <summary>Makes room before an entry by moving the shorter side, or both.</summary>
    /// <returns>Where the room is.</returns>
    private static byte* OpenGap(ListBlock* block, byte* entry, int size)
    {
        var first = ListBlock.FirstOf(block);
        var front = (int)(entry - first);
        var behind = block->Used - front;
        var roomBehind = block->Capacity - block->End;
        var toFront = block->Start >= size && (front <= behind || roomBehind < size) ? size
            : roomBehind >= size ? 0
            : block->Start;
        new Span<byte>(first, front).CopyTo(new Span<byte>(first - toFront, front));
        block->Start -= toFront;
        var toBehind = size - toFront;
        new Span<byte>(entry, behind).CopyTo(new Span<byte>(entry + toBehind, behind));
        block->End += toBehind;
        return entry - toFront;
    }

    /// <summary>Moves the entries from a position on into a block of their own, and the position to where there is room
    /// for <paramref name="size"/> bytes.</summary>
    private static void Split(SlabHeap heap, ListRoot* root, ref ListPosition position, int size)
    {
        var left = position.Block;
        var entry = position.Entry;
        var moved = (int)(ListBlock.EndOf(left) - entry);
        var front = left->Used - moved;
        var fitsLeft = front > 0 && left->Capacity - front >= size;
        var right = NewBlock(heap, root, fitsLeft ? moved : checked(moved + size));
        right->Start = fitsLeft ? 0 : size;
        right->End = right->Start + moved;
        new ReadOnlySpan<byte>(entry, moved).CopyTo(new Span<byte>(ListBlock.FirstOf(right), moved));
        for (var end = entry + moved; entry < end; entry += ListEntry.SizeAt(entry))
        {
            right->Count++;
            right->ListpackBytes += ListpackSize.Of(ListEntry.Read(entry));
        }

        left->End -= moved;
        left->Count -= right->Count;
        left->ListpackBytes -= right->ListpackBytes;
        Link(root, right, left->Next);
        if (!fitsLeft)
        {
            position.Block = right;
            position.Entry = ListBlock.FirstOf(right);
        }

        if (left->Count == 0)
        {
            _ = Remove(heap, root, left);
        }
    }

    /// <summary>Merges a sparse block with a neighbour, or makes it smaller.</summary>
    private static void Condense(SlabHeap heap, ListRoot* root, ref ListPosition position)
    {
        var block = position.Block;
        var offset = (int)(position.Entry - ListBlock.FirstOf(block));
        if (FitsInto(block, block->Next))
        {
            var next = block->Next;
            var room = OpenGap(next, ListBlock.FirstOf(next), block->Used);
            MergeInto(heap, root, block, next, room);
            position = new ListPosition { Block = next, Entry = room + offset };
        }
        else if (FitsInto(block, block->Previous))
        {
            var previous = block->Previous;
            var room = OpenGap(previous, ListBlock.EndOf(previous), block->Used);
            MergeInto(heap, root, block, previous, room);
            position = new ListPosition { Block = previous, Entry = room + offset };
        }
        else
        {
            block = Shrink(heap, root, block);
            position = new ListPosition { Block = block, Entry = ListBlock.FirstOf(block) + offset };
        }
    }

    // A quarter is left, so that the next insert doesn't split the block again.
    private static bool FitsInto(ListBlock* block, ListBlock* neighbour)
        => neighbour != null && (long)block->Used + neighbour->Used <= neighbour->Capacity / 4 * 3;

    private static void MergeInto(SlabHeap heap, ListRoot* root, ListBlock* block, ListBlock* target, byte* room)
    {
        new ReadOnlySpan<byte>(ListBlock.FirstOf(block), block->Used).CopyTo(new Span<byte>(room, block->Used));
        target->Count += block->Count;
        target->ListpackBytes += block->ListpackBytes;
        _ = Remove(heap, root, block);
    }

    /// <summary>Moves a sparse block's entries to a smaller block.</summary>
    private static ListBlock* Shrink(SlabHeap heap, ListRoot* root, ListBlock* block)
    {
        var used = block->Used;
        ListBlock* small;
        try
        {
            small = AllocateBlock(heap, root, Math.Max(LeastBlockBytes, sizeof(ListBlock) + (2 * used)));
        }
        catch (MemoryExhaustedException)
        {
            return block; // An element was removed, and that must not fail: the block stays too large.
        }

        small->Start = (small->Capacity - used) / 2;
        small->End = small->Start + used;
        small->Count = block->Count;
        small->ListpackBytes = block->ListpackBytes;
        new ReadOnlySpan<byte>(ListBlock.FirstOf(block), used).CopyTo(new Span<byte>(ListBlock.FirstOf(small), used));
        Link(root, small, block);
        _ = Remove(heap, root, block);
        return small;
    }
}
