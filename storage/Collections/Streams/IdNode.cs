using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// A node of an <see cref="IdTree"/>: this head, then entries in order, each an id and some words that belong to it. A
/// leaf's words are its owner's; a branch's entries have one, the address of the child whose ids begin with the
/// entry's or above. Leaves know their neighbours.
/// </summary>
internal unsafe struct IdNode
{
    /// <summary>Bytes of a node, but for the only leaf of a small tree.</summary>
    public const int FullBytes = 1024;

    /// <summary>Entries of a branch.</summary>
    public const int BranchStride = IdBytes + sizeof(ulong);

    private const int IdBytes = 16;

    public IdNode* Previous;
    public IdNode* Next;
    public int Count;
    public int Capacity;

    /// <summary>Bytes of an entry with so many words.</summary>
    public static int StrideOf(int words) => IdBytes + (words * sizeof(ulong));

    /// <summary>Entries that a node of full size has room for.</summary>
    public static int CapacityOf(int stride) => (FullBytes - sizeof(IdNode)) / stride;

    /// <summary>Bytes of a node with room for some entries.</summary>
    public static int BytesOf(int capacity, int stride)
        => capacity == CapacityOf(stride) ? FullBytes : sizeof(IdNode) + (capacity * stride);

    /// <summary>An entry's id; its words follow.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static StreamId* At(IdNode* node, int index, int stride)
        => (StreamId*)((byte*)(node + 1) + (index * stride));

    /// <summary>An entry's words.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong* WordsAt(IdNode* node, int index, int stride) => (ulong*)(At(node, index, stride) + 1);

    /// <summary>A branch's child.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static IdNode* ChildAt(IdNode* branch, int index) => (IdNode*)*WordsAt(branch, index, BranchStride);

    /// <summary>Entries whose id is below another.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int CountBelow(IdNode* node, int stride, StreamId id)
    {
        var low = 0;
        var high = node->Count;
        while (low < high)
        {
            var middle = (low + high) >>> 1;
            if (*At(node, middle, stride) < id)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    /// <summary>The child under which an id belongs. What is below all others belongs to the first one, whatever its
    /// id says.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ChildFor(IdNode* branch, StreamId id)
    {
        var low = 0;
        var high = branch->Count - 1;
        while (low < high)
        {
            var middle = (low + high + 1) >>> 1;
            if (*At(branch, middle, BranchStride) <= id)
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }

        return low;
    }

    /// <summary>Makes room for an entry, or closes the gap of one.</summary>
    public static void Shift(IdNode* node, int index, int by, int stride)
    {
        var bytes = (node->Count - index) * stride;
        Buffer.MemoryCopy(At(node, index, stride), At(node, index + by, stride), bytes, bytes);
        node->Count += by;
    }

    /// <summary>Moves entries from one node's end to another's.</summary>
    public static void MoveEnd(IdNode* source, int from, IdNode* target, int stride)
    {
        var bytes = (source->Count - from) * stride;
        Buffer.MemoryCopy(At(source, from, stride), At(target, target->Count, stride), bytes, bytes);
        target->Count += source->Count - from;
        source->Count = from;
    }
}
