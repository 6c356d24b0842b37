namespace Strata.Server.Scripting;

/// <summary>What a worker's script is at, for those who want to end it. Any thread.</summary>
internal sealed class RunningScript
{
    private const int None = 0;
    private const int Clean = 1;
    private const int Changing = 2;
    private const int Killed = 3;

    private readonly ScriptingServices _scripts;
    private int _state;
    private long _begun;
    private volatile SlowScript? _slow;
    private volatile bool _isAbandoned;

    public RunningScript(ScriptingServices scripts)
    {
        _scripts = scripts;
    }

    /// <summary>Scripts that have begun so far, if one is at work; else 0.</summary>
    public long Current => Volatile.Read(ref _state) == None ? 0 : Volatile.Read(ref _begun);

    /// <summary>Whether it has changed something.</summary>
    public bool HasWritten => Volatile.Read(ref _state) == Changing;

    /// <summary>Whether it is to end.</summary>
    public bool IsKilled => _isAbandoned || Volatile.Read(ref _state) == Killed;

    /// <summary>Whether one runs for longer than <c>busy-reply-threshold</c>.</summary>
    public bool IsSlow => _slow != null;

    /// <summary>What is told of it then.</summary>
    public SlowScript? Slow => _slow;

    /// <summary>Whether it ends in the midst of its changes, since the server does: nobody may see them.</summary>
    public bool IsAbandoned => _isAbandoned;

    /// <summary>A script begins; on the worker.</summary>
    public void Begin()
    {
        Volatile.Write(ref _begun, _begun + 1);
        Volatile.Write(ref _state, Clean);
    }

    /// <summary>It is about to change something; on the worker.</summary>
    /// <returns>False when it has been killed.</returns>
    public bool TryWrite()
        => !_isAbandoned && Interlocked.CompareExchange(ref _state, Changing, Clean) != Killed;

    /// <summary>It runs for longer than it may before others are told; on the worker.</summary>
    public void BecomeSlow(SlowScript slow)
    {
        _slow = slow;
        _scripts.CountSlow(1);
    }

    /// <summary>It has ended; on the worker. One that was abandoned counts as slow for ever.</summary>
    public void End()
    {
        if (_slow != null && !_isAbandoned)
        {
            _slow = null;
            _scripts.CountSlow(-1);
        }
        else if (_slow == null && _isAbandoned)
        {
            _scripts.CountSlow(1);
        }

        Volatile.Write(ref _state, None);
    }

    /// <summary>Ends a slow script that has changed nothing.</summary>
    public bool TryKill() => IsSlow && Interlocked.CompareExchange(ref _state, Killed, Clean) == Clean;

    /// <summary>Ends it whatever it has done, and every other from here on.</summary>
    public void Abandon() => _isAbandoned = true;
}
