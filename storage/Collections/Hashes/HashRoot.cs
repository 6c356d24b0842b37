using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Hashes;

/// <summary>The root block of a large hash: a table of <see cref="HashField"/> blocks.</summary>
internal unsafe struct HashRoot
{
    /// <summary>The fields.</summary>
    public ElementTable Table;

    /// <summary>Bytes of the fields' entries, packed.</summary>
    public long PackedBytes;

    /// <summary>Bytes of the fields' blocks, as <see cref="SlabHeap.SizeOf"/> counts.</summary>
    private long _blockBytes;

    /// <summary>Bytes of all blocks, this one included.</summary>
    public readonly long WeightBytes => SlabHeap.SizeOf(sizeof(HashRoot)) + Table.SizeBytes + _blockBytes;

    /// <summary>Makes an empty large hash with room for some fields.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public static HashRoot* Create(SlabHeap heap, long expected)
    {
        var root = (HashRoot*)heap.Allocate(sizeof(HashRoot));
        *root = default;
        try
        {
            ElementTable.Initialize(&root->Table, heap, expected);
        }
        catch (MemoryExhaustedException)
        {
            heap.Free((byte*)root, sizeof(HashRoot));
            throw;
        }

        return root;
    }

    /// <summary>The block of a field, or null.</summary>
    public readonly byte* Find(ReadOnlySpan<byte> field) => Table.Find<HashField>(KeyHash.Compute(field), field);

    /// <summary>Gives a field a value.</summary>
    /// <returns>Whether the field is new.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public bool Set(SlabHeap heap, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        var hash = KeyHash.Compute(field);
        var existing = Table.Find<HashField>(hash, field);
        if (existing != null)
        {
            Change(heap, hash, existing, field, value);
            return false;
        }

        Add(heap, hash, field, value);
        return true;
    }

    /// <summary>Adds a field that is not there.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public void Add(SlabHeap heap, ulong hash, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        var size = HashField.SizeFor(field.Length, value.Length);
        var block = heap.Allocate(size);
        HashField.Write(block, size, field, value);
        try
        {
            Table.Insert<HashField>(heap, hash, block);
        }
        catch (MemoryExhaustedException)
        {
            heap.Free(block, size);
            throw;
        }

        Count(size, 1);
    }

    /// <summary>Takes a field out.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Remove(SlabHeap heap, ReadOnlySpan<byte> field)
    {
        var block = Table.Remove<HashField>(heap, KeyHash.Compute(field), field);
        if (block == null)
        {
            return false;
        }

        FreeBlock(heap, block);
        return true;
    }

    /// <summary>Frees about <paramref name="elements"/> fields of a hash that is given up.</summary>
    /// <returns>Whether nothing is left but this block.</returns>
    public bool FreeSome(SlabHeap heap, int elements)
    {
        for (; elements > 0; elements--)
        {
            if (!Table.TryTake(heap, out var block))
            {
                return true;
            }

            FreeBlock(heap, block);
        }

        return false;
    }

    private void Change(
        SlabHeap heap, ulong hash, byte* existing, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        var oldSize = HashField.SizeOf(existing);
        var size = HashField.SizeFor(field.Length, value.Length);
        if (SlabHeap.SizeOf(oldSize) == SlabHeap.SizeOf(size))
        {
            HashField.Write(existing, size, field, value);
        }
        else
        {
            var block = heap.Allocate(size);
            HashField.Write(block, size, field, value);
            Table.Replace(hash, existing, block);
            heap.Free(existing, oldSize);
        }

        Count(oldSize, -1);
        Count(size, 1);
    }

    private void FreeBlock(SlabHeap heap, byte* block)
    {
        var size = HashField.SizeOf(block);
        heap.Free(block, size);
        Count(size, -1);
    }

    private void Count(int size, int blocks)
    {
        PackedBytes += size * blocks;
        _blockBytes += (long)SlabHeap.SizeOf(size) * blocks;
    }
}
