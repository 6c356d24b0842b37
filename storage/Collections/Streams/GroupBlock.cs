using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Memory;

namespace Strata.Storage.Collections.Streams;

/// <summary>A group of consumers of a large stream; its name follows (see <see cref="NameTree"/>).</summary>
internal unsafe struct GroupBlock
{
    /// <summary>Words of a pending entry: the consumer's address, when it was given, and how often.</summary>
    public const int PendingWords = 3;

    /// <summary>The last entry that was given.</summary>
    public StreamId LastId;

    /// <summary>How many entries were ever read; -1 where that is not known.</summary>
    public long EntriesRead;

    /// <summary>What was given and not acknowledged.</summary>
    public IdTree Pending;

    /// <summary>The consumers (<see cref="ConsumerBlock"/>).</summary>
    public NameTree Consumers;

    /// <summary>Bytes of everything, this block included, as the heap counts.</summary>
    public long Weight;

    /// <summary>Bytes of the group in a packed value.</summary>
    public long PackedBytes;

    /// <summary>Consumers that were seen at another time than they got something.</summary>
    public long UnevenConsumers;

    /// <summary>By what a <see cref="NameTree"/> knows a group.</summary>
    public static byte* NamedOf(GroupBlock* group) => (byte*)(group + 1);

    /// <summary>The group that is known by something.</summary>
    public static GroupBlock* Of(byte* named) => (GroupBlock*)named - 1;

    /// <summary>A group's name.</summary>
    public static ReadOnlySpan<byte> NameOf(GroupBlock* group) => ScoredElement.MemberOf(NamedOf(group));

    /// <summary>Adds a group to a stream that has none of the name.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    public static GroupBlock* Add(
        SlabHeap heap, StreamRoot* root, ReadOnlySpan<byte> name, StreamId lastId, long entriesRead)
    {
        var bytes = checked(sizeof(GroupBlock) + ScoredElement.BytesOf(name.Length));
        var group = (GroupBlock*)heap.Allocate(bytes);
        *group = new GroupBlock
        {
            LastId = lastId,
            EntriesRead = entriesRead,
            Pending = new IdTree(PendingWords),
            Weight = SlabHeap.SizeOf(bytes),
            PackedBytes = PackedStream.BytesOfGroup(name.Length),
        };
        ScoredElement.Write(NamedOf(group), name, 0);
        try
        {
            root->Groups.Add(new StreamMemory(heap, root), NamedOf(group));
        }
        catch (MemoryExhaustedException)
        {
            heap.Free((byte*)group, bytes);
            throw;
        }

        root->Weight += group->Weight;
        root->GroupBytes += group->PackedBytes;
        return group;
    }

    /// <summary>Takes a group out of a stream, as it is.</summary>
    public static void TakeOut(SlabHeap heap, StreamRoot* root, GroupBlock* group)
    {
        root->Groups.Remove(new StreamMemory(heap, root), NamedOf(group));
        root->Weight -= group->Weight;
        root->GroupBytes -= group->PackedBytes;
        root->UnevenConsumers -= group->UnevenConsumers;
    }

    /// <summary>Puts a group as it is into a stream that has none.</summary>
    /// <exception cref="MemoryExhaustedException">It was not put there.</exception>
    public static void PutIn(SlabHeap heap, StreamRoot* root, GroupBlock* group)
    {
        root->Groups.Add(new StreamMemory(heap, root), NamedOf(group));
        root->Weight += group->Weight;
        root->GroupBytes += group->PackedBytes;
        root->UnevenConsumers += group->UnevenConsumers;
    }

    /// <summary>Puts a group in the place of another of its name, which takes its own. Nothing is allocated.</summary>
    /// <param name="root">The one's stream.</param>
    /// <param name="group">The one.</param>
    /// <param name="otherRoot">The other's stream.</param>
    /// <param name="other">The other.</param>
    public static void Exchange(StreamRoot* root, GroupBlock* group, StreamRoot* otherRoot, GroupBlock* other)
    {
        root->Groups.Exchange(NamedOf(group), NamedOf(other));
        otherRoot->Groups.Exchange(NamedOf(other), NamedOf(group));
        var weight = other->Weight - group->Weight;
        root->Weight += weight;
        otherRoot->Weight -= weight;
        var packed = other->PackedBytes - group->PackedBytes;
        root->GroupBytes += packed;
        otherRoot->GroupBytes -= packed;
        var uneven = other->UnevenConsumers - group->UnevenConsumers;
        root->UnevenConsumers += uneven;
        otherRoot->UnevenConsumers -= uneven;
    }

    /// <summary>Frees some of what a group has that is given up, but not its own block.</summary>
    /// <param name="memory">The stream's memory.</param>
    /// <param name="group">The group.</param>
    /// <param name="effort">About how many parts; those that were freed are taken off.</param>
    /// <returns>Whether nothing is left.</returns>
    public static bool FreeSome(in StreamMemory memory, GroupBlock* group, ref int effort)
    {
        while (effort-- > 0)
        {
            if (!group->Pending.IsGone)
            {
                group->Pending.FreeLastLeaf(memory);
            }
            else if (group->Consumers.Count > 0)
            {
                var consumer = ConsumerBlock.Of(group->Consumers.Last);
                if (!consumer->Pending.IsGone)
                {
                    consumer->Pending.FreeLastLeaf(memory);
                    continue;
                }

                group->Consumers.Remove(memory, ConsumerBlock.NamedOf(consumer));
                ConsumerBlock.Free(memory, consumer);
            }
            else
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Frees a group's own block.</summary>
    public static void Free(in StreamMemory memory, GroupBlock* group)
        => memory.Free((byte*)group, sizeof(GroupBlock) + ScoredElement.BytesOf(NameOf(group).Length));
}
