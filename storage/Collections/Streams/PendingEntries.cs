using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>Changes what the consumers of a group have not acknowledged: each such entry stands in the group's tree,
/// with whose it is, and in the consumer's.</summary>
internal static unsafe class PendingEntries
{
    /// <summary>Makes an entry a consumer's, whosever it was, if anybody's.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static void Set(
        SlabHeap heap,
        StreamRoot* root,
        GroupBlock* group,
        ConsumerBlock* consumer,
        StreamId id,
        long deliveredMs,
        long deliveries)
    {
        var memory = new StreamMemory(heap, root, group);
        var words = group->Pending.IsBehindAll(id) ? null : group->Pending.Find(id);
        if (words == null)
        {
            words = Add(memory, group, consumer, id);
        }
        else if ((ConsumerBlock*)*words != consumer)
        {
            _ = consumer->Pending.Add(memory, id);
            _ = ((ConsumerBlock*)*words)->Pending.Remove(memory, id);
            *words = (ulong)consumer;
        }

        words[1] = (ulong)deliveredMs;
        words[2] = (ulong)deliveries;
    }

    /// <summary>Makes an entry a consumer's that is nobody's, and lies behind all that are pending.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static void Append(
        in StreamMemory memory, ConsumerBlock* consumer, StreamId id, ulong deliveredMs, ulong deliveries)
    {
        var words = Add(memory, consumer->Group, consumer, id);
        words[1] = deliveredMs;
        words[2] = deliveries;
    }

    /// <summary>Takes an entry away from whoever has it.</summary>
    /// <returns>Whether it was pending.</returns>
    public static bool Remove(SlabHeap heap, StreamRoot* root, GroupBlock* group, StreamId id)
    {
        var words = group->Pending.Find(id);
        if (words == null)
        {
            return false;
        }

        var memory = new StreamMemory(heap, root, group);
        _ = ((ConsumerBlock*)*words)->Pending.Remove(memory, id);
        _ = group->Pending.Remove(memory, id);
        memory.AddPacked(-PackedStream.PendingBytes);
        return true;
    }

    /// <summary>Takes some entries away from a consumer, the last ones first.</summary>
    /// <returns>Whether none is left.</returns>
    public static bool RemoveSome(SlabHeap heap, StreamRoot* root, ConsumerBlock* consumer, int most)
    {
        var memory = new StreamMemory(heap, root, consumer->Group);
        for (; consumer->Pending.Count > 0; most--)
        {
            if (most <= 0)
            {
                return false;
            }

            var id = consumer->Pending.Last.Id;
            _ = consumer->Pending.Remove(memory, id);
            _ = consumer->Group->Pending.Remove(memory, id);
            memory.AddPacked(-PackedStream.PendingBytes);
        }

        return true;
    }

    private static ulong* Add(in StreamMemory memory, GroupBlock* group, ConsumerBlock* consumer, StreamId id)
    {
        var words = group->Pending.Add(memory, id);
        try
        {
            _ = consumer->Pending.Add(memory, id);
        }
        catch (MemoryExhaustedException)
        {
            _ = group->Pending.Remove(memory, id);
            throw;
        }

        *words = (ulong)consumer;
        memory.AddPacked(PackedStream.PendingBytes);
        return words;
    }
}
