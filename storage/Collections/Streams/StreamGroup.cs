namespace Strata.Storage.Collections.Streams;

/// <summary>A group of consumers, which reads a stream together. Good as long as it is there, and its stream large in
/// memory. Under the lease.</summary>
public readonly unsafe struct StreamGroup : IEquatable<StreamGroup>
{
    internal StreamGroup(GroupBlock* block)
    {
        Block = block;
    }

    /// <summary>Its name.</summary>
    public ReadOnlySpan<byte> Name => GroupBlock.NameOf(Block);

    /// <summary>The last entry that was given to a consumer.</summary>
    public StreamId LastId => Block->LastId;

    /// <summary>How many entries were ever read; -1 where that is not known.</summary>
    public long EntriesRead => Block->EntriesRead;

    /// <summary>Entries that were given and not acknowledged.</summary>
    public long PendingCount => Block->Pending.Count;

    /// <summary>Consumers.</summary>
    public long ConsumerCount => Block->Consumers.Count;

    /// <summary>The consumers, in the order of their names.</summary>
    public ConsumerCursor Consumers => new(Block->Consumers.First);

    internal GroupBlock* Block { get; }

    /// <summary>The lowest id that is pending, if there is any.</summary>
    public bool TryFirstPending(out StreamId id) => TryId(Block->Pending.First, out id);

    /// <summary>The highest id that is pending, if there is any.</summary>
    public bool TryLastPending(out StreamId id) => TryId(Block->Pending.Last, out id);

    /// <summary>Looks for a pending entry.</summary>
    public bool TryFindPending(StreamId id, out PendingEntry entry)
    {
        var words = Block->Pending.Find(id);
        entry = words == null ? default : EntryOf(id, words);
        return words != null;
    }

    /// <summary>What is pending, from an id on.</summary>
    public PendingCursor PendingFrom(StreamId id) => new(Block, null, Block->Pending.From(id));

    /// <summary>Looks for a consumer.</summary>
    public bool TryFindConsumer(scoped ReadOnlySpan<byte> name, out StreamConsumer consumer)
    {
        var named = Block->Consumers.Find(name);
        consumer = named == null ? default : new StreamConsumer(ConsumerBlock.Of(named));
        return named != null;
    }

    /// <summary>The consumers from a name on.</summary>
    public ConsumerCursor ConsumersFrom(scoped ReadOnlySpan<byte> name) => new(Block->Consumers.From(name));

    public static bool operator ==(StreamGroup left, StreamGroup right) => left.Block == right.Block;

    public static bool operator !=(StreamGroup left, StreamGroup right) => left.Block != right.Block;

    /// <inheritdoc/>
    public bool Equals(StreamGroup other) => Block == other.Block;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is StreamGroup other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => ((nint)Block).GetHashCode();

    internal static PendingEntry EntryOf(StreamId id, ulong* words)
        => new(id, new StreamConsumer((ConsumerBlock*)words[0]), (long)words[1], (long)words[2]);

    private static bool TryId(IdPlace place, out StreamId id)
    {
        id = place.IsNone ? default : place.Id;
        return !place.IsNone;
    }
}
