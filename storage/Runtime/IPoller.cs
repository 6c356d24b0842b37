namespace Strata.Storage.Runtime;

/// <summary>
/// Where a worker waits: descriptors with their handlers, and a way to wake it. Belongs to the worker's thread but for
/// <see cref="Wake"/>. Masks are those of epoll(7). An event for a handler that was removed is never given, not even
/// when it came before.
/// </summary>
public interface IPoller : IDisposable
{
    /// <summary>Watches a descriptor.</summary>
    /// <returns>The slot to change or remove it by, or -1 with errno when it is refused.</returns>
    int Add(int fd, uint mask, IEventHandler handler);

    /// <summary>Changes what a descriptor is watched for.</summary>
    /// <returns>False with errno when it is refused.</returns>
    bool Modify(int slot, int fd, uint mask);

    /// <summary>Watches a descriptor no longer. Call it before the descriptor is closed.</summary>
    void Remove(int slot, int fd);

    /// <summary>Ends a wait under way, or the next one, from any thread.</summary>
    void Wake();

    /// <summary>Waits for events for at most <paramref name="timeoutMs"/>; it may end before.</summary>
    /// <returns>How many there are.</returns>
    int Wait(int timeoutMs);

    /// <summary>Runs the handlers of the first <paramref name="count"/> events of the last wait.</summary>
    void Dispatch(int count);

    /// <summary>Looks for events, without waiting, in the midst of a handler's work, and runs the handlers of those
    /// there are, but for <paramref name="executing"/>. Events of the last wait that have not had their turn yet keep
    /// it.</summary>
    /// <returns>How many there were.</returns>
    int DispatchWithin(IEventHandler executing);
}
