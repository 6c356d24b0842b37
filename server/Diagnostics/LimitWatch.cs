using Strata.Storage.Memory;

namespace Strata.Server.Diagnostics;

/// <summary>For how long more memory is used than <c>maxmemory</c>, as one thread looks now and then; any thread may
/// read it.</summary>
public sealed class LimitWatch
{
    private long _sinceMs = long.MaxValue;
    private long _lastMs;

    /// <summary>All of it since the start, milliseconds.</summary>
    public long TotalMs { get; private set; }

    /// <summary>For how long it has been so without a break, milliseconds; 0 while it is not so.</summary>
    public long CurrentMs { get; private set; }

    /// <summary>Looks.</summary>
    /// <param name="budget">The memory.</param>
    /// <param name="nowMs">A clock that does not go back, milliseconds.</param>
    public void Tick(MemoryBudget budget, long nowMs)
    {
        if (budget.LimitBytes == 0 || budget.UsedBytes <= budget.LimitBytes)
        {
            _sinceMs = long.MaxValue;
            CurrentMs = 0;
        }
        else if (_sinceMs == long.MaxValue)
        {
            _sinceMs = nowMs;
        }
        else
        {
            TotalMs += nowMs - _lastMs;
            CurrentMs = nowMs - _sinceMs;
        }

        _lastMs = nowMs;
    }
}
