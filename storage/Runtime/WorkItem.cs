namespace Strata.Storage.Runtime;

/// <summary>Something that is handed from one thread to another. It carries its own link, so that queueing allocates
/// nothing; it can stand in one queue at a time.</summary>
public abstract class WorkItem
{
    private int _isQueued;

    internal WorkItem? Next { get; set; }

    /// <summary>Called on the worker whose inbox the item was posted to.</summary>
    public abstract void Run(Worker worker);

    /// <summary>Whether the item may be run in the midst of another handler's work (<see cref="Worker.TurnWithin"/>):
    /// it neither touches what that one uses, nor a shard.</summary>
    /// <param name="executing">Whose work it is.</param>
    public virtual bool MayRunWithin(IEventHandler executing) => false;

    /// <summary>Takes the item for a queue.</summary>
    /// <returns>False when it stands in one already.</returns>
    internal bool TryMarkQueued() => Interlocked.Exchange(ref _isQueued, 1) == 0;

    /// <summary>Takes the item from the others that were taken from a queue. From here on it can be queued again; the
    /// fence makes whoever finds it still queued sure that it looks at what they did before.</summary>
    /// <returns>The others.</returns>
    internal WorkItem? Unlink()
    {
        var next = Next;
        Next = null;
        _ = Interlocked.Exchange(ref _isQueued, 0);
        return next;
    }
}
