using System.Diagnostics.CodeAnalysis;
using Strata.Server.Scripting;
using Strata.Storage.Index;
using Strata.Storage.Memory;

namespace Strata.Server.Execution.Scripts;

/// <summary>The scripts that one worker knows, with those that the server has forgotten and EVAL may bring again: a
/// body that was seen here is found without its SHA-1, and is not parsed again.</summary>
internal sealed class KnownScripts
{
    private readonly ScriptCache _cache;
    private readonly ScriptEngine _engine;
    private readonly Dictionary<ScriptId, KnownScript> _byId = [];
    private readonly Dictionary<ulong, KnownScript> _byBody = [];
    private readonly byte[] _lastText = new byte[ScriptId.TextLength];
    private KnownScript? _last;
    private MemoryCharge _charge;
    private long _flushes;

    /// <summary>None yet.</summary>
    /// <param name="cache">The server's scripts.</param>
    /// <param name="engine">Where the worker's are compiled, which is closed with SCRIPT FLUSH.</param>
    /// <param name="budget">What is charged.</param>
    public KnownScripts(ScriptCache cache, ScriptEngine engine, MemoryBudget budget)
    {
        _cache = cache;
        _engine = engine;
        _charge = new MemoryCharge(budget);
    }

    /// <summary>Bytes charged to the budget.</summary>
    public long ChargedBytes => _charge.Bytes;

    /// <summary>Whether a script that was found here is what its id, or its body, names still.</summary>
    public bool IsCurrent(KnownScript known) => _flushes == _cache.Flushes && !known.Script.IsForgotten;

    /// <summary>Finds a script by its id in writing; mostly it is the one that was found before.</summary>
    public KnownScript? Find(ReadOnlySpan<byte> text)
    {
        AdoptFlushes();
        if (_last is { Script.IsForgotten: false } last && text.SequenceEqual(_lastText))
        {
            return last;
        }

        if (!ScriptId.TryParse(text, out var id) || !TryFind(id, out var known))
        {
            return null;
        }

        text.CopyTo(_lastText);
        return _last = known;
    }

    /// <summary>Finds a script by its body. One that the server has forgotten it knows again from here on.</summary>
    /// <param name="body">Its text.</param>
    /// <param name="nowMs">When it is used, milliseconds since 1970.</param>
    public KnownScript? FindBody(ReadOnlySpan<byte> body, long nowMs)
    {
        AdoptFlushes();
        var hash = KeyHash.Compute(body);
        if (_byBody.TryGetValue(hash, out var known) && body.SequenceEqual(known.Script.Body))
        {
            if (!known.Script.IsForgotten)
            {
                return known;
            }

            if (!known.Script.IsLoaded) // Or a flush is under way.
            {
                return Restore(known, hash, nowMs);
            }
        }

        if (!TryFind(ScriptId.Of(body), out known))
        {
            return null;
        }

        _byBody[hash] = known;
        return known;
    }

    /// <summary>Adds a script that compiles, here and for all workers.</summary>
    public void Add(KnownScript known)
    {
        _cache.Add(known.Script);
        Keep(known);
        _byBody[KeyHash.Compute(known.Script.Body)] = known;
    }

    /// <summary>Forgets all of them.</summary>
    public void Clear()
    {
        _byId.Clear();
        _byBody.Clear();
        _last = null;
        _charge.Set(0);
    }

    private bool TryFind(in ScriptId id, [NotNullWhen(true)] out KnownScript? known)
    {
        if (_byId.TryGetValue(id, out known) && !known.Script.IsForgotten)
        {
            return true;
        }

        if (!_cache.TryFind(id, out var script))
        {
            known = null;
            return false;
        }

        known = new KnownScript(script);
        Keep(known);
        return true;
    }

    private KnownScript Restore(KnownScript known, ulong hash, long nowMs)
    {
        known.Script.UsedMs = nowMs;
        var script = _cache.Add(known.Script);
        if (script != known.Script)
        {
            known = new KnownScript(script); // Another worker was first.
            Keep(known);
            _byBody[hash] = known;
        }

        return known;
    }

    private void Keep(KnownScript known)
    {
        if (_byId.Count >= ServerLimits.MaxCompiledScripts || _charge.Bytes > ServerLimits.MaxKnownScriptBytes)
        {
            Clear();
        }

        if (_byId.TryGetValue(known.Script.Id, out var before))
        {
            _charge.Set(_charge.Bytes - before.Script.MemoryBytes);
        }

        _byId[known.Script.Id] = known;
        _charge.Set(_charge.Bytes + known.Script.MemoryBytes);
    }

    private void AdoptFlushes()
    {
        if (_flushes != _cache.Flushes)
        {
            _flushes = _cache.Flushes;
            _engine.Close();
            Clear();
        }
    }
}
