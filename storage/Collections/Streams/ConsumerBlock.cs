using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>A consumer of a group; its name follows (see <see cref="NameTree"/>).</summary>
internal unsafe struct ConsumerBlock
{
    /// <summary>When it asked for something last, milliseconds since 1970.</summary>
    public long SeenMs;

    /// <summary>When it got something last; -1 for never.</summary>
    public long ActiveMs;

    /// <summary>The group it is of.</summary>
    public GroupBlock* Group;

    /// <summary>The ids of what it has not acknowledged; the rest of that is with the group's.</summary>
    public IdTree Pending;

    /// <summary>The consumer of the group's copy, while one is made (<see cref="GroupCopy"/>).</summary>
    public ConsumerBlock* Copy;

    /// <summary>By what a <see cref="NameTree"/> knows a consumer.</summary>
    public static byte* NamedOf(ConsumerBlock* consumer) => (byte*)(consumer + 1);

    /// <summary>The consumer that is known by something.</summary>
    public static ConsumerBlock* Of(byte* named) => (ConsumerBlock*)named - 1;

    /// <summary>A consumer's name.</summary>
    public static ReadOnlySpan<byte> NameOf(ConsumerBlock* consumer) => ScoredElement.MemberOf(NamedOf(consumer));

    /// <summary>Adds a consumer to a group that has none of the name.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static ConsumerBlock* Add(
        SlabHeap heap, StreamRoot* root, GroupBlock* group, ReadOnlySpan<byte> name, long seenMs, long activeMs)
    {
        var memory = new StreamMemory(heap, root, group);
        var bytes = checked(sizeof(ConsumerBlock) + ScoredElement.BytesOf(name.Length));
        var consumer = (ConsumerBlock*)memory.Allocate(bytes);
        *consumer = new ConsumerBlock
        {
            SeenMs = seenMs,
            ActiveMs = activeMs,
            Group = group,
            Pending = new IdTree(words: 0),
        };
        ScoredElement.Write(NamedOf(consumer), name, 0);
        try
        {
            group->Consumers.Add(memory, NamedOf(consumer));
        }
        catch (MemoryExhaustedException)
        {
            memory.Free((byte*)consumer, bytes);
            throw;
        }

        memory.AddPacked(PackedStream.BytesOfConsumer(name.Length));
        CountUneven(root, consumer, 1);
        return consumer;
    }

    /// <summary>Sets when a consumer asked for something, and when it got something.</summary>
    public static void SetTimes(StreamRoot* root, ConsumerBlock* consumer, long seenMs, long activeMs)
    {
        CountUneven(root, consumer, -1);
        consumer->SeenMs = seenMs;
        consumer->ActiveMs = activeMs;
        CountUneven(root, consumer, 1);
    }

    /// <summary>Takes a consumer that has nothing pending out of its group, and frees it.</summary>
    public static void Remove(SlabHeap heap, StreamRoot* root, ConsumerBlock* consumer)
    {
        var memory = new StreamMemory(heap, root, consumer->Group);
        CountUneven(root, consumer, -1);
        memory.AddPacked(-PackedStream.BytesOfConsumer(NameOf(consumer).Length));
        consumer->Group->Consumers.Remove(memory, NamedOf(consumer));
        while (!consumer->Pending.IsGone)
        {
            consumer->Pending.FreeLastLeaf(memory);
        }

        Free(memory, consumer);
    }

    /// <summary>Frees a consumer's own block.</summary>
    public static void Free(in StreamMemory memory, ConsumerBlock* consumer)
        => memory.Free(
            (byte*)consumer, sizeof(ConsumerBlock) + ScoredElement.BytesOf(NameOf(consumer).Length));

    private static void CountUneven(StreamRoot* root, ConsumerBlock* consumer, int by)
    {
        if (consumer->SeenMs != consumer->ActiveMs)
        {
            root->UnevenConsumers += by;
            consumer->Group->UnevenConsumers += by;
        }
    }
}
