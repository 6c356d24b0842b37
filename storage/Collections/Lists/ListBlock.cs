namespace Strata.Storage.Collections.Lists;

/// <summary>
/// The head of a block of a large list, in front of its <see cref="Capacity"/> bytes, which are a slotted page: the
/// elements one behind the other, and apart from them, in the opposite order, a slot of one byte for each with its
/// length. So elements can be walked from either side although a length is there once. (A long element has its
/// length in four bytes, on both sides of its own bytes.)
/// <code>
/// filled from the start:   | elements > ............ &lt; slots |
/// filled from the end:     | slots > ............ &lt; elements |   as pushes at the head of a list do
/// </code>
/// Elements taken from the full side leave room there, too. A block in a list is never empty.
/// </summary>
internal unsafe struct ListBlock
{
    public ListBlock* Previous;
    public ListBlock* Next;

    /// <summary>Bytes there are for elements and slots.</summary>
    public int Capacity;

    /// <summary>Where the first element begins.</summary>
    public int Start;

    /// <summary>Where the last element ends.</summary>
    public int End;

    /// <summary>Where the slots end, of which the first element's is the last.</summary>
    public int SlotsEnd;

    /// <summary>Elements.</summary>
    public int Count;

    /// <summary>Bytes the elements would take in one of Redis's listpacks.</summary>
    public long ListpackBytes;

    /// <summary>Bytes of elements and slots.</summary>
    public readonly int Used => End - Start + Count;

    /// <summary>Bytes of the elements as entries of a packed list.</summary>
    public readonly int PackedBytes => End - Start + (2 * Count);

    /// <summary>The end that all of the room was at when the block was new.</summary>
    public readonly ListEnd GrowsAt => SlotsEnd > Start ? ListEnd.Tail : ListEnd.Head;

    /// <summary>Makes a new block of <paramref name="capacity"/> bytes that grows at an end.</summary>
    public static void Initialize(ListBlock* block, int capacity, ListEnd end)
    {
        *block = new ListBlock { Capacity = capacity };
        if (end == ListEnd.Head)
        {
            block->Start = block->End = capacity;
        }
        else
        {
            block->SlotsEnd = capacity;
        }
    }

    /// <summary>The block's first element.</summary>
    public static ListPosition FirstOf(ListBlock* block)
    {
        var data = (byte*)(block + 1);
        return new ListPosition { Block = block, Entry = data + block->Start, Slot = data + block->SlotsEnd - 1 };
    }

    /// <summary>The block's last element.</summary>
    public static ListPosition LastOf(ListBlock* block)
    {
        var position = EndOf(block);
        position.MovePrevious();
        return position;
    }

    /// <summary>Behind the block's last element.</summary>
    public static ListPosition EndOf(ListBlock* block)
    {
        var data = (byte*)(block + 1);
        return new ListPosition
        {
            Block = block,
            Entry = data + block->End,
            Slot = data + block->SlotsEnd - 1 - block->Count,
        };
    }

    /// <summary>Whether there is room at an end for <paramref name="count"/> elements of so many bytes.</summary>
    public readonly bool HasRoom(ListEnd end, int bytes, int count)
    {
        var firstSlot = SlotsEnd - Count;
        return (end, GrowsAt) switch
        {
            (ListEnd.Head, ListEnd.Head) => Start - SlotsEnd >= (long)bytes + count,
            (ListEnd.Head, _) => Start >= bytes && Capacity - SlotsEnd >= count,
            (_, ListEnd.Head) => Capacity - End >= bytes && firstSlot >= count,
            _ => firstSlot - End >= (long)bytes + count,
        };
    }

    /// <summary>Adds an element at an end where there is room.</summary>
    /// <returns>Where it is to be written.</returns>
    public static ListPosition Push(ListBlock* block, ListEnd end, int bytes)
    {
        var position = EndOf(block);
        block->Count++;
        if (end == ListEnd.Tail)
        {
            block->End += bytes;
            return position;
        }

        block->Start -= bytes;
        block->SlotsEnd++;
        return FirstOf(block);
    }

    /// <summary>Removes the element at an end.</summary>
    public static void Pop(ListBlock* block, ListEnd end, int bytes)
    {
        block->Count--;
        if (end == ListEnd.Tail)
        {
            block->End -= bytes;
            return;
        }

        block->Start += bytes;
        block->SlotsEnd--;
    }

