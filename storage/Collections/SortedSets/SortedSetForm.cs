using System.Runtime.InteropServices;
using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>Large sorted sets as the shard knows them. Packed, their elements stand in order of (score, member).
/// </summary>
internal sealed unsafe class SortedSetForm : ILargeForm
{
    public static readonly SortedSetForm Instance = new();

    /// <summary>What OBJECT ENCODING answers.</summary>
    public static ReadOnlySpan<byte> EncodingOf(in Record record)
        => record.IsLarge || record.IsFrozen ? "skiplist"u8 : "listpack"u8;

    /// <inheritdoc/>
    public long CountOf(byte* root) => ((SortedSetRoot*)root)->Tree.Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => ((SortedSetRoot*)root)->WeightBytes;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root) => PackedForm.HeaderBytes + ((SortedSetRoot*)root)->PackedBytes;

    /// <inheritdoc/>
    public void PackSome(byte* root, Span<byte> packed, ref PackingCursor cursor, int effort)
    {
        ref var tree = ref ((SortedSetRoot*)root)->Tree;
        if (cursor.Offset == 0)
        {
            PackedForm.SetCount(packed, checked((int)tree.Count));
            cursor.Offset = PackedForm.HeaderBytes;
            cursor.Next = tree.First;
        }

        while (effort > 0 && cursor.Next != null)
        {
            var leaf = (ScoreLeaf*)cursor.Next;
            for (var i = 0; i < leaf->Count; i++)
            {
                var block = leaf->BlockAt(i);
                var bytes = ScoredElement.BytesOf(block);
                new ReadOnlySpan<byte>(block, bytes).CopyTo(packed[cursor.Offset..]);
                cursor.Offset += bytes;
                effort -= StepEffort.Of(bytes);
            }

            cursor.Next = leaf->Next;
        }

        cursor.IsAtEnd = cursor.Next == null;
    }

    /// <inheritdoc/>
    public byte* Create(SlabHeap heap, int expected) => (byte*)SortedSetRoot.Create(heap, expected);

    /// <inheritdoc/>
    public void UnpackSome(
        SlabHeap heap, byte* root, ReadOnlySpan<byte> packed, ref PackingCursor cursor, int effort)
    {
        var count = PackedForm.CountOf(packed);
        cursor.Offset = Math.Max(cursor.Offset, PackedForm.HeaderBytes);
        for (; effort > 0 && cursor.Elements < count; cursor.Elements++)
        {
            var score = MemoryMarshal.Read<double>(packed[cursor.Offset..]);
            cursor.Offset += sizeof(double);
            var member = PackedForm.Read(packed, ref cursor.Offset);
            ((SortedSetRoot*)root)->Append(heap, member, score);
            effort -= StepEffort.Of(member.Length);
        }

        cursor.IsAtEnd = cursor.Elements == count;
    }

    /// <inheritdoc/>
    public bool FreeSome(SlabHeap heap, byte* root, int elements)
        => SortedSetRoot.FreeSome(heap, (SortedSetRoot*)root, elements);
}
