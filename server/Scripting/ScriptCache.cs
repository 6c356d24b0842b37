using System.Diagnostics.CodeAnalysis;
using Strata.Storage.Memory;

namespace Strata.Server.Scripting;

/// <summary>The server's scripts by their ids. A worker that has found one looks here no more until it is forgotten
/// (<see cref="Script.IsForgotten"/>). Of the scripts that EVAL has brought those not used for longest are forgotten,
/// as by Redis 7.4. Any thread.</summary>
internal sealed class ScriptCache
{
    private readonly Lock _lock = new();
    private readonly Dictionary<ScriptId, Script> _scripts = [];

    // Those that EVAL has brought, with when they were used last as far as was looked, about in that order.
    private readonly Queue<(Script Script, long UsedMs)> _evictable = new();
    private MemoryCharge _charge;
    private long _evicted;
    private long _flushes;

    /// <summary>An empty cache.</summary>
    public ScriptCache(MemoryBudget budget)
    {
        _charge = new MemoryCharge(budget);
    }

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

    /// <summary>Adds a script that compiles, unless it is there. One that was forgotten may be added again.</summary>
    /// <returns>The script as it is there.</returns>
    public Script Add(Script script)
    {
        lock (_lock)
        {
            if (_scripts.TryGetValue(script.Id, out var present) && (present.IsLoaded || !script.IsLoaded))
            {
                return present;
            }

            if (present != null)
            {
                Remove(present); // From here on it stays.
            }
            else if (!script.IsLoaded && _evictable.Count >= ServerLimits.MaxEvalScripts)
            {
                Evict();
            }

            script.IsForgotten = false;
            _scripts.Add(script.Id, script);
            _charge.Set(_charge.Bytes + script.MemoryBytes);
            if (!script.IsLoaded)
            {
                _evictable.Enqueue((script, script.UsedMs));
            }

            return script;
        }
    }

    /// <summary>Forgets all scripts.</summary>
    public void Flush()
    {
        lock (_lock)
        {
            foreach (var script in _scripts.Values)
            {
                script.IsForgotten = true;
            }

            _scripts.Clear();
            _evictable.Clear();
            _charge.LeaveToCollector(_charge.Bytes);
            Volatile.Write(ref _flushes, _flushes + 1);
        }
    }

    /// <summary>Forgets the script that was not used for longest. One that was used since it was queued is queued
    /// again (second chance, Corbató, 1968).</summary>
    private void Evict()
    {
        while (_evictable.TryDequeue(out var queued))
        {
            var (script, usedMs) = queued;
            if (script.IsForgotten)
            {
                continue; // SCRIPT LOAD has taken its place.
            }

            if (script.UsedMs == usedMs)
            {
                Remove(script);
                Volatile.Write(ref _evicted, _evicted + 1);
                return;
            }

            _evictable.Enqueue((script, script.UsedMs));
        }
    }

    private void Remove(Script script)
    {
        script.IsForgotten = true;
        _scripts.Remove(script.Id);
        _charge.Set(_charge.Bytes - script.MemoryBytes);
    }
}
