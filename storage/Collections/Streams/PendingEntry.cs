namespace Strata.Storage.Collections.Streams;

/// <summary>An entry that was given to a consumer, who has not acknowledged it.</summary>
/// <param name="Id">The entry's id; the entry may have been deleted since.</param>
/// <param name="Consumer">Who has it.</param>
/// <param name="DeliveredMs">When it was given last, milliseconds since 1970.</param>
/// <param name="Deliveries">How often it was given.</param>
public readonly record struct PendingEntry(
    StreamId Id, StreamConsumer Consumer, long DeliveredMs, long Deliveries)
{
    /// <summary>Whether it was given to nobody for so long.</summary>
    /// <param name="minIdleMs">How long at least, milliseconds; 0 for any time, also one that is yet to come.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public bool IsIdle(long minIdleMs, long nowMs) => minIdleMs == 0 || nowMs - DeliveredMs >= minIdleMs;
}
