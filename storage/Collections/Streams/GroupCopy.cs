using Strata.Storage.Log;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>
/// A copy of a group, which is made in steps, changed, and then takes the group's place at once
/// (<see cref="StreamEditor.Exchange(GroupCopy)"/>): so nobody sees half of a change of much that is pending. Until
/// then no key has it; it is good as long as the group's stream is not changed. Under the lease of the stream's shard.
/// </summary>
public sealed unsafe class GroupCopy
{
    private readonly CollectionStore _store;
    private readonly ResultRoom _room;
    private readonly long _clears;
    private readonly GroupBlock* _source;
    private readonly ConsumerBlock* _leftOut;
    private StreamRoot* _root; // Of a stream that has nothing but the copy.
    private readonly GroupBlock* _copy;
    private NamePlace _consumer;
    private IdPlace _entry;

    /// <summary>A copy that has nothing yet.</summary>
    /// <param name="store">The shard of the stream.</param>
    /// <param name="group">The group.</param>
    /// <param name="leftOut">A consumer that is left out with what is pending for it; default for none.</param>
    /// <exception cref="MemoryExhaustedException">Nothing is left behind.</exception>
    public GroupCopy(CollectionStore store, StreamGroup group, StreamConsumer leftOut = default)
    {
        _store = store;
        _room = store.Collections.Results;
        _room.Begin();
        _clears = store.Collections.Clears;
        _source = group.Block;
        _leftOut = leftOut.Block;
        _consumer = _source->Consumers.First;
        _entry = _source->Pending.First;
        _root = StreamRoot.Create(Heap);
        try
        {
            _copy = GroupBlock.Add(Heap, _root, group.Name, group.LastId, group.EntriesRead);
        }
        catch (MemoryExhaustedException)
        {
            Heap.Free((byte*)_root, sizeof(StreamRoot));
            throw;
        }
    }

    /// <summary>The copy, which is the stream's group of its name once it has taken its place.</summary>
    public StreamGroup Copy => new(_copy);

    /// <summary>The copy, to be changed once it is whole, before it takes the group's place.</summary>
    public GroupEditor Editor => new(Heap, _root, _copy);

    /// <summary>What a group's copy takes, as steps count it.</summary>
    public static long EffortOf(StreamGroup group) => group.PendingCount + group.ConsumerCount;

    private SlabHeap Heap => _store.Collections.Heap;

    /// <summary>Goes on with the copy.</summary>
    /// <param name="effort">How much may be done; what was is taken off.</param>
    /// <returns>Whether it is whole.</returns>
    /// <exception cref="MemoryExhaustedException">There is none for all of it.</exception>
    public bool TryCopy(ref long effort)
    {
        for (; !_consumer.IsNone; _consumer.MoveNext(), effort--)
        {
            if (effort <= 0)
            {
                return false;
            }

            Add(ConsumerBlock.Of(_consumer.Named));
        }

        var memory = new StreamMemory(Heap, _root, _copy);
        for (; !_entry.IsNone; _entry.MoveNext(), effort--)
        {
            if (effort <= 0)
            {
                return false;
            }

            var words = _entry.Words;
            var consumer = (ConsumerBlock*)words[0];
            if (consumer != _leftOut)
            {
                _room.Ask(PackedStream.PendingBytes);
                PendingEntries.Append(memory, consumer->Copy, _entry.Id, words[1], words[2]);
            }
        }

        return true;
    }

    /// <summary>Asks for memory for another pending entry of the copy.</summary>
    /// <exception cref="MemoryExhaustedException">Memory is at its end.</exception>
    public void AskForEntry() => _room.Ask(PackedStream.PendingBytes);

    /// <summary>Gives up what no key has; most of it is freed by and by.</summary>
    public void Abandon()
    {
        if (_root != null && _clears == _store.Collections.Clears)
        {
            _ = _store.Collections.Doom(RecordType.Stream, (byte*)_root);
        }

        _root = null;
    }

    /// <summary>Takes the place of the group, which is given up.</summary>
    internal void Exchange(StreamRoot* stream)
    {
        GroupBlock.Exchange(stream, _source, _root, _copy);
        Abandon();
    }

    private void Add(ConsumerBlock* consumer)
    {
        if (consumer != _leftOut)
        {
            var name = ConsumerBlock.NameOf(consumer);
            _room.Ask(name.Length);
            consumer->Copy = ConsumerBlock.Add(Heap, _root, _copy, name, consumer->SeenMs, consumer->ActiveMs);
        }
    }
}
