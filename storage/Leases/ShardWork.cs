using Strata.Storage.Runtime;

namespace Strata.Storage.Leases;

/// <summary>Work on one shard that found its lease taken. Whoever holds the lease executes it before giving the lease
/// back; then it returns to the inbox of the worker that left it (<see cref="WorkItem.Run"/>).</summary>
public abstract class ShardWork : WorkItem
{
    /// <summary>The worker whose inbox the finished work returns to.</summary>
    public abstract Worker Owner { get; }

    /// <summary>Does the work under the lease it was left with, on any worker's thread. It must not throw: an error is
    /// a result.</summary>
    public abstract void Execute();
}
