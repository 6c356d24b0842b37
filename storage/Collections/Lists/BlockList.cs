using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Lists;

/// <summary>
/// A large list: a root and a chain of blocks of elements (an unrolled linked list; Shao et al., LFP '94). Blocks
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
        var bytes = ListPosition.BytesFor(element.Length);
        var block = end == ListEnd.Head ? root->First : root->Last;
        if (block == null || !block->HasRoom(end, bytes, 1))
        {
            block = NewBlock(heap, root, bytes + 1, end);
            Link(root, block, end == ListEnd.Head ? root->First : null);
        }

        Write(root, ListBlock.Push(block, end, bytes), element);
    }

    /// <summary>Removes the element at an end.</summary>
    public static void Pop(SlabHeap heap, ListRoot* root, ListEnd end)
    {
        var block = end == ListEnd.Head ? root->First : root->Last;
        var position = end == ListEnd.Head ? ListBlock.FirstOf(block) : ListBlock.LastOf(block);
        Forget(root, position);
        ListBlock.Pop(block, end, position.Bytes);
        if (block->Count == 0)
        {
            _ = Remove(heap, root, block);
        }
        else if (IsSparse(block) && (block->Capacity > BlockBytes || block->Previous == block->Next))
        {
            _ = Shrink(heap, root, block);
        }
    }

    /// <summary>Adds an element before a position, at which it stands afterwards.</summary>
    public static void Insert(SlabHeap heap, ListRoot* root, ref ListPosition position, ReadOnlySpan<byte> element)
    {
        var bytes = ListPosition.BytesFor(element.Length);
        if (position.Block->Capacity - position.Block->Used < bytes + 1)
        {
            Split(heap, root, ref position, bytes + 1);
        }

        ListBlock.OpenGap(ref position, bytes, 1);
        Write(root, position, element);
    }

    /// <summary>Removes the element at a position, which moves to the next one, or the end of the last block.</summary>
    public static void Remove(SlabHeap heap, ListRoot* root, ref ListPosition position)
    {
        var block = position.Block;
        Forget(root, position);
        ListBlock.CloseGap(ref position);
        if (block->Count == 0)
        {
            position = Remove(heap, root, block);
            return;
        }

        if (IsSparse(block))
        {
            Condense(heap, root, ref position);
        }

        block = position.Block;
        if (position.Slot == ListBlock.EndOf(block).Slot && block->Next != null)
        {
            position = ListBlock.FirstOf(block->Next);
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
            root->EntryBytes -= block->PackedBytes;
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

        return FindIn(block, (int)index);
    }

    /// <summary>Adds a block, as full as it gets, of entries of a packed list.</summary>
    /// <returns>Bytes of the entries it took.</returns>
    /// <exception cref="MemoryExhaustedException">The list was not changed.</exception>
    public static int AppendBlock(SlabHeap heap, ListRoot* root, byte* entry, byte* end)
    {
        var used = 0;
        var next = entry;
        do
        {
            used += ListEntry.SizeAt(next) - 1;
            next += ListEntry.SizeAt(next);
        }
        while (next < end && used + ListEntry.SizeAt(next) - 1 <= BlockBytes - sizeof(ListBlock));

        var block = AllocateBlock(heap, root, used, ListEnd.Tail);
        Link(root, block, next: null);
        var packed = (int)(next - entry);
        for (; entry < next; entry += ListEntry.SizeAt(entry))
        {
            var element = ListEntry.Read(entry);
            Write(root, ListBlock.Push(block, ListEnd.Tail, ListPosition.BytesFor(element.Length)), element);
        }

        return packed;
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

    private static ListPosition FindIn(ListBlock* block, int index)
    {
        if (index < block->Count / 2)
        {
            var position = ListBlock.FirstOf(block);
            for (; index > 0; index--)
            {
                position.MoveNext();
            }

            return position;
        }

        var back = ListBlock.EndOf(block);
        for (; index < block->Count; index++)
        {
            back.MovePrevious();
        }

        return back;
    }

    private static int BytesOf(ListBlock* block) => sizeof(ListBlock) + block->Capacity;

    private static bool IsSparse(ListBlock* block)
        => block->Used < block->Capacity / SparseShare && BytesOf(block) > LeastBlockBytes;

    /// <summary>A block for <paramref name="used"/> bytes and, unless they are many, others.</summary>
    private static ListBlock* NewBlock(SlabHeap heap, ListRoot* root, int used, ListEnd end)
    {
        var most = root->EntryBytes / BlockShare;
        var shared = (most >= BlockBytes ? BlockBytes : most >= MiddleBlockBytes ? MiddleBlockBytes : LeastBlockBytes)
            - sizeof(ListBlock);
        return AllocateBlock(heap, root, used > LargestSharing ? used : Math.Max(used, shared), end);
    }

    /// <summary>A block with room for at least <paramref name="used"/> bytes, which grows at an end.</summary>
    private static ListBlock* AllocateBlock(SlabHeap heap, ListRoot* root, int used, ListEnd end)
    {
        var size = SlabHeap.UsableBytes(checked(sizeof(ListBlock) + used));
        var block = (ListBlock*)heap.Allocate(size);
        ListBlock.Initialize(block, size - sizeof(ListBlock), end);
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
        return next != null ? ListBlock.FirstOf(next)
            : previous != null ? ListBlock.EndOf(previous)
            : default;
    }

    private static void Write(ListRoot* root, in ListPosition position, ReadOnlySpan<byte> element)
    {
        position.Write(element);
        var listpackBytes = ListpackSize.Of(element);
        position.Block->ListpackBytes += listpackBytes;
        root->Count++;
        root->EntryBytes += ListEntry.SizeOf(element.Length);
        root->ListpackBytes += listpackBytes;
    }

    /// <summary>Takes an element that is to be removed out of the counts.</summary>
    private static void Forget(ListRoot* root, in ListPosition position)
    {
        var element = position.Element;
        var listpackBytes = ListpackSize.Of(element);
        position.Block->ListpackBytes -= listpackBytes;
        root->Count--;
        root->EntryBytes -= ListEntry.SizeOf(element.Length);
        root->ListpackBytes -= listpackBytes;
    }

    /// <summary>Moves the elements from a position on into a block of their own, unless these are all, and the position
    /// to where there is room for <paramref name="size"/> bytes.</summary>
    private static void Split(SlabHeap heap, ListRoot* root, ref ListPosition position, int size)
    {
        var left = position.Block;
        var end = ListBlock.EndOf(left);
        var count = (int)(position.Slot - end.Slot);
        if (count == left->Count)
        {
            var front = NewBlock(heap, root, size, ListEnd.Tail);
            Link(root, front, left);
            position = ListBlock.EndOf(front);
            return;
        }

        var bytes = (int)(end.Entry - position.Entry);
        var fitsLeft = left->Capacity - left->Used + bytes + count >= size;
        var right = NewBlock(heap, root, checked(bytes + count + (fitsLeft ? 0 : size)), ListEnd.Tail);
        _ = ListBlock.Insert(ListBlock.FirstOf(right), position, bytes, count);
        for (var moved = ListBlock.FirstOf(right); moved.Slot != ListBlock.EndOf(right).Slot; moved.MoveNext())
        {
            right->ListpackBytes += ListpackSize.Of(moved.Element);
        }

        left->End -= bytes;
        left->Count -= count;
        left->ListpackBytes -= right->ListpackBytes;
        Link(root, right, left->Next);
        if (!fitsLeft)
        {
            position = ListBlock.FirstOf(right);
        }
    }

    /// <summary>Merges a sparse block with a neighbour, or makes it smaller.</summary>
    private static void Condense(SlabHeap heap, ListRoot* root, ref ListPosition position)
    {
        var block = position.Block;
        var first = ListBlock.FirstOf(block);
        var moved = FitsInto(block, block->Next) ? MergeInto(heap, root, block, ListBlock.FirstOf(block->Next))
            : FitsInto(block, block->Previous) ? MergeInto(heap, root, block, ListBlock.EndOf(block->Previous))
            : Shrink(heap, root, block);
        position = new ListPosition
        {
            Block = moved.Block,
            Entry = moved.Entry + (position.Entry - first.Entry),
            Slot = moved.Slot + (position.Slot - first.Slot),
        };
    }

    // A quarter is left, so that the next insert doesn't split the block again.
    private static bool FitsInto(ListBlock* block, ListBlock* neighbour)
        => neighbour != null && (long)block->Used + neighbour->Used <= neighbour->Capacity / 4 * 3;

    /// <summary>Moves a block's elements to where another has room for them.</summary>
    /// <returns>The first one's position.</returns>
    private static ListPosition MergeInto(SlabHeap heap, ListRoot* root, ListBlock* block, in ListPosition target)
    {
        var first = ListBlock.FirstOf(block);
        var moved = ListBlock.Insert(target, first, block->Used - block->Count, block->Count);
        target.Block->ListpackBytes += block->ListpackBytes;
        _ = Remove(heap, root, block);
        return moved;
    }

    /// <summary>Moves a sparse block's elements to a smaller block.</summary>
    private static ListPosition Shrink(SlabHeap heap, ListRoot* root, ListBlock* block)
    {
        ListBlock* small;
        try
        {
            var bytes = Math.Max(LeastBlockBytes - sizeof(ListBlock), 2 * block->Used);
            small = AllocateBlock(heap, root, bytes, block->GrowsAt);
        }
        catch (MemoryExhaustedException)
        {
            // An element was removed, and that must not fail: the block stays too large.
            return ListBlock.FirstOf(block);
        }

        Link(root, small, block);
        return MergeInto(heap, root, block, ListBlock.FirstOf(small));
    }
}
