namespace Strata.Server.Persistence;

/// <summary>A snapshot that is wanted.</summary>
internal sealed class SnapshotRequest
{
    /// <summary>What it is for.</summary>
    public required SnapshotKind Kind { get; init; }

    /// <summary>Makes its file, again if it is begun anew; on the thread that writes it.</summary>
    public required Func<ISnapshotFile> Open { get; init; }

    /// <summary>Whether the file is the base of an append-only file, which it says of itself then.</summary>
    public bool IsBase { get; init; }

    /// <summary>Whether it is written as commands that make the data, and not as RDB.</summary>
    public bool AsCommands { get; init; }

    /// <summary>Begins a checkpoint, where it is to be one, at its moment, behind <see cref="AtMoment"/>; gives its
    /// number. Null where it is none.</summary>
    public Func<long>? BeginCheckpoint { get; init; }

    /// <summary>Called at its moment, while all leases are held, on the thread that holds them; again if it is begun
    /// anew. May be null.</summary>
    public Action? AtMoment { get; init; }

    /// <summary>Is told of the end; null where nobody wants to know.</summary>
    public ISnapshotEnd? End { get; init; }
}
