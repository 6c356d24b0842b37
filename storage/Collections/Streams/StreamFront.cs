using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// The blocks at the front of a large stream that go as a whole when it is trimmed. They are found in steps, which
/// change nothing, and go at once: where they are many, as a tree of their own, which is freed by and by. Good as long
/// as the stream is not changed. Under the lease of the stream's shard.
/// </summary>
public unsafe struct StreamFront
{
    /// <summary>What it takes to look at a block, as steps count it: at its head, and at its last entry.</summary>
    public const int EffortOfBlock = 2;

    // So many blocks are taken out one by one.
    private const int Few = 64;

    private readonly StreamTrim _trim;
    private IdPlace _next;
    private long _left;

    // Of the blocks that go.
    private long _blocks;
    private long _entries;
    private long _weight;
    private long _bytes;

    /// <summary>Nothing was found yet.</summary>
    /// <param name="root">The stream.</param>
    /// <param name="trim">What goes.</param>
    internal StreamFront(StreamRoot* root, in StreamTrim trim)
    {
        _trim = trim;
        _next = root->Blocks.First;
        _left = root->Count;
    }

    /// <summary>Goes on to find them.</summary>
    /// <param name="effort">How much may be done; what was is taken off.</param>
    /// <returns>Whether all were found.</returns>
    public bool TryFind(ref long effort)
    {
        for (; !_next.IsNone; _next.MoveNext(), effort -= EffortOfBlock)
        {
            if (effort <= 0)
            {
                return false;
            }

            var block = (StreamBlock*)*_next.Words;
            if (_trim.IsDone(_left) || (_trim.Limit > 0 && _entries + block->Count > _trim.Limit)
                || !_trim.TakesAll(block, _left))
            {
                return true;
            }

            _blocks++;
            _entries += block->Count;
            _left -= block->Count;
            _weight += SlabHeap.SizeOf(block->Capacity);
            _bytes += block->Bytes;
        }

        return true;
    }

    /// <summary>Removes them, all of which were found, and what else is to go of the block behind them. Where there is
    /// no memory for a tree of theirs, they go one by one.</summary>
    /// <returns>How many entries went.</returns>
    internal readonly long Remove(ShardCollections collections, StreamRoot* root)
    {
        var heap = collections.Heap;
        var before = root->Count;
        var blocks = _blocks;
        if (blocks > Few)
        {
            blocks -= CutOff(collections, root);
        }

        for (; blocks > 0; blocks--)
        {
            var block = (StreamBlock*)*root->Blocks.First.Words;
            root->Count -= block->Count;
            StreamRoot.RemoveBlock(heap, root, block);
        }

        if (!_trim.IsApproximate && !_next.IsNone && !_trim.IsDone(root->Count))
        {
            var block = (StreamBlock*)*root->Blocks.First.Words;
            var entries = _trim.CountIn(block, root->Count, out var bytes);
            if (entries > 0)
            {
                LargeStream.Remove(heap, root, block, StreamBlock.Start(block), entries, bytes);
            }
        }

        if (root->Count < before)
        {
            StreamRoot.RefreshFirst(root);
        }

        return before - root->Count;
    }

    /// <summary>Gives up most of the blocks as a stream that no key has.</summary>
    /// <returns>How many.</returns>
    private readonly long CutOff(ShardCollections collections, StreamRoot* root)
    {
        StreamRoot* front = null;
        try
        {
            front = StreamRoot.Create(collections.Heap);
            front->Blocks = root->Blocks.CutBefore(
                new StreamMemory(collections.Heap, root), _next.IsNone ? StreamId.Max : _next.Id, _blocks);
        }
        catch (MemoryExhaustedException)
        {
            if (front != null)
            {
                collections.Heap.Free((byte*)front, sizeof(StreamRoot));
            }

            return 0;
        }

        var (entries, weight, bytes) = (_entries, _weight + front->Blocks.WeightBytes, _bytes);
        var place = root->Blocks.First;
        for (var rest = _blocks - front->Blocks.Count; rest > 0; rest--, place.MoveNext())
        {
            var block = (StreamBlock*)*place.Words;
            entries -= block->Count;
            weight -= SlabHeap.SizeOf(block->Capacity);
            bytes -= block->Bytes;
        }

        front->Count = entries;
        root->Count -= entries;
        front->Weight += weight;
        root->Weight -= weight;
        front->EntryBytes += bytes;
        root->EntryBytes -= bytes;
        var cut = front->Blocks.Count;
        _ = collections.Doom(RecordType.Stream, (byte*)front);
        return cut;
    }
}
