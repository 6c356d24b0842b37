using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>Changes the entries of a large stream. Memory is allocated before anything is changed.</summary>
internal static unsafe class LargeStream
{
    /// <summary>Bytes of a block at first, where nothing is known of the entries to come.</summary>
    public const int LeastBlockBytes = 256;

    // A block whose entries fill less than this part of it is made smaller.
    private const int SparseShare = 2;

    // What a block that follows another has at first more than the other was filled.
    private const int MarginShare = 32;

    /// <summary>Bytes of an entry's names and values.</summary>
    public static long BytesOf<TFields>(in TFields fields)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var bytes = 0L;
        for (var i = 0; i < fields.Count; i++)
        {
            bytes += fields.NameAt(i).Length + fields.ValueAt(i).Length;
        }

        return bytes;
    }

    /// <summary>Bytes of an entry's names, packed.</summary>
    public static int NameBytesOf<TFields>(in TFields fields)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var bytes = 0L;
        for (var i = 0; i < fields.Count; i++)
        {
            bytes += PackedForm.SizeOf(fields.NameAt(i).Length);
        }

        return checked((int)bytes);
    }

    /// <summary>Adds an entry above all others.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static void Append<TFields>(
        SlabHeap heap, StreamRoot* root, StreamId id, in TFields fields, in StreamLimits limits)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var tail = root->Tail;
        if (tail == null || StreamBlock.IsFull(tail, BytesOf(fields), limits))
        {
            tail = AppendBlock(heap, root, tail, id, fields, limits);
        }

        var size = StreamEntry.SizeOf(tail->FirstId, id, fields, StreamBlock.HasSameFields(tail, fields));
        _ = Append(heap, root, tail, id, fields, size);
    }

    /// <summary>Adds an entry to the last block.</summary>
    /// <returns>The block, which may lie elsewhere then.</returns>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static StreamBlock* Append<TFields>(
        SlabHeap heap, StreamRoot* root, StreamBlock* tail, StreamId id, in TFields fields, in EntrySize size)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var bytes = size.Bytes;
        var needed = (long)tail->Bytes + bytes;
        if (needed > tail->Capacity)
        {
            var wanted = Math.Max(needed, Math.Min(tail->Bytes * 3L / 2, Limits.MaxStreamBlockBytes));
            tail = StreamRoot.ResizeBlock(heap, root, tail, checked((int)wanted));
        }

        StreamBlock.Append(tail, id, fields, size);
        root->Count++;
        root->EntryBytes += bytes;
        return tail;
    }

    /// <summary>Removes an entry.</summary>
    /// <returns>Whether it was there.</returns>
    public static bool Delete(SlabHeap heap, StreamRoot* root, StreamId id)
    {
        var place = root->Blocks.UpTo(id);
        var block = place.IsNone ? null : (StreamBlock*)*place.Words;
        var entry = block == null ? null : StreamBlock.Find(block, id);
        if (entry == null)
        {
            return false;
        }

        if (block->Count == 1)
        {
            root->Count--;
            StreamRoot.RemoveBlock(heap, root, block);
        }
        else
        {
            Remove(heap, root, block, entry, 1, StreamEntry.SizeAt(block, entry));
        }

        if (id == root->Meta.FirstId)
        {
            StreamRoot.RefreshFirst(root);
        }

        return true;
    }

    /// <summary>Takes entries out of a block, which has others.</summary>
    public static void Remove(
        SlabHeap heap, StreamRoot* root, StreamBlock* block, byte* first, int entries, int bytes)
    {
        StreamBlock.Remove(block, first, entries, bytes);
        root->Count -= entries;
        root->EntryBytes -= bytes;
        if (block->Bytes < block->Capacity / SparseShare && block->Capacity > LeastBlockBytes)
        {
            _ = StreamRoot.TrimBlock(heap, root, block);
        }
    }

    /// <summary>Begins a block behind all others; what they have more room than they need is given back.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    private static StreamBlock* AppendBlock<TFields>(
        SlabHeap heap, StreamRoot* root, StreamBlock* before, StreamId id, in TFields fields, in StreamLimits limits)
        where TFields : struct, IStreamFields, allows ref struct
    {
        var size = StreamEntry.SizeOf(id, id, fields, isSame: true);
        var nameBytes = NameBytesOf(fields);
        var needed = sizeof(StreamBlock) + (long)nameBytes + size.Bytes;
        var expected = before == null
            ? LeastBlockBytes
            : Math.Min(before->Bytes + (before->Bytes / MarginShare), limits.LargestNode);
        var block = StreamRoot.AddBlock(heap, root, id, checked((int)Math.Max(needed, expected)));
        StreamBlock.Begin(block, id, fields, nameBytes);
        root->EntryBytes += block->Bytes;
        if (before != null)
        {
            _ = StreamRoot.TrimBlock(heap, root, before);
        }

        return block;
    }
}
