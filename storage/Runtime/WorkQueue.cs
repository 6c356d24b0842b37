using System.Runtime.InteropServices;

namespace Strata.Storage.Runtime;

/// <summary>A queue that any thread adds to and one thread at a time empties as a whole (Treiber's stack, IBM RJ 5118,
/// 1986, taken by exchange and turned round).</summary>
[StructLayout(LayoutKind.Sequential)]
public sealed class WorkQueue
{
    private WorkItem? _newest;

    /// <summary>Whether nothing is queued; exact for whoever just issued a full fence.</summary>
    public bool IsEmpty => Volatile.Read(ref _newest) == null;

    /// <summary>Adds an item that stands in no queue.</summary>
    /// <returns>Whether the queue was empty.</returns>
    public bool Add(WorkItem item)
    {
        var isFree = item.TryMarkQueued();
        Invariant.Check(isFree, "a work item stands in one queue at a time: a second link would cut off others");
        return Push(item);
    }

    /// <summary>Adds an item unless it stands in a queue already.</summary>
    /// <returns>Whether it was added, and the queue was empty.</returns>
    public bool AddOnce(WorkItem item) => item.TryMarkQueued() && Push(item);

    /// <summary>Takes all items: the oldest, the others follow by <see cref="WorkItem.Unlink"/>.</summary>
    public WorkItem? TakeAll()
    {
        var newest = Interlocked.Exchange(ref _newest, null);
        WorkItem? oldest = null;
        while (newest != null)
        {
            var next = newest.Next;
            newest.Next = oldest;
            oldest = newest;
            newest = next;
        }

        return oldest;
    }

    private bool Push(WorkItem item)
    {
        while (true)
        {
            var newest = Volatile.Read(ref _newest);
            item.Next = newest;
            if (Interlocked.CompareExchange(ref _newest, item, newest) == newest)
            {
                return newest == null;
            }
        }
    }
}
