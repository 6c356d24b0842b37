using Strata.Storage;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server.Execution;

/// <summary>Brings the server's memory back under <c>maxmemory</c> before a command that needs some: the shards take
/// turns to give up a page each, so that one huge value pushes out a little of all. Called while no lease is held.
/// </summary>
internal sealed class MemoryGuard
{
    // Where nothing may be evicted, room can only come from compaction: no more of it than this before one command.
    private const int MaxCompactions = 32;

    private readonly ShardMap _shards;
    private readonly int _worker;
    private int _next;
    private long _caughtUpMs;
    private long _steppedMs;
    private Room _stepped;
    private long _refusedMs;
    private long _refusedEndings;

    public MemoryGuard(ShardMap shards, int worker)
    {
        _shards = shards;
        _worker = worker;
        _next = worker;
    }

    /// <summary>Whether anything may be given up to make room: keys, or what the device has as well.</summary>
    public bool MayGiveUp => _shards.Tier != null || _shards[0].Policy != EvictionPolicy.NoEviction;

    /// <summary>Evicts until the budget holds; after the limit was lowered, until less is held than before.</summary>
    public Room MakeRoom(long nowMs)
    {
        var budget = _shards.Budget;
        if (budget.IsBehind && !TryCatchUp(nowMs))
        {
            return Room.OnItsWay;
        }

        var evicts = _shards.Tier == null && _shards[0].Policy != EvictionPolicy.NoEviction;
        if (!budget.IsOver || (evicts && MayExceed(budget, nowMs)))
        {
            return Room.Made;
        }

        var endings = _shards.Tier?.Endings ?? 0;
        if (_refusedMs == nowMs && _refusedEndings == endings)
        {
            return Room.OnItsWay; // Of hundreds that wait each would ask all shards in vain.
        }

        var steps = 0;
        var refusals = 0;
        var isBusy = false;
        var isMoving = false;
        do
        {
            _next = (_next + 1) % _shards.Count;
            var shard = _shards[_next];
            if (shard.Lease.TryAcquire())
            {
                var isDone = TryGiveUp(shard, nowMs);
                isMoving |= isDone;
                refusals = isDone ? 0 : refusals + 1;
            }
            else
            {
                isBusy = true; // Its holder makes room in it when it is done.
                refusals++;
            }

            if (refusals == _shards.Count || (!evicts && ++steps == MaxCompactions))
            {
                budget.Buffers.ReleaseIdle(); // At the latest now; sooner they would be made anew for each command.
                var room = !budget.IsOver || (evicts && isBusy) ? Room.Made : Refusal(endings, isBusy || isMoving);
                if (room == Room.OnItsWay && !isBusy)
                {
                    (_refusedMs, _refusedEndings) = (nowMs, endings);
                }

                return room;
            }

            if (budget.IsBehind && !TryCatchUp(nowMs))
            {
                return Room.OnItsWay; // To evict more would free nothing sooner.
            }
        }
        while (budget.IsOverGlide);
        budget.Glide();
        return evicts || !budget.IsOver ? Room.Made : Refusal(endings, isBusy || isMoving);
    }

    /// <summary>Makes room for much that is about to be taken, and counts as held what there is room for by now. All at
    /// once would hold up others, and would seem to them to be the end of memory: it is made step by step, of all that
    /// ask in one turn for a while of the first one's time. Where one finds none in a turn, all do.</summary>
    /// <param name="charge">What there is room for.</param>
    /// <param name="bytes">What there is to be room for.</param>
    /// <param name="nowMs">The turn's time.</param>
    public Room MakeRoom(ref MemoryCharge charge, long bytes, long nowMs)
    {
        if (_steppedMs == nowMs)
        {
            return _stepped;
        }

        var budget = _shards.Budget;
        budget.Buffers.ReleaseIdle(); // Before keys go for another.
        var deadline = NewDeadline();
        do
        {
            charge.Set(Math.Min(bytes, charge.Bytes + ServerLimits.RoomStepBytes));
            var room = budget.HasRoom ? Room.Made : MakeRoom(nowMs);
            if (room != Room.Made)
            {
                return EndSteps(room, nowMs);
            }

            if (budget.IsFarOver && budget.IsOverGlide)
            {
                return Room.OnItsWay; // Those make it who hold the shards.
            }

            if (charge.Bytes == bytes)
            {
                return Room.Made;
            }
        }
        while (!deadline.HasPassed);
        return EndSteps(Room.OnItsWay, nowMs);
    }

    private Room EndSteps(Room room, long nowMs)
    {
        _steppedMs = nowMs;
        _stepped = room;
        return room;
    }

    /// <summary>Frees what was given up until little enough of it is left: of all commands that ask in one turn, for
    /// a while of the first one's time.</summary>
    /// <returns>False when that must be waited for.</returns>
    private bool TryCatchUp(long nowMs)
    {
        if (_caughtUpMs == nowMs)
        {
            return false;
        }

        _caughtUpMs = nowMs;
        var deadline = NewDeadline();
        for (var idle = 0; _shards.Budget.IsBehind;)
        {
            _next = (_next + 1) % _shards.Count;
            idle = TryFree(_shards[_next]) ? 0 : idle + 1;
            if (idle == _shards.Count || deadline.HasPassed)
            {
                return !_shards.Budget.IsBehind;
            }
        }

        _caughtUpMs = 0;
        return true;
    }

    /// <summary>Whether the limit may be exceeded: a little while nothing is evicted (CLIENT PAUSE), for then clients
    /// that are not paused find memory full that would otherwise have room made for them.</summary>
    private bool MayExceed(MemoryBudget budget, long nowMs)
        => _shards[0].ExpiryHold.Holds(nowMs) && !budget.IsFarOver;

    private Deadline NewDeadline()
    {
        var clock = _shards.Clock;
        return new Deadline(clock, clock.GetTimestamp(), clock.TimestampFrequency * Limits.CatchUpUs / 1_000_000);
    }

    private bool TryFree(Shard shard)
    {
        if (!shard.Lease.TryAcquire())
        {
            return false;
        }

        try
        {
            return shard.TryFree(_worker);
        }
        finally
        {
            shard.Lease.Release();
        }
    }

    private bool TryGiveUp(Shard shard, long nowMs)
    {
        try
        {
            return shard.TryGiveUp(_worker, nowMs);
        }
        finally
        {
            shard.Lease.Release();
        }
    }

    // What another worker took meanwhile, holds in a shard in use, or has written since that shard was asked, may be
    // out of memory in a moment.
    private Room Refusal(long endingsBefore, bool mayChange)
        => _shards.Tier is not { } tier ? Room.None
            : mayChange || tier.IsLettingGo || tier.Endings != endingsBefore ? Room.OnItsWay
            : tier.Failure != 0 ? Room.Unwritable
            : Room.None;
}
