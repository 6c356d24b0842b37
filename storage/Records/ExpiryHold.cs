using Strata.Storage.Log;

namespace Strata.Storage.Records;

/// <summary>A time during which a shard's keys that expire stay where they are, found by nobody: only who puts another
/// in the place of one, or has to know that it is gone, deletes it. Any thread.</summary>
public sealed class ExpiryHold
{
    private long _untilMs;

    /// <summary>Begins it, or ends it; milliseconds since 1970.</summary>
    public void Until(long untilMs) => Volatile.Write(ref _untilMs, untilMs);

    /// <summary>Whether it is under way.</summary>
    public bool Holds(long nowMs) => nowMs < Volatile.Read(ref _untilMs);

    /// <summary>Whether a record's time has come, and whoever comes by it is to delete it.</summary>
    internal bool IsDue(in Record record, long nowMs) => record.IsExpired(nowMs) && !Holds(nowMs);
}
