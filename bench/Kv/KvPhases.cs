namespace Strata.Bench.Kv;

/// <summary>Takes the threads of a run from phase to phase: all have loaded before one is measured.</summary>
internal sealed class KvPhases(int threads) : IDisposable
{
    private readonly CountdownEvent _loading = new(threads);
    private readonly ManualResetEventSlim _measuring = new();
    private volatile KvPhase _current;

    /// <summary>Where the run stands.</summary>
    public KvPhase Current => _current;

    /// <summary>Whether every thread has loaded its part.</summary>
    public bool HasLoaded => _loading.IsSet;

    /// <summary>A thread has loaded its part.</summary>
    public void EndLoad() => _loading.Signal();

    /// <summary>A thread waits until the run goes on.</summary>
    public void WaitForMeasurement() => _measuring.Wait();

    /// <summary>Moves on, and lets the threads go.</summary>
    public void Enter(KvPhase phase)
    {
        _current = phase;
        _measuring.Set();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _loading.Dispose();
        _measuring.Dispose();
    }
}
