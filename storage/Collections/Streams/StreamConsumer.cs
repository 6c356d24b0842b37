namespace Strata.Storage.Collections.Streams;

/// <summary>A consumer of a group. Good as long as it is there, and its stream large in memory. Under the lease.
/// </summary>
public readonly unsafe struct StreamConsumer : IEquatable<StreamConsumer>
{
    internal StreamConsumer(ConsumerBlock* block)
    {
        Block = block;
    }

    /// <summary>Its name.</summary>
    public ReadOnlySpan<byte> Name => ConsumerBlock.NameOf(Block);

    /// <summary>When it asked for something last, milliseconds since 1970.</summary>
    public long SeenMs => Block->SeenMs;

    /// <summary>When it got something last, milliseconds since 1970; -1 for never.</summary>
    public long ActiveMs => Block->ActiveMs;

    /// <summary>Entries that it has not acknowledged.</summary>
    public long PendingCount => Block->Pending.Count;

    internal ConsumerBlock* Block { get; }

    public static bool operator ==(StreamConsumer left, StreamConsumer right) => left.Block == right.Block;

    public static bool operator !=(StreamConsumer left, StreamConsumer right) => left.Block != right.Block;

    /// <summary>What it has not acknowledged, from an id on.</summary>
    public PendingCursor PendingFrom(StreamId id) => new(Block->Group, Block, Block->Pending.From(id));

    /// <inheritdoc/>
    public bool Equals(StreamConsumer other) => Block == other.Block;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is StreamConsumer other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => ((nint)Block).GetHashCode();
}
