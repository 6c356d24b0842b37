using System.Diagnostics;

namespace Strata.Tests.Simulation;

/// <summary>A clock that the simulation moves. Each look at its timestamp takes a microsecond of its time, so that what
/// works for a time comes to an end, and is told: there others may come between.</summary>
internal sealed class SimulatedClock : TimeProvider
{
    private static readonly DateTimeOffset s_start = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private long _ticks;

    /// <summary>Where the clock begins, milliseconds since 1970.</summary>
    public static long StartMs { get; } = s_start.ToUnixTimeMilliseconds();

    /// <summary>The time by now, milliseconds since 1970.</summary>
    public long NowMs => GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Called at each look at the timestamp.</summary>
    public Action? Asked { get; set; }

    /// <inheritdoc/>
    public override long TimestampFrequency => Stopwatch.Frequency;

    public void AdvanceMs(int milliseconds) => _ticks += milliseconds * TimeSpan.TicksPerMillisecond;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => s_start.AddTicks(_ticks);

    /// <inheritdoc/>
    public override long GetTimestamp()
    {
        Asked?.Invoke();
        _ticks += TimeSpan.TicksPerMicrosecond;
        return (_ticks * (Stopwatch.Frequency / TimeSpan.TicksPerSecond)) + 1;
    }
}
