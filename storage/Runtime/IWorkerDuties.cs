namespace Strata.Storage.Runtime;

/// <summary>What a worker does besides answering events.</summary>
public interface IWorkerDuties
{
    /// <summary>Called on the worker's thread at the start of every turn, before events are handled.</summary>
    void OnTurn(Worker worker);

    /// <summary>Called on the worker's thread when the events that a wait has brought were handled, and when its inbox
    /// and its tick were; likewise before and after a turn in the midst of a handler's work.</summary>
    void OnHandled(Worker worker)
    {
    }

    /// <summary>Called on the worker's thread after every turn, before it waits for events.</summary>
    /// <returns>False when there is more to do already: the wait only looks for events.</returns>
    bool OnWait(Worker worker);

    /// <summary>Called on the worker's thread about every <paramref name="elapsedMs"/> milliseconds.</summary>
    void OnTick(Worker worker, long elapsedMs);

    /// <summary>Something escaped an event handler or work item: a programmer's error.</summary>
    void OnFault(Worker worker, Exception exception);
}
