using Strata.Server.Scripting.Functions;
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
        Functions = new FunctionCatalogue(budget);
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

    /// <summary>What FCALL finds.</summary>
    public FunctionCatalogue Functions { get; }

    /// <summary>The first of the slow scripts, or null.</summary>
    public SlowScript? Slow
    {
        get
        {
            foreach (var script in _running)
            {
                if (script.Slow is { } slow)
                {
                    return slow;
                }
            }

            return null;
        }
    }

    /// <summary>Whether a script is slow: every client is told so, whatever it wants.</summary>
    public bool IsAnySlow => Volatile.Read(ref _slow) > 0;

    /// <summary>Ends the slow scripts, or the slow functions, that have changed nothing.</summary>
    /// <param name="isFunction">Which of the two.</param>
    public KillOutcome Kill(bool isFunction)
    {
        var outcome = KillOutcome.NoneRuns;
        foreach (var script in _running)
        {
            if (script.Slow is { } slow)
            {
                var own = slow.IsFunction == isFunction && (script.TryKill() || script.IsKilled) ? KillOutcome.Killed
                    : script.HasWritten ? KillOutcome.HasWritten
                    : KillOutcome.OtherKind;
                outcome = own > outcome ? own : outcome;
            }
        }

        return outcome;
    }

    /// <summary>A worker's.</summary>
    public RunningScript Of(int worker) => _running[worker];

    /// <summary>A script is slow from now on, or no longer.</summary>
    internal void CountSlow(int change) => Interlocked.Add(ref _slow, change);
}
