using Strata.Storage.Memory;

namespace Strata.Server.Scripting;

/// <summary>The server's scripts, and what each worker runs of them. Any thread.</summary>
internal sealed class ScriptingServices
{
    private readonly RunningScript[] _running;
    private int _slow;

    /// <summary>No scripts.</summary>
    public ScriptingServices(MemoryBudget budget, int workers)
    {
        Cache = new ScriptCache(budget);
        _running = new RunningScript[workers];
        for (var i = 0; i < workers; i++)
        {
            _running[i] = new RunningScript(this);
        }
    }

    /// <summary>What EVALSHA finds.</summary>
    public ScriptCache Cache { get; }

    /// <summary>What each worker runs, by its number.</summary>
    public IReadOnlyList<RunningScript> Running => _running;

    /// <summary>Whether a script is slow: every client is told so, whatever it wants.</summary>
    public bool IsAnySlow => Volatile.Read(ref _slow) > 0;

    /// <summary>A worker's.</summary>
    public RunningScript Of(int worker) => _running[worker];

    /// <summary>Ends the slow scripts that have changed nothing.</summary>
    /// <returns>How many are slow, and how many of them were told to end.</returns>
    public (int Slow, int Killed) KillSlow()
    {
        var (slow, killed) = (0, 0);
        foreach (var script in _running)
        {
            slow += script.IsSlow ? 1 : 0;
            killed += script.TryKill() ? 1 : 0;
        }

        return (slow, killed);
    }

    /// <summary>A script is slow from now on, or no longer.</summary>
    internal void CountSlow(int change) => Interlocked.Add(ref _slow, change);
}
