using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Lists;

/// <summary>Large lists for their shard. Packed, a quicklist (in Redis's terms) has one more byte at its end, so that
/// it is one when it is large again.</summary>
internal sealed unsafe class ListForm : ILargeForm
{
    // No entry ends with it.
    private const byte QuicklistMark = 255;

    public static ListForm Instance { get; } = new();

    /// <summary>Whether the packed value is that of a quicklist.</summary>
    public static bool IsMarkedQuicklist(ReadOnlySpan<byte> packed) => packed[^1] == QuicklistMark;

    /// <summary>What OBJECT ENCODING answers.</summary>
    public static ReadOnlySpan<byte> EncodingOf(in Record record)
        => ListReader.IsQuicklist(record) ? "quicklist"u8 : "listpack"u8;

    /// <inheritdoc/>
    public long CountOf(byte* root) => ((ListRoot*)root)->Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => ((ListRoot*)root)->Weight;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root)
        => PackedForm.HeaderBytes + ((ListRoot*)root)->EntryBytes + (((ListRoot*)root)->IsQuicklist ? 1 : 0);

    /// <inheritdoc/>
    public void PackSome(byte* root, Span<byte> packed, ref PackingCursor cursor, int effort)
    {
        var list = (ListRoot*)root;
        if (cursor.Offset == 0)
        {
            PackedForm.SetCount(packed, checked((int)list->Count));
            cursor.Offset = PackedForm.HeaderBytes;
            cursor.Next = list->First;
        }

        while (effort > 0 && cursor.Next != null)
        {
            var block = (ListBlock*)cursor.Next;
            ListBlock.Pack(block, packed[cursor.Offset..]);
            cursor.Offset += block->PackedBytes;
            cursor.Next = block->Next;
            effort -= block->Count + StepEffort.Of(block->PackedBytes);
        }

        cursor.IsAtEnd = cursor.Next == null;
        if (cursor.IsAtEnd && list->IsQuicklist)
        {
            packed[^1] = QuicklistMark;
        }
    }

    /// <inheritdoc/>
    public byte* Create(SlabHeap heap, int expected) => (byte*)BlockList.Create(heap);

    /// <inheritdoc/>
    public void UnpackSome(
        SlabHeap heap, byte* root, ReadOnlySpan<byte> packed, ref PackingCursor cursor, int effort)
    {
        var list = (ListRoot*)root;
        list->IsQuicklist = IsMarkedQuicklist(packed);
        var end = packed.Length - (list->IsQuicklist ? 1 : 0);
        cursor.Offset = Math.Max(cursor.Offset, PackedForm.HeaderBytes);
        fixed (byte* value = packed)
        {
            while (effort > 0 && cursor.Offset < end)
            {
                var bytes = BlockList.AppendBlock(heap, list, value + cursor.Offset, value + end);
                cursor.Offset += bytes;
                effort -= list->Last->Count + StepEffort.Of(bytes);
            }
        }

        cursor.IsAtEnd = cursor.Offset == end;
    }

    /// <inheritdoc/>
    public bool FreeSome(SlabHeap heap, byte* root, int elements)
        => BlockList.FreeSome(heap, (ListRoot*)root, elements);
}
