using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>Large hashes, as a shard's housekeeping sees them.</summary>
internal sealed unsafe class HashForm : ILargeForm
{
    /// <summary>The only one: it has no state.</summary>
    public static HashForm Instance { get; } = new();

    /// <inheritdoc/>
    public long CountOf(byte* root) => ((HashRoot*)root)->Table.Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => ((HashRoot*)root)->WeightBytes;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root) => PackedForm.HeaderBytes + ((HashRoot*)root)->PackedBytes;

    /// <inheritdoc/>
    public void Pack(byte* root, Span<byte> packed)
    {
        var hash = (HashRoot*)root;
        PackedForm.SetCount(packed, checked((int)hash->Table.Count));
        var rest = packed[PackedForm.HeaderBytes..];
        for (var walk = ElementTable.Walk(&hash->Table); walk.TryNext(out var block);)
        {
            var size = HashField.SizeOf(block);
            new ReadOnlySpan<byte>(block, size).CopyTo(rest);
            rest = rest[size..];
        }
    }

    /// <inheritdoc/>
    public byte* Unpack(SlabHeap heap, ReadOnlySpan<byte> packed)
    {
        var count = PackedForm.CountOf(packed);
        var root = HashRoot.Create(heap, count);
        try
        {
            for (var offset = PackedForm.HeaderBytes; count > 0; count--)
            {
                var field = PackedForm.Read(packed, ref offset);
                root->Add(heap, KeyHash.Compute(field), field, PackedForm.Read(packed, ref offset));
            }
        }
        catch (MemoryExhaustedException)
        {
            _ = FreeSome(heap, (byte*)root, int.MaxValue);
            throw;
        }

        return (byte*)root;
    }

    /// <inheritdoc/>
    public bool FreeSome(SlabHeap heap, byte* root, int elements)
    {
        var isEmpty = ((HashRoot*)root)->FreeSome(heap, elements);
        if (isEmpty)
        {
            heap.Free(root, sizeof(HashRoot));
        }

        return isEmpty;
    }
}
