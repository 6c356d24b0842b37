using Strata.Storage.Changes;
using Strata.Storage.Interests;
using Strata.Storage.Runtime;

namespace Strata.Storage.Sharding;

/// <summary>Wakes those who wait for keys, and may have them since databases were exchanged, where they are very many:
/// some in each turn of a worker, shard by shard.</summary>
public sealed class ExchangeWakes : WorkItem
{
    private readonly ShardMap _shards;
    private readonly Worker _worker;
    private readonly IChangeAuthor? _author;
    private readonly TurnFollower _follower;
    private int _shard;

    /// <summary>Begins; the leases may be held.</summary>
    /// <param name="shards">The shards.</param>
    /// <param name="worker">On whose thread it goes on, which is this one.</param>
    /// <param name="author">Who exchanged the databases.</param>
    /// <param name="follower">What goes on when all have been woken, and have had their turn.</param>
    public ExchangeWakes(ShardMap shards, Worker worker, IChangeAuthor? author, TurnFollower follower)
    {
        _shards = shards;
        _worker = worker;
        _author = author;
        _follower = follower;
        follower.OnLeftWith();
        worker.PostOnce(this);
    }

    /// <inheritdoc/>
    public override void Run(Worker worker)
    {
        if (IsDoneWith(_shards[_shard]) && ++_shard == _shards.Count)
        {
            _follower.OnGivenBack();
        }
        else
        {
            _worker.PostOnce(this);
        }
    }

    /// <summary>Makes a step, unless the lease is taken.</summary>
    private bool IsDoneWith(Shard shard)
    {
        if (shard.Lease.IsShared && !shard.Lease.TryAcquireSpinning())
        {
            return false;
        }

        var isDone = shard.Waits.WakeExchanged(Limits.ExchangedAtOnce, _author);
        if (shard.Lease.IsShared)
        {
            shard.Lease.Release();
        }

        return isDone;
    }
}
