namespace Strata.Server.Persistence;

/// <summary>What a snapshot has come to.</summary>
/// <param name="Error">Why it has failed, in words for the log; null where it has not.</param>
/// <param name="IsCancelled">Whether that was asked for, or followed from FLUSHALL.</param>
/// <param name="Bytes">Of the file.</param>
/// <param name="Keys">In it.</param>
internal sealed record SnapshotOutcome(string? Error, bool IsCancelled, long Bytes, long Keys);
