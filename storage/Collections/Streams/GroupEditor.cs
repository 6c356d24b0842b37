using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// Changes a group of a stream that is being changed, or the copy of one, whose stream does not change before the copy
/// takes the group's place. Good as long as the group is there. Under the lease.
/// Every member throws <see cref="MemoryExhaustedException"/> only before it changed anything.
/// </summary>
public readonly unsafe struct GroupEditor
{
    private readonly SlabHeap _heap;
    private readonly StreamRoot* _root;
    private readonly GroupBlock* _block;

    internal GroupEditor(SlabHeap heap, StreamRoot* root, GroupBlock* block)
    {
        _heap = heap;
        _root = root;
        _block = block;
    }

    /// <summary>The group as it is now.</summary>
    public StreamGroup Group => new(_block);

    /// <summary>Sets what the group has read.</summary>
    public void SetRead(StreamId lastId, long entriesRead)
    {
        _block->LastId = lastId;
        _block->EntriesRead = entriesRead;
    }

    /// <summary>Makes a consumer, which was seen now, and never got anything.</summary>
    /// <returns>False when there is one of the name, which is given then.</returns>
    public bool TryCreateConsumer(scoped ReadOnlySpan<byte> name, long nowMs, out StreamConsumer consumer)
    {
        if (Group.TryFindConsumer(name, out consumer))
        {
            return false;
        }

        consumer = new StreamConsumer(ConsumerBlock.Add(_heap, _root, _block, name, nowMs, activeMs: -1));
        return true;
    }

    /// <summary>Sets when a consumer asked for something last, milliseconds since 1970.</summary>
    public void SetSeen(StreamConsumer consumer, long nowMs)
        => ConsumerBlock.SetTimes(_root, consumer.Block, nowMs, consumer.ActiveMs);

    /// <summary>Sets when a consumer got something last, milliseconds since 1970.</summary>
    public void SetActive(StreamConsumer consumer, long nowMs)
        => ConsumerBlock.SetTimes(_root, consumer.Block, consumer.SeenMs, nowMs);

    /// <summary>Makes an entry pending for a consumer, whosever it was, if anybody's.</summary>
    /// <param name="consumer">The consumer, of this group.</param>
    /// <param name="id">The entry's id; whether there is such an entry is not looked at.</param>
    /// <param name="deliveredMs">When it was given, milliseconds since 1970.</param>
    /// <param name="deliveries">How often it was given.</param>
    public void SetPending(StreamConsumer consumer, StreamId id, long deliveredMs, long deliveries)
        => PendingEntries.Set(_heap, _root, _block, consumer.Block, id, deliveredMs, deliveries);

    /// <summary>Takes a pending entry away from whoever has it.</summary>
    /// <returns>Whether it was pending.</returns>
    public bool RemovePending(StreamId id) => PendingEntries.Remove(_heap, _root, _block, id);
}
