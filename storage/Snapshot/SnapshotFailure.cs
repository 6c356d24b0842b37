namespace Strata.Storage.Snapshot;

/// <summary>Why a snapshot came to nothing.</summary>
/// <param name="Reason">In words for the log.</param>
/// <param name="Cleared">Of one whose keys were deleted all at once (FLUSHALL, FLUSHDB) before they were saved, the
/// database's physical number or <see cref="Changes.ShardChanges.AllDatabases"/>: it can be begun anew; else null.
/// </param>
public sealed record SnapshotFailure(string Reason, int? Cleared = null);
