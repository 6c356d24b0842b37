using Strata.Storage.Log;

namespace Strata.Storage.Records;

/// <summary>A time during which a shard's keys stay where they are: none is evicted, and those that expire are found by
/// nobody, but deleted only by who puts another in the place of one. Any thread.</summary>
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
