namespace Strata.Storage.Devices;

/// <summary>How long a device took for the requests of one thread: from when they were given to it until that thread
/// saw their end, not what they waited for their turn.</summary>
/// <param name="clock">Whose timestamps count.</param>
public sealed class DeviceLatencies(TimeProvider clock)
{
    /// <summary>Reads.</summary>
    public RequestLatency Reads { get; } = new();

    /// <summary>Writes.</summary>
    public RequestLatency Writes { get; } = new();

    /// <summary>The timestamp of this moment: one for all requests that begin, or end, together.</summary>
    internal long Now() => clock.GetTimestamp();

    /// <summary>Counts a request.</summary>
    /// <param name="isWrite">Whether it was a write.</param>
    /// <param name="began">The timestamp at its begin.</param>
    /// <param name="ended">The timestamp at its end.</param>
    internal void Add(bool isWrite, long began, long ended)
        => (isWrite ? Writes : Reads).Add(clock.GetElapsedTime(began, ended).Ticks * TimeSpan.NanosecondsPerTick);
}
