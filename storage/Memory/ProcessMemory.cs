namespace Strata.Storage.Memory;

/// <summary>
/// What the process holds beyond what is charged: memory that was freed and that the C library or the runtime's
/// collector keep, and what estimates say too little of. Looked at again and again by one thread that is no worker's.
/// While memory is nearly used up, and there is much of it, it is asked for; what they keep all the same is charged.
/// </summary>
public sealed class ProcessMemory : IDisposable
{
    // So much is the program's own, at work.
    private const long FreeBytes = 12 << 20;

    // What it takes to start.
    private const long StartBytes = 8 << 20;

    // A larger limit may have a little more, since where much is held some is lost between it.
    private const int FreeShare = 64;

    // By how much it must have grown since it was asked for last.
    private const long GrownBytes = 4 << 20;

    // After so many looks it is asked for again though it has not grown: somebody may have given up by then what the
    // collector found in use. Each time after twice as many.
    private const int LeastLooks = 5;
    private const int MostLooks = 640;

    // What must be left of the limit, as a share, for none of it to matter.
    private const int NearShare = 8;

    private readonly MemoryBudget _budget;
    private readonly SystemHeap _heap;
    private long _ownBytes;
    private long _settledBytes;
    private long _lastBytes;
    private int _looksToNext = LeastLooks;
    private int _looksLeft;

    /// <summary>What the process holds by now, beyond what is charged, is the program's own.</summary>
    public ProcessMemory(MemoryBudget budget, SystemHeap heap)
    {
        _budget = budget;
        _heap = heap;
        _ownBytes = ResidentMemory.OwnBytes - budget.UsedBytes;
    }

    /// <summary>So is what it has come to hold until it was ready, but for what is left of loading much.</summary>
    public void Begin()
    {
        _ownBytes = Math.Min(ResidentMemory.OwnBytes - _budget.UsedBytes, _ownBytes + StartBytes);
        _budget.IsWatched = true;
    }

    /// <summary>Looks how much it is.</summary>
    public void Look()
    {
        _budget.TakeUncollected();
        var limit = _budget.LimitBytes;
        if (limit == 0)
        {
            _budget.ChargeBeyond(0);
            return;
        }

        var free = FreeBytes + (limit / FreeShare);
        var beyond = BeyondBytes();
        _looksLeft = Math.Max(0, _looksLeft - 1);
        var hasGrown = beyond >= _settledBytes + GrownBytes;
        if (beyond > free && (hasGrown || _looksLeft == 0) && IsNear(limit, beyond))
        {
            beyond = Collect(free);
            _looksToNext = hasGrown ? LeastLooks : Math.Min(_looksToNext * 2, MostLooks);
            _looksLeft = _looksToNext;
            _settledBytes = beyond;
        }

        // Memory is charged no more a moment before it is given back, and keys must not go for that.
        var stays = Math.Min(beyond, _lastBytes);
        _lastBytes = beyond;
        _settledBytes = Math.Min(_settledBytes, beyond);
        _budget.ChargeBeyond(Math.Max(0, stays - free));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _budget.IsWatched = false;
        _budget.TakeUncollected();
    }

    /// <summary>Asks for what is kept.</summary>
    /// <returns>What is beyond then.</returns>
    private long Collect(long free)
    {
        _heap.Trim();
        if (BeyondBytes() > free && GC.GetGCMemoryInfo(GCKind.Any).TotalCommittedBytes > FreeBytes)
        {
            // All are held up, for a few milliseconds where little is in use: it is done where it can matter alone.
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        }

        return BeyondBytes();
    }

    private bool IsNear(long limit, long beyond)
        => _budget.UsedBytes - _budget.BeyondBytes + beyond > limit - (limit / NearShare);

    private long BeyondBytes() => ResidentMemory.OwnBytes - _ownBytes - (_budget.UsedBytes - _budget.BeyondBytes);
}
