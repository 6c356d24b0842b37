using System.Collections.Concurrent;
using Strata.Storage.Memory;

namespace Strata.Storage.Tiering;

/// <summary>
/// How much memory the records may hold that commands have read from the device, those of all workers together: a part
/// of the memory limit. A set takes what all its reads may need before they begin, waits in order where that is not to
/// be had, holding nothing, and gives it back when its commands are done; so none waits for another that waits. When
/// nothing is taken, whoever comes first gets what it needs, however much. Any thread.
/// </summary>
internal sealed class ColdReadRoom
{
    private readonly ConcurrentQueue<ColdReadSet> _queue = new();
    private int _waiting;
    private int _calls;
    private long _takenBytes;

    /// <summary>Bytes that are taken.</summary>
    public long TakenBytes => Volatile.Read(ref _takenBytes);

    /// <summary>Sets that wait.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>What may be taken at a time, bytes, where a tier says nothing else.</summary>
    public static long MostBytes(MemoryBudget budget)
        => budget.LimitBytes == 0
            ? long.MaxValue
            : Math.Max(budget.LimitBytes / Limits.ColdReadShare, Limits.ColdPartBytes);

    /// <summary>Takes memory for reads if they need not wait.</summary>
    public bool TryTake(long bytes, ColdReadSet set) => Waiting == 0 && TryAdd(bytes, set);

    /// <summary>Notes that what reads have brought is more, or less, than was taken for them.</summary>
    public void Correct(long bytes)
    {
        if (bytes < 0)
        {
            Release(-bytes);
        }
        else if (bytes > 0)
        {
            Interlocked.Add(ref _takenBytes, bytes);
        }
    }

    /// <summary>Gives memory back, with which those that wait go on.</summary>
    public void Release(long bytes)
    {
        if (bytes == 0)
        {
            return;
        }

        // A full fence: either this sees the set that came to wait, or that one sees what is free now.
        var left = Interlocked.Add(ref _takenBytes, -bytes);
        Invariant.Check(left >= 0, "cold records give back what was taken for them");
        if (Waiting > 0)
        {
            Serve();
        }
    }

    /// <summary>Lets a set wait, which is told by <see cref="ColdReadSet.OnGranted"/>; perhaps at once.</summary>
    public void Wait(ColdReadSet set)
    {
        _queue.Enqueue(set);
        Interlocked.Increment(ref _waiting);
        Serve();
    }

    /// <summary>Lets those go on for whom there is room, in order. One thread does so at a time; who comes meanwhile
    /// has it look again.</summary>
    private void Serve()
    {
        if (Interlocked.Increment(ref _calls) != 1)
        {
            return;
        }

        int seen;
        do
        {
            seen = Volatile.Read(ref _calls);
            while (_queue.TryPeek(out var set) && TryAdd(set.WantedBytes, set))
            {
                _ = _queue.TryDequeue(out _);
                Interlocked.Decrement(ref _waiting);
                set.OnGranted();
            }
        }
        while (Interlocked.Add(ref _calls, -seen) != 0);
    }

    private bool TryAdd(long bytes, ColdReadSet set)
    {
        var taken = TakenBytes;
        while (taken == 0 || HasRoom(bytes, taken, set.Worker))
        {
            var seen = Interlocked.CompareExchange(ref _takenBytes, taken + bytes, taken);
            if (seen == taken)
            {
                return true;
            }

            taken = seen;
        }

        return false;
    }

    /// <summary>Whether so much more may be taken. Where memory is at its end, with what was read before and clients
    /// have not read yet, sets go one by one: what is read is answered, which takes as much again. Pages that were let
    /// go and are not free yet count, too: they can be waited for.</summary>
    private static bool HasRoom(long bytes, long taken, TierWorker worker)
    {
        var most = worker.Tier.MostColdBytes > 0 ? worker.Tier.MostColdBytes : MostBytes(worker.Budget);
        return bytes <= most - taken && !worker.Budget.WouldPassEnd((2 * bytes) + worker.Budget.RetiredBytes);
    }
}