    /// <summary>Makes room for elements before a position, which is at the first of them then. The block must have as
    /// many bytes, wherever they are.</summary>
    public static void OpenGap(ref ListPosition position, int bytes, int count)
    {
        var block = position.Block;
        var end = NearerEnd(position);
        if (!block->HasRoom(end, bytes, count))
        {
            end = end == ListEnd.Head ? ListEnd.Tail : ListEnd.Head;
        }

        if (!block->HasRoom(end, bytes, count))
        {
            GatherRoom(ref position);
            end = block->GrowsAt;
        }

        if (end == ListEnd.Head)
        {
            ShiftFront(ref position, bytes, count);
        }
        else
        {
            ShiftBack(position, bytes, count);
        }
    }

    /// <summary>Removes the element at a position, which is at the next one then.</summary>
    public static void CloseGap(ref ListPosition position)
    {
        var bytes = position.Bytes;
        var next = position;
        next.MoveNext();
        if (NearerEnd(position) == ListEnd.Head)
        {
            ShiftFront(ref position, -bytes, -1);
        }
        else
        {
            ShiftBack(next, -bytes, -1);
        }
    }

    /// <summary>Inserts copies of the elements from a position on at another, where the block must have room.</summary>
    /// <returns>The first copy's position.</returns>
    public static ListPosition Insert(ListPosition target, in ListPosition from, int bytes, int count)
    {
        OpenGap(ref target, bytes, count);
        Move(from.Entry, bytes, target.Entry);
        Move(from.Slot - count + 1, count, target.Slot - count + 1);
        return target;
    }

    /// <summary>Writes the elements as entries of a packed list.</summary>
    public static void Pack(ListBlock* block, Span<byte> packed)
    {
        fixed (byte* start = packed[..block->PackedBytes])
        {
            var entry = start;
            var end = EndOf(block).Slot;
            for (var position = FirstOf(block); position.Slot != end; position.MoveNext())
            {
                ListEntry.Write(entry, position.Element);
                entry += ListEntry.SizeAt(entry);
            }
        }
    }

    private static ListEnd NearerEnd(in ListPosition position)
        => position.Entry - FirstOf(position.Block).Entry < EndOf(position.Block).Entry - position.Entry
            ? ListEnd.Head
            : ListEnd.Tail;

    /// <summary>Moves what is before a position away from it, or, by a negative number, over what is there.</summary>
    private static void ShiftFront(ref ListPosition position, int bytes, int count)
    {
        var block = position.Block;
        var first = FirstOf(block);
        var slot = position.Slot + 1;
        Move(first.Entry, (int)(position.Entry - first.Entry), first.Entry - bytes);
        Move(slot, (int)(first.Slot + 1 - slot), slot + count);
        block->Start -= bytes;
        block->SlotsEnd += count;
        block->Count += count;
        position.Entry -= bytes;
        position.Slot += count;
    }

    /// <summary>Moves what is from a position on away from it, or, by a negative number, over what is before.</summary>
    private static void ShiftBack(in ListPosition position, int bytes, int count)
    {
        var block = position.Block;
        var end = EndOf(block);
        var slot = end.Slot + 1;
        Move(position.Entry, (int)(end.Entry - position.Entry), position.Entry + bytes);
        Move(slot, (int)(position.Slot + 1 - slot), slot - count);
        block->End += bytes;
        block->Count += count;
    }

    /// <summary>Moves elements and slots to where they were when the block was new, so that all of its room is between
    /// them.</summary>
    private static void GatherRoom(ref ListPosition position)
    {
        var block = position.Block;
        var data = (byte*)(block + 1);
        var firstSlot = block->SlotsEnd - block->Count;
        var fromStart = block->GrowsAt == ListEnd.Tail;
        var shift = fromStart ? -block->Start : block->Capacity - block->End;
        var slotShift = fromStart ? block->Capacity - block->SlotsEnd : -firstSlot;
        Move(data + block->Start, block->End - block->Start, data + block->Start + shift);
        Move(data + firstSlot, block->Count, data + firstSlot + slotShift);
        block->Start += shift;
        block->End += shift;
        block->SlotsEnd += slotShift;
        position.Entry += shift;
        position.Slot += slotShift;
    }

    private static void Move(byte* from, int bytes, byte* target)
        => new ReadOnlySpan<byte>(from, bytes).CopyTo(new Span<byte>(target, bytes));
}
