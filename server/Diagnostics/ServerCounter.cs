namespace Strata.Server.Diagnostics;

/// <summary>What <see cref="ServerTotals"/> adds up.</summary>
public enum ServerCounter
{
    /// <summary>Clients accepted.</summary>
    ConnectionsReceived,

    /// <summary>Clients turned away.</summary>
    ConnectionsRejected,

    /// <summary>Commands executed.</summary>
    Commands,

    /// <summary>Reads that found their key.</summary>
    Hits,

    /// <summary>Reads that did not.</summary>
    Misses,

    /// <summary>Bytes received from clients.</summary>
    ReceivedBytes,

    /// <summary>Bytes sent to clients.</summary>
    SentBytes,

    /// <summary>Receptions from clients that gave something.</summary>
    Reads,

    /// <summary>Transmissions to clients that took something.</summary>
    Writes,

    /// <summary>Clients closed because of <c>client-query-buffer-limit</c>.</summary>
    InputLimitsPassed,

    /// <summary>Clients closed because of <c>client-output-buffer-limit</c>.</summary>
    OutputLimitsPassed,

    /// <summary>Wrong passwords.</summary>
    AuthenticationsDenied,

    /// <summary>Commands refused to their users.</summary>
    CommandsDenied,

    /// <summary>Commands refused because of a key.</summary>
    KeysDenied,

    /// <summary>Commands refused because of a channel.</summary>
    ChannelsDenied,

    /// <summary>Turns of the workers' loops.</summary>
    Turns,

    /// <summary>Time that workers spent in them without waiting, in <see cref="System.Diagnostics.Stopwatch"/>'s ticks.
    /// </summary>
    TurnTicks,

    /// <summary>What of that they spent on their ticks, in the same.</summary>
    CronTicks,

    /// <summary>Keys deleted because their time had come.</summary>
    ExpiredKeys,

    /// <summary>Fields of hashes deleted because their time had come.</summary>
    ExpiredFields,

    /// <summary>Time spent on both in the background, in the same ticks.</summary>
    ExpireCycleTicks,

    /// <summary>How often that ended because it took too long.</summary>
    ExpireCyclesCut,

    /// <summary>Keys evicted.</summary>
    EvictedKeys,

    /// <summary>Large collections that were given up and have been freed since.</summary>
    FreedCollections,

    /// <summary>Milliseconds for which more memory was used than <c>maxmemory</c>.</summary>
    OverLimitMs,

    /// <summary>How many counters there are.</summary>
    Count,
}
