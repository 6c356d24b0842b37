using System.Collections.Immutable;
using Strata.Storage.Collections.Streams;

namespace Strata.Tests.Simulation.Streams;

/// <summary>A group of a stream at one moment. Which consumers it has is not noted: one that waits has made its own
/// before it got anything, which is a moment of its own.</summary>
internal sealed record GroupState
{
    /// <summary>The last entry that was read.</summary>
    public StreamId LastId { get; init; }

    /// <summary>Entries that were read; null where that is not known.</summary>
    public long? Read { get; init; }

    /// <summary>What was given and not acknowledged.</summary>
    public ImmutableSortedDictionary<StreamId, PendingState> Pending { get; init; }
        = ImmutableSortedDictionary<StreamId, PendingState>.Empty;
}
