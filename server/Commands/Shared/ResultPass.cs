using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Leases;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Shared;

/// <summary>A pass whose result is a collection, which lies in the shard of the key that it is for, and which no key
/// has before it is whole. If it comes to no end, what there is of it is given up under that shard's lease, by whoever
/// has that.</summary>
internal abstract class ResultPass : KeyPass
{
    private readonly Worker _owner;
    private Shard? _shard;

    private protected ResultPass(CommandContext context, Shard shard)
        : base(context)
    {
        _owner = context.Session.Worker.Worker;
        _shard = shard;
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        base.Dispose();
        if (_shard is not { } shard)
        {
            return;
        }

        _shard = null;
        if (shard.Lease.IsShared)
        {
            shard.Lease.Queue(new Abandonment(this));
        }
        else
        {
            Abandon(); // Whoever has taken the lease is at work on this thread.
            Free();
        }
    }

    /// <summary>Gives up, before the command has come to its end, what no key has and no key is to have. The lease is
    /// held.</summary>
    private protected void AbandonNow()
    {
        if (_shard != null)
        {
            _shard = null;
            Abandon();
            Free();
        }
    }

    /// <summary>Gives up what no key has; the lease is held.</summary>
    private protected abstract void Abandon();

    /// <summary>Gives back what lies in no shard.</summary>
    private protected virtual void Free()
    {
    }

    private sealed class Abandonment(ResultPass pass) : ShardWork
    {
        /// <inheritdoc/>
        public override Worker Owner => pass._owner;

        /// <inheritdoc/>
        public override void Execute() => pass.Abandon();

        /// <inheritdoc/>
        public override void Run(Worker worker) => pass.Free();
    }
}
