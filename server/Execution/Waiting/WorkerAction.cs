using Strata.Storage.Runtime;

namespace Strata.Server.Execution.Waiting;

/// <summary>Something to be done on a certain worker's thread, for work that is rare enough to allocate.</summary>
internal sealed class WorkerAction : WorkItem
{
    private readonly ServerWorker _worker;
    private readonly Action<ServerWorker> _action;

    public WorkerAction(ServerWorker worker, Action<ServerWorker> action)
    {
        _worker = worker;
        _action = action;
    }

    /// <inheritdoc/>
    public override void Run(Worker worker) => _action(_worker);
}
