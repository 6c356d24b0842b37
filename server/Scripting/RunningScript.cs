namespace Strata.Server.Scripting;

/// <summary>What a worker's script is at, for those who want to end it. Any thread.</summary>
internal sealed class RunningScript
{
    private const int None = 0;
    private const int Clean = 1;
    private const int Changing = 2;
    private const int Killed = 3;

    private int _state;
    private volatile bool _isSlow;

    /// <summary>Whether it has changed something.</summary>
    public bool HasWritten => Volatile.Read(ref _state) == Changing;

    /// <summary>Whether it is to end.</summary>
    public bool IsKilled => Volatile.Read(ref _state) == Killed;

    /// <summary>Whether one runs for longer than <c>busy-reply-threshold</c>.</summary>
    public bool IsSlow => _isSlow;

    /// <summary>A script begins; on the worker.</summary>
    public void Begin() => Volatile.Write(ref _state, Clean);

    /// <summary>It is about to change something; on the worker.</summary>
    /// <returns>False when it has been killed.</returns>
    public bool TryWrite() => Interlocked.CompareExchange(ref _state, Changing, Clean) != Killed;

    /// <summary>It runs for longer than it may before others are told; on the worker.</summary>
    public void BecomeSlow() => _isSlow = true;

    /// <summary>It has ended; on the worker.</summary>
    public void End()
    {
        _isSlow = false;
        Volatile.Write(ref _state, None);
    }

    /// <summary>Ends a slow script that has changed nothing.</summary>
    public bool TryKill() => _isSlow && Interlocked.CompareExchange(ref _state, Killed, Clean) == Clean;
}
