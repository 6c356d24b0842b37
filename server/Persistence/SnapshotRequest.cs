using Strata.Server.Journal.Files;

namespace Strata.Server.Persistence;

/// <summary>A snapshot that is wanted.</summary>
internal sealed class SnapshotRequest
{
    /// <summary>What it is for.</summary>
    public required SnapshotKind Kind { get; init; }

    /// <summary>Makes its file, again if it is begun anew; on the thread that writes it.</summary>
    public required Func<ISnapshotFile> Open { get; init; }

    /// <summary>As what it is written, where it is the base of an append-only file; null for an RDB file that is none.
    /// </summary>
    public JournalBaseKind? Base { get; init; }

    /// <summary>Gives the number of the checkpoint, called behind <see cref="AtMoment"/>; null where it is none.
    /// </summary>
    public Func<long>? CheckpointNumber { get; init; }

    /// <summary>Begins what must have ended before its moment, again if it is begun anew; on the first worker, or under
    /// all leases. Null for nothing.</summary>
    public Func<Task>? Prepare { get; init; }

    /// <summary>Asked where it would begin, while all leases are held: if not, it has ended well. Null for always.
    /// </summary>
    public Func<bool>? IsNeeded { get; init; }

    /// <summary>Called at its moment, while all leases are held, on the thread that holds them; again if it is begun
    /// anew. May be null.</summary>
    public Action? AtMoment { get; init; }

    /// <summary>Is told of the end; null where nobody wants to know.</summary>
    public ISnapshotEnd? End { get; init; }
}
