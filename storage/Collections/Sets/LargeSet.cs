using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Sets;

/// <summary>A large set: a root block with a table, whose elements are blocks of one member each.</summary>
internal readonly unsafe struct LargeSet
{
    private readonly SetRoot* _root;

    /// <summary>The set with this root.</summary>
    public LargeSet(byte* root)
    {
        _root = (SetRoot*)root;
    }

    /// <summary>The root block.</summary>
    public byte* Root => (byte*)_root;

    /// <summary>Members.</summary>
    public long Count => _root->Table.Count;

    /// <summary>Bytes of all blocks, the root included.</summary>
    public long WeightBytes => SlabHeap.SizeOf(sizeof(SetRoot)) + _root->Table.SizeBytes + _root->BlockBytes;

    /// <summary>Bytes of the members as packed entries.</summary>
    public long EntryBytes => _root->EntryBytes;

    /// <summary>Makes an empty set.</summary>
    /// <param name="heap">Where it lives.</param>
    /// <param name="expected">Members that are about to be added.</param>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public static LargeSet Create(SlabHeap heap, long expected)
    {
        var root = (SetRoot*)heap.Allocate(sizeof(SetRoot));
        *root = default;
        try
        {
            ElementTable.Initialize(&root->Table, heap, expected);
        }
        catch (MemoryExhaustedException)
        {
            heap.Free((byte*)root, sizeof(SetRoot));
            throw;
        }

        return new LargeSet((byte*)root);
    }

    /// <summary>Whether a member is in the set.</summary>
    public bool Contains(ReadOnlySpan<byte> member)
        => _root->Table.Find<SetMember>(KeyHash.Compute(member), member) != null;

    /// <summary>Adds a member.</summary>
    /// <returns>Whether it was new.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public bool Add(SlabHeap heap, ReadOnlySpan<byte> member)
    {
        var hash = KeyHash.Compute(member);
        if (_root->Table.Find<SetMember>(hash, member) != null)
        {
            return false;
        }

        var bytes = PackedForm.SizeOf(member.Length);
        var block = heap.Allocate(bytes);
        _ = PackedForm.Write(new Span<byte>(block, bytes), member);
        try
        {
            _root->Table.Insert<SetMember>(heap, hash, block);
        }
        catch (MemoryExhaustedException)
        {
            heap.Free(block, bytes);
            throw;
        }

        _root->BlockBytes += SlabHeap.SizeOf(bytes);
        _root->EntryBytes += bytes;
        return true;
    }

    /// <summary>Takes a member out.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Remove(SlabHeap heap, ReadOnlySpan<byte> member)
    {
        var block = _root->Table.Remove<SetMember>(heap, KeyHash.Compute(member), member);
        if (block == null)
        {
            return false;
        }

        FreeBlock(heap, block);
        return true;
    }

    /// <summary>A member at random, each with the same chance, of a set that has some.</summary>
    public ReadOnlySpan<byte> Draw(Random random) => SetMember.KeyOf(_root->Table.Draw(random));

    /// <summary>All members.</summary>
    public ElementWalk Walk() => ElementTable.Walk(&_root->Table);

    /// <summary>The members' table, for SSCAN.</summary>
    public ElementTable* Table => &_root->Table;

    /// <summary>Frees up to <paramref name="members"/> members; with the last one, all the rest.</summary>
    /// <returns>Whether nothing is left.</returns>
    public bool FreeSome(SlabHeap heap, long members)
    {
        for (; members > 0; members--)
        {
            if (!_root->Table.TryTake(heap, out var block))
            {
                heap.Free((byte*)_root, sizeof(SetRoot));
                return true;
            }

            FreeBlock(heap, block);
        }

        return false;
    }

    private void FreeBlock(SlabHeap heap, byte* block)
    {
        var bytes = PackedForm.SizeOf(SetMember.KeyOf(block).Length);
        heap.Free(block, bytes);
        _root->BlockBytes -= SlabHeap.SizeOf(bytes);
        _root->EntryBytes -= bytes;
    }

    /// <summary>The root block.</summary>
    private struct SetRoot
    {
        public ElementTable Table;

        /// <summary>Bytes of the members' blocks, as the heap counts.</summary>
        public long BlockBytes;

        /// <summary>Bytes of the members as packed entries.</summary>
        public long EntryBytes;
    }
}
