namespace Strata.Storage.Runtime;

/// <summary>Until when work that could go on longer may go on. The default value never comes.</summary>
public readonly struct Deadline
{
    private readonly TimeProvider? _clock;
    private readonly long _timestamp;

    /// <summary>So many ticks of <see cref="System.Diagnostics.Stopwatch"/> from <paramref name="started"/> on.
    /// </summary>
    /// <param name="clock">Whose time it is.</param>
    /// <param name="started">A timestamp of that clock.</param>
    /// <param name="ticks">How many.</param>
    public Deadline(TimeProvider clock, long started, long ticks)
    {
        _clock = clock;
        _timestamp = started + ticks;
    }

    /// <summary>Whether it has come. This reads the clock.</summary>
    public bool HasPassed => _clock != null && _clock.GetTimestamp() >= _timestamp;
}
