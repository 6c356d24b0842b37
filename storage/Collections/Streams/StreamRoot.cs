using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>What a large stream's record points to.</summary>
internal unsafe struct StreamRoot
{
    public StreamMeta Meta;

    /// <summary>Entries.</summary>
    public long Count;

    /// <summary>The address of each block (<see cref="StreamBlock"/>) by its first id.</summary>
    public IdTree Blocks;

    /// <summary>The groups (<see cref="GroupBlock"/>).</summary>
    public NameTree Groups;

    /// <summary>Bytes of everything, this block included, as the heap counts.</summary>
    public long Weight;

    /// <summary>Bytes of the blocks, as far as they are used.</summary>
    public long EntryBytes;

    /// <summary>Bytes of the groups in a packed value.</summary>
    public long GroupBytes;

    /// <summary>Consumers that were seen at another time than they got something: as which the first version of the
    /// format of files that knows groups has it.</summary>
    public long UnevenConsumers;

    /// <summary>Bytes of the stream as a packed value.</summary>
    public readonly long PackedBytes
        => PackedStream.HeaderBytes + EntryBytes + GroupBytes + (Groups.Count == 0 ? 0 : PackedStream.GroupCountBytes);

    /// <summary>The last block, or null.</summary>
    public readonly StreamBlock* Tail
    {
        get
        {
            var last = Blocks.Last;
            return last.IsNone ? null : (StreamBlock*)*last.Words;
        }
    }

    /// <summary>An empty stream.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public static StreamRoot* Create(SlabHeap heap)
    {
        var root = (StreamRoot*)heap.Allocate(sizeof(StreamRoot));
        *root = new StreamRoot
        {
            Blocks = new IdTree(words: 1),
            Weight = SlabHeap.SizeOf(sizeof(StreamRoot)),
        };
        return root;
    }

    /// <summary>Adds a block for entries above all others.</summary>
    /// <param name="heap">The heap.</param>
    /// <param name="root">The stream.</param>
    /// <param name="firstId">By which it is found: the first entry's id.</param>
    /// <param name="bytes">Bytes that it has room for.</param>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static StreamBlock* AddBlock(SlabHeap heap, StreamRoot* root, StreamId firstId, int bytes)
    {
        var memory = new StreamMemory(heap, root);
        var capacity = SlabHeap.UsableBytes(bytes);
        var block = (StreamBlock*)memory.Allocate(capacity);
        try
        {
            *root->Blocks.Add(memory, firstId) = (ulong)block;
        }
        catch (MemoryExhaustedException)
        {
            memory.Free((byte*)block, capacity);
            throw;
        }

        block->Capacity = capacity;
        return block;
    }

    /// <summary>Adds a copy of another stream's block, whose entries are above all others.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static void AddCopy(SlabHeap heap, StreamRoot* root, StreamBlock* source)
    {
        var block = AddBlock(heap, root, source->FirstId, source->Bytes);
        var capacity = block->Capacity;
        Buffer.MemoryCopy(source, block, capacity, source->Bytes);
        block->Capacity = capacity;
        root->Count += block->Count;
        root->EntryBytes += block->Bytes;
    }

    /// <summary>Takes a block out, whose entries are no longer counted.</summary>
    public static void RemoveBlock(SlabHeap heap, StreamRoot* root, StreamBlock* block)
    {
        var memory = new StreamMemory(heap, root);
        _ = root->Blocks.Remove(memory, block->FirstId);
        root->EntryBytes -= block->Bytes;
        memory.Free((byte*)block, block->Capacity);
    }

    /// <summary>Moves a block to where it has room for other bytes.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static StreamBlock* ResizeBlock(SlabHeap heap, StreamRoot* root, StreamBlock* block, int bytes)
    {
        var memory = new StreamMemory(heap, root);
        var capacity = SlabHeap.UsableBytes(bytes);
        var moved = (StreamBlock*)memory.Allocate(capacity);
        Buffer.MemoryCopy(block, moved, capacity, block->Bytes);
        moved->Capacity = capacity;
        *root->Blocks.Find(block->FirstId) = (ulong)moved;
        memory.Free((byte*)block, block->Capacity);
        return moved;
    }

    /// <summary>Gives back room that a block will not need, if that is much. Where there is no memory for a smaller
    /// block, it stays.</summary>
    /// <returns>The block as it is then.</returns>
    public static StreamBlock* TrimBlock(SlabHeap heap, StreamRoot* root, StreamBlock* block)
    {
        const int LeastShare = 16;
        if (SlabHeap.SizeOf(block->Bytes) > block->Capacity - (block->Capacity / LeastShare))
        {
            return block;
        }

        try
        {
            return ResizeBlock(heap, root, block, block->Bytes);
        }
        catch (MemoryExhaustedException)
        {
            return block;
        }
    }

    /// <summary>Finds out the id of the first entry after entries have gone.</summary>
    public static void RefreshFirst(StreamRoot* root)
    {
        var first = root->Blocks.First;
        root->Meta.FirstId = first.IsNone
            ? default
            : StreamBlock.IdAt((StreamBlock*)*first.Words, StreamBlock.Start((StreamBlock*)*first.Words));
    }
}
