using Strata.Storage.Memory;

namespace Strata.Server.Scripting;

/// <summary>The server's scripts, and what each worker runs of them. Any thread.</summary>
internal sealed class ScriptingServices
{
    private readonly RunningScript[] _running;

    /// <summary>No scripts.</summary>
    public ScriptingServices(MemoryBudget budget, int workers)
    {
        Cache = new ScriptCache(budget);
        _running = new RunningScript[workers];
        for (var i = 0; i < workers; i++)
        {
            _running[i] = new RunningScript();
        }
    }

    /// <summary>What EVALSHA finds.</summary>
    public ScriptCache Cache { get; }

    /// <summary>The first of the slow scripts, or null.</summary>
    public RunningScript? Slow
    {
        get
        {
            foreach (var script in _running)
            {
                if (script.IsSlow)
                {
                    return script;
                }
            }

            return null;
        }
    }

    /// <summary>A worker's.</summary>
    public RunningScript Of(int worker) => _running[worker];
}
