namespace Strata.Storage.Runtime;

/// <summary>
/// All that the storage and the server take from outside and that is another at each run: the clock, where workers
/// wait, random numbers. Whoever gives a platform of its own decides about all of it, and so makes a run that can be
/// repeated. The members are called when things are made, not on the way of a command; any thread.
/// </summary>
public class Platform
{
    /// <summary>The machine's own.</summary>
    public static Platform Machine { get; } = new();

    /// <summary>The wall clock, and timestamps in ticks of <see cref="System.Diagnostics.Stopwatch"/>, whose frequency
    /// every clock must have.</summary>
    public virtual TimeProvider Clock => TimeProvider.System;

    /// <summary>What the next worker waits with.</summary>
    /// <exception cref="IOException">No file descriptors are to be had.</exception>
    public virtual IPoller CreatePoller() => new EpollPoller();
}
