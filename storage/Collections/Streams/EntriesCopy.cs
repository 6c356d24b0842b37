using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// A copy of a large stream's entries, which is made in steps, from which some are taken out, and which then takes the
/// entries' place at once (<see cref="StreamEditor.Exchange(EntriesCopy)"/>): so nobody sees half of a change of many.
/// Until then no key has it; it is good as long as the stream is not changed. Under the lease of the stream's shard.
/// </summary>
public sealed unsafe class EntriesCopy
{
    private readonly CollectionStore _store;
    private readonly ResultRoom _room;
    private readonly long _clears;
    private StreamRoot* _root; // Of a stream that has nothing but the copy.
    private IdPlace _block;

    private long _weight; // Of the blocks that were copied.

    /// <summary>A copy that has nothing yet.</summary>
    /// <param name="store">The shard of the stream.</param>
    /// <param name="large">The stream's record.</param>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public EntriesCopy(CollectionStore store, in Record large)
    {
        var source = (StreamRoot*)ShardCollections.RootOf(large);
        _store = store;
        _room = store.Collections.Results;
        _room.Begin();
        _clears = store.Collections.Clears;
        _block = source->Blocks.First;
        _root = StreamRoot.Create(Heap);
        _root->Meta = source->Meta;
    }

    private SlabHeap Heap => _store.Collections.Heap;

    /// <summary>What a copy of a stream's entries takes, as steps count it, at most.</summary>
    public static long EffortOf(in StreamView stream) => stream.NodeCount + StepEffort.Of(stream.EntryBytes);

    /// <summary>Goes on with the copy.</summary>
    /// <param name="effort">How much may be done; what was is taken off.</param>
    /// <returns>Whether it is whole.</returns>
    /// <exception cref="MemoryExhaustedException">There is none for all of it.</exception>
    public bool TryCopy(ref long effort)
    {
        for (; !_block.IsNone; _block.MoveNext())
        {
            if (effort <= 0)
            {
                return false;
            }

            var block = (StreamBlock*)*_block.Words;
            _room.Ask(block->Bytes);
            StreamRoot.AddCopy(Heap, _root, block);
            _weight += SlabHeap.SizeOf(block->Capacity);
            effort -= StepEffort.Of(block->Bytes);
        }

        return true;
    }

    /// <summary>Takes an entry out of the copy, which is whole, and notes that it was deleted.</summary>
    /// <returns>Whether it was there.</returns>
    public bool Delete(StreamId id)
    {
        var isDeleted = LargeStream.Delete(Heap, _root, id);
        if (isDeleted && id > _root->Meta.MaxDeletedId)
        {
            _root->Meta.MaxDeletedId = id;
        }

        return isDeleted;
    }

    /// <summary>Gives up what no key has; most of it is freed by and by.</summary>
    public void Abandon()
    {
        if (_root != null && _clears == _store.Collections.Clears)
        {
            _ = _store.Collections.Doom(RecordType.Stream, (byte*)_root);
        }

        _root = null;
    }

    /// <summary>Takes the place of the entries, which are given up. Nothing is allocated.</summary>
    internal void Exchange(StreamRoot* stream)
    {
        var weight = _root->Weight - SlabHeap.SizeOf(sizeof(StreamRoot)) - _weight - stream->Blocks.WeightBytes;
        stream->Weight += weight;
        _root->Weight -= weight;
        (stream->Blocks, _root->Blocks) = (_root->Blocks, stream->Blocks);
        (stream->Count, _root->Count) = (_root->Count, stream->Count);
        (stream->EntryBytes, _root->EntryBytes) = (_root->EntryBytes, stream->EntryBytes);
        stream->Meta = _root->Meta;
        Abandon();
    }
}
