namespace Strata.Storage.Collections.Streams;

/// <summary>A part of a stream as a <see cref="StreamWalk"/> met it; its bytes are good until the next one is asked
/// for, or the stream or its record changes.</summary>
/// <param name="kind">What it is.</param>
public readonly unsafe ref struct StreamPart(StreamPartKind kind)
{
    /// <summary>What it is.</summary>
    public StreamPartKind Kind { get; } = kind;

    /// <summary>The name of a group or consumer.</summary>
    public ReadOnlySpan<byte> Name { get; init; }

    /// <summary>By which a block is found; the last id of a group; the id of a pending entry.</summary>
    public StreamId Id { get; init; }

    /// <summary>Of a group, how many entries were read; -1 where that is not known.</summary>
    public long EntriesRead { get; init; }

    /// <summary>Of a group or consumer, how many entries are pending.</summary>
    public long PendingCount { get; init; }

    /// <summary>Of a group, how many consumers follow.</summary>
    public long ConsumerCount { get; init; }

    /// <summary>Of a consumer, when it asked for something last, milliseconds since 1970.</summary>
    public long SeenMs { get; init; }

    /// <summary>Of a consumer, when it got something last; -1 for never.</summary>
    public long ActiveMs { get; init; }

    /// <summary>Of a pending entry, when it was given last, milliseconds since 1970.</summary>
    public long DeliveredMs { get; init; }

    /// <summary>Of a pending entry, how often it was given.</summary>
    public long Deliveries { get; init; }

    /// <summary>Of a block, its entries' number.</summary>
    public int EntryCount => Block->Count;

    /// <summary>Of a block, its bytes.</summary>
    public int BlockBytes => Block->Bytes;

    /// <summary>Of a block, its entries.</summary>
    public StreamCursor Entries => new(Block, StreamId.Min, StreamId.Max, isReverse: false);

    /// <summary>Of a block, the names of the fields that its entries have unless they have others.</summary>
    public StreamNames Fields => new(Block);

    internal StreamBlock* Block { get; init; }

    /// <summary>What the part takes of a step.</summary>
    internal int Effort => Kind == StreamPartKind.Block ? StepEffort.Of(Block->Bytes) : StepEffort.Of(Name.Length);
}
