using System.Diagnostics.CodeAnalysis;
using Strata.Storage.Memory;

namespace Strata.Server.Scripting;

/// <summary>The server's scripts by their ids. A worker that has compiled one looks here no more until the version
/// changes. Of the scripts that EVAL has brought those not used for longest are forgotten, as by Redis 7.4. Any thread.
/// </summary>
internal sealed class ScriptCache
{
    private readonly Lock _lock = new();
    private readonly Dictionary<ScriptId, Script> _scripts = [];
    private MemoryCharge _charge;
    private int _evictable;
    private long _evicted;
    private long _version;
    private long _flushes;

    /// <summary>An empty cache.</summary>
    public ScriptCache(MemoryBudget budget)
    {
        _charge = new MemoryCharge(budget);
    }

    /// <summary>Changes when scripts are forgotten: what was found before may not be there any more.</summary>
    public long Version => Volatile.Read(ref _version);

    /// <summary>Changes when all of them are forgotten.</summary>
    public long Flushes => Volatile.Read(ref _flushes);

    /// <summary>Scripts that were forgotten to keep the number of those that EVAL brings.</summary>
    public long Evicted => Volatile.Read(ref _evicted);

    /// <summary>How many there are, and what they take in bytes.</summary>
    public (int Count, long Bytes) Size
    {
        get
        {
            lock (_lock)
            {
                return (_scripts.Count, _charge.Bytes);
            }
        }
    }

    /// <summary>Finds a script.</summary>
    public bool TryFind(in ScriptId id, [NotNullWhen(true)] out Script? script)
    {
        lock (_lock)
        {
            return _scripts.TryGetValue(id, out script);
        }
    }

    /// <summary>Adds a script that compiles, unless it is there.</summary>
    public void Add(Script script)
    {
        lock (_lock)
        {
            if (_scripts.TryGetValue(script.Id, out var present) && (present.IsLoaded || !script.IsLoaded))
            {
                return;
            }

            if (present != null)
            {
                Remove(present);
            }
            else if (!script.IsLoaded && _evictable >= ServerLimits.MaxEvalScripts)
            {
                Evict();
            }

            _scripts.Add(script.Id, script);
            _charge.Set(_charge.Bytes + script.MemoryBytes);
            _evictable += script.IsLoaded ? 0 : 1;
        }
    }

    /// <summary>Forgets all scripts.</summary>
    public void Flush()
    {
        lock (_lock)
        {
            _scripts.Clear();
            _charge.Set(0);
            _evictable = 0;
            Volatile.Write(ref _version, _version + 1);
            Volatile.Write(ref _flushes, _flushes + 1);
        }
    }

    private void Evict()
    {
        Script? oldest = null;
        foreach (var script in _scripts.Values)
        {
            if (!script.IsLoaded && (oldest == null || script.UsedMs < oldest.UsedMs))
            {
                oldest = script;
            }
        }

        Remove(oldest!);
        _evicted++;
        Volatile.Write(ref _version, _version + 1);
    }

    private void Remove(Script script)
    {
        _scripts.Remove(script.Id);
        _charge.Set(_charge.Bytes - script.MemoryBytes);
        _evictable -= script.IsLoaded ? 0 : 1;
    }
}
