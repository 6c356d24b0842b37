namespace Strata.Storage.Workers;

/// <summary>Something that is handed from one thread to another. It carries its own link, so that queueing allocates
/// nothing; it can stand in one queue at a time.</summary>
public abstract class WorkItem
{
    internal WorkItem? Next;

    /// <summary>Called on the worker whose inbox the item was posted to.</summary>
    public abstract void Run(Worker worker);
}
