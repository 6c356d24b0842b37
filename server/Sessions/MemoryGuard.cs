using Strata.Storage.Sharding;

namespace Strata.Server.Sessions;

/// <summary>Brings the server's memory back under <c>maxmemory</c> before a command that needs some: asks the shards in
/// turn to evict. Called while no lease is held.</summary>
internal sealed class MemoryGuard
{
    private readonly ShardMap _shards;
    private readonly int _worker;
    private int _next;

    public MemoryGuard(ShardMap shards, int worker)
    {
        _shards = shards;
        _worker = worker;
        _next = worker;
    }

    /// <summary>Evicts until the budget holds.</summary>
    /// <returns>False when no shard has anything left that the policy lets go.</returns>
    public bool TryMakeRoom(long nowMs)
    {
        var isBusy = false;
        for (var i = 0; i < _shards.Count && _shards.Budget.IsOver; i++)
        {
            _next = (_next + 1) % _shards.Count;
            var shard = _shards[_next];
            if (shard.Lease.TryAcquire())
            {
                var holds = shard.TryMakeRoom(_worker, nowMs);
                shard.Lease.Release(shard);
                if (holds)
                {
                    return true;
                }
            }
            else
            {
                isBusy = true; // Its holder makes room in it when it is done.
            }
        }

        return isBusy || !_shards.Budget.IsOver;
    }
}
