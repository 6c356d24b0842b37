using Strata.Storage.Memory;

namespace Strata.Server.Lifecycle;

/// <summary>
/// What the host starts and stops: the listeners, the workers and the data. Made once per process, by the delegate
/// given to the host; started once and stopped once, on the host's thread.
/// </summary>
public interface IServerEngine
{
    /// <summary>Starts, and returns when connections are accepted.</summary>
    /// <exception cref="StartupException">
    /// Something it needs cannot be had. The process ends; Stop is not called.
    /// </exception>
    void Start();

    /// <summary>
    /// Waits for scripts that are at work, stops accepting, finishes the commands that have arrived, flushes their
    /// replies, and ends all threads. Returns when that is done, or when the time for it is over, whatever is left.
    /// </summary>
    void Stop(TimeSpan timeout);

    /// <summary>What it holds of memory.</summary>
    MemoryBudget Memory { get; }

    /// <summary>What can be asked of it from outside its protocol.</summary>
    IServerObserver Observer { get; }

    /// <summary>Whether its threads are alive: ends when each has made a turn of its loop from now on, and never while
    /// one is stuck. Any thread, between Start and Stop.</summary>
    Task TurnAsync();
}
