using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Lists;

/// <summary>Large lists for their shard. Packed, a quicklist (in Redis's terms) has one more byte at its end, so that it
/// is one when it is large again.</summary>
internal sealed unsafe class ListForm : ILargeForm
{
    // No entry ends with it.
    private const byte QuicklistMark = 255;

    public static ListForm Instance { get; } = new();

    /// <summary>Whether the packed value is that of a quicklist.</summary>
    public static bool IsMarkedQuicklist(ReadOnlySpan<byte> packed) => packed[^1] == QuicklistMark;

    /// <inheritdoc/>
    public long CountOf(byte* root) => ((ListRoot*)root)->Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => ((ListRoot*)root)->Weight;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root)
        => PackedForm.HeaderBytes + ((ListRoot*)root)->EntryBytes + (((ListRoot*)root)->IsQuicklist ? 1 : 0);

    /// <inheritdoc/>
    public void Pack(byte* root, Span<byte> packed)
    {
        var list = (ListRoot*)root;
        PackedForm.SetCount(packed, checked((int)list->Count));
        var target = packed[PackedForm.HeaderBytes..];
        for (var block = list->First; block != null; block = block->Next)
        {
            new ReadOnlySpan<byte>(ListBlock.FirstOf(block), block->Used).CopyTo(target);
            target = target[block->Used..];
        }

        if (list->IsQuicklist)
        {
            target[0] = QuicklistMark;
        }
    }

    /// <inheritdoc/>
    public byte* Unpack(SlabHeap heap, ReadOnlySpan<byte> packed)
    {
        var entries = packed[PackedForm.HeaderBytes..];
        var isQuicklist = IsMarkedQuicklist(packed);
        var root = BlockList.Create(heap, isQuicklist ? entries[..^1] : entries);
        root->IsQuicklist = isQuicklist;
        return (byte*)root;
    }

    /// <inheritdoc/>
    public bool FreeSome(SlabHeap heap, byte* root, int elements)
        => BlockList.FreeSome(heap, (ListRoot*)root, elements);
}
