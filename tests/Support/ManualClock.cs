using System.Diagnostics;

namespace Strata.Tests.Support;

/// <summary>A clock that stands until it is moved. It begins in the year 2030.</summary>
internal sealed class ManualClock : TimeProvider
{
    private static readonly DateTimeOffset s_start = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private TimeSpan _passed;

    /// <summary>Milliseconds since 1970.</summary>
    public long NowMs => GetUtcNow().ToUnixTimeMilliseconds();

    /// <inheritdoc/>
    public override long TimestampFrequency => Stopwatch.Frequency;

    public void AdvanceMs(double milliseconds) => _passed += TimeSpan.FromMilliseconds(milliseconds);

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => s_start + _passed;

    /// <inheritdoc/>
    public override long GetTimestamp()
        => (_passed.Ticks * (Stopwatch.Frequency / TimeSpan.TicksPerSecond)) + 1;
}
