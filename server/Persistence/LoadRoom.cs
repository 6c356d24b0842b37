using System.Runtime.InteropServices;
using Strata.Server.Runtime;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;
using Strata.Storage.Tiering;

namespace Strata.Server.Persistence;

/// <summary>Makes room for what is loaded: at <c>maxmemory</c> keys give way as the policy says, or leave memory for
/// the device. Where none may, the data is loaded all the same, as by Redis. For all workers that load.</summary>
internal sealed class LoadRoom
{
    private readonly ServerContext _server;
    private readonly LoadTurns _turns;

    // For each worker the shard that gave something up last.
    private readonly int[] _last;
    private int _isFarOverTold;

    /// <summary>Room for a server's data.</summary>
    /// <param name="server">The server.</param>
    /// <param name="turns">Who may use which shards.</param>
    public LoadRoom(ServerContext server, LoadTurns turns)
    {
        _server = server;
        _turns = turns;
        _last = [.. Enumerable.Range(0, server.WorkerCount)];
    }

    private MemoryBudget Budget => _server.Shards.Budget;

    /// <summary>Makes room where memory is over its limit, and something may go. The caller has no turn.</summary>
    /// <param name="worker">The worker whose thread this is.</param>
    /// <param name="nowMs">The time, milliseconds since 1970.</param>
    /// <returns>False when that must be waited for: pages are on their way to the device, or others use the shards that
    /// have some.</returns>
    /// <exception cref="IOException">None may go, as the device does not take them.</exception>
    public bool TryMake(int worker, long nowMs)
    {
        var tier = _server.Shards.Tier;
        var endings = tier?.Endings ?? 0;
        var hasAskedAll = true;
        for (var refusals = 0; Budget.IsBehind || (Budget.IsOver && refusals < _server.Shards.Count);)
        {
            if (Budget.IsBehind)
            {
                if (!TryCatchUp(worker))
                {
                    return false; // To give up more would free nothing sooner.
                }
            }
            else if (TryTakeNext(worker, out var shard))
            {
                refusals = TryGiveUp(shard, worker, nowMs) ? 0 : refusals + 1;
            }
            else
            {
                hasAskedAll = false;
                refusals++;
            }
        }

        return !Budget.IsFarOver || tier == null || (hasAskedAll && tier.Endings == endings && MustGoOn(tier));
    }

    /// <summary>Frees what was given up until little enough of it is left.</summary>
    /// <returns>False when that must be waited for.</returns>
    private bool TryCatchUp(int worker)
    {
        for (var idle = 0; Budget.IsBehind && idle < _server.Shards.Count;)
        {
            idle = TryTakeNext(worker, out var shard) && TryFree(shard, worker) ? 0 : idle + 1;
        }

        return !Budget.IsBehind;
    }

    /// <summary>Takes the turn at the next shard.</summary>
    private bool TryTakeNext(int worker, out Shard shard)
    {
        ref var last = ref _last[worker];
        last = (last + 1) % _server.Shards.Count;
        shard = _server.Shards[last];
        return _turns.TryUse(shard);
    }

    private bool TryGiveUp(Shard shard, int worker, long nowMs)
    {
        try
        {
            return shard.TryGiveUp(worker, nowMs);
        }
        finally
        {
            _turns.EndUse(shard);
        }
    }

    private bool TryFree(Shard shard, int worker)
    {
        try
        {
            return shard.TryFree(worker);
        }
        finally
        {
            _turns.EndUse(shard);
        }
    }

    /// <summary>Whether to load beyond all limits, as nothing may go: what is left is no data, as the index.</summary>
    private bool MustGoOn(Tier tier)
    {
        if (tier.Failure is var errno && errno != 0)
        {
            throw new IOException(
                $"the data does not fit into 'maxmemory', and the disk does not take it ("
                + $"{Marshal.GetPInvokeErrorMessage(errno)})");
        }

        if (tier.IsLettingGo)
        {
            return false;
        }

        if (Interlocked.Exchange(ref _isFarOverTold, 1) == 0)
        {
            _server.Log.LoadingBeyondLimit(Budget.UsedBytes, Budget.LimitBytes);
        }

        return true;
    }
}
