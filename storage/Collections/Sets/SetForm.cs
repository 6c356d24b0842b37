using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Sets;

/// <summary>Large sets as the shard sees them.</summary>
internal sealed unsafe class SetForm : ILargeForm
{
    /// <inheritdoc/>
    public long CountOf(byte* root) => new LargeSet(root).Count;

    /// <inheritdoc/>
    public long WeightOf(byte* root) => new LargeSet(root).WeightBytes;

    /// <inheritdoc/>
    public long PackedBytesOf(byte* root) => PackedSet.HeaderBytes + new LargeSet(root).EntryBytes;

    /// <inheritdoc/>
    public void Pack(byte* root, Span<byte> packed)
    {
        var set = new LargeSet(root);
        PackedSet.WriteHeader(packed, (int)set.Count, PackedSet.Entries);
        var offset = PackedSet.HeaderBytes;
        for (var walk = set.Walk(); walk.TryNext(out var block);)
        {
            offset += PackedForm.Write(packed[offset..], SetMember.KeyOf(block));
        }
    }

    /// <inheritdoc/>
    public byte* Unpack(SlabHeap heap, ReadOnlySpan<byte> packed)
    {
        var set = LargeSet.Create(heap, PackedForm.CountOf(packed));
        try
        {
            for (var members = new SetEnumerator(packed); members.MoveNext();)
            {
                _ = set.Add(heap, members.Current);
            }
        }
        catch (MemoryExhaustedException)
        {
            _ = set.FreeSome(heap, long.MaxValue);
            throw;
        }

        return set.Root;
    }

    /// <inheritdoc/>
    public bool FreeSome(SlabHeap heap, byte* root, int elements) => new LargeSet(root).FreeSome(heap, elements);
}
