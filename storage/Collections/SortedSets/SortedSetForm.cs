using System.Runtime.InteropServices;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>Large sorted sets as the shard knows them. Packed, their elements stand in order of (score, member).
/// </summary>
internal sealed unsafe class SortedSetForm : ILargeForm
{
    public static readonly SortedSetForm Instance = new();

    /// <inheritdoc/>
    public long CountOf(byte* root) => ((SortedSetRoot*)root)->Tree.Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => ((SortedSetRoot*)root)->WeightBytes;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root) => PackedForm.HeaderBytes + ((SortedSetRoot*)root)->PackedBytes;

    /// <inheritdoc/>
    public void Pack(byte* root, Span<byte> packed)
    {
        ref var tree = ref ((SortedSetRoot*)root)->Tree;
        PackedForm.SetCount(packed, (int)tree.Count);
        var target = packed[PackedForm.HeaderBytes..];
        for (var leaf = tree.First; leaf != null; leaf = leaf->Next)
        {
            for (var i = 0; i < leaf->Count; i++)
            {
                var block = leaf->BlockAt(i);
                var bytes = ScoredElement.BytesOf(block);
                new ReadOnlySpan<byte>(block, bytes).CopyTo(target);
                target = target[bytes..];
            }
        }
    }

    /// <inheritdoc/>
    public byte* Unpack(SlabHeap heap, ReadOnlySpan<byte> packed)
    {
        var count = PackedForm.CountOf(packed);
        var root = SortedSetRoot.Create(heap, count);
        try
        {
            var offset = PackedForm.HeaderBytes;
            for (var i = 0; i < count; i++)
            {
                var score = MemoryMarshal.Read<double>(packed[offset..]);
                offset += sizeof(double);
                root->Append(heap, PackedForm.Read(packed, ref offset), score);
            }
        }
        catch (MemoryExhaustedException)
        {
            SortedSetRoot.Free(heap, root);
            throw;
        }

        return (byte*)root;
    }

    /// <inheritdoc/>
    public bool FreeSome(SlabHeap heap, byte* root, int elements)
        => SortedSetRoot.FreeSome(heap, (SortedSetRoot*)root, elements);
}
