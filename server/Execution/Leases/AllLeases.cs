using Strata.Storage.Runtime;

namespace Strata.Server.Execution.Leases;

/// <summary>Has something done while all leases are held, on a worker's thread, for work that is rare enough to
/// allocate. While a lease is taken it is tried again and again, between which others have their turn.</summary>
/// <param name="worker">The worker.</param>
/// <param name="work">What is done; brief.</param>
internal sealed class AllLeases(ExecutionWorker worker, Action work) : WorkItem
{
    /// <summary>Does it, or tries again soon. On the worker's thread.</summary>
    public void TryRun()
    {
        if (worker.Server.WorkerCount == 1)
        {
            work();
            return;
        }

        using var leases = new LeaseSet(worker.Server.Shards, worker.Services.Journal);
        leases.AddAll();
        if (leases.AcquireAll() != null)
        {
            worker.Worker.Post(this);
            return;
        }

        try
        {
            work();
        }
        finally
        {
            leases.ReleaseAll(worker.Executor, worker.Worker.NowMs);
        }
    }

    /// <inheritdoc/>
    public override void Run(Worker on) => TryRun();
}
