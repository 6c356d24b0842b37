using System.Collections.Concurrent;
using Strata.Storage.Memory;

namespace Strata.Storage.Tiering;

/// <summary>
/// How much memory the records may hold that commands have read from the device, those of all workers together: a part
/// of the memory limit, or what one set needs. A set takes what all its reads may need before they begin, waits in
/// order where that is not to be had, holding nothing, and gives it back when its commands are done; so none waits for
/// another that waits. What the end of memory leaves no room for is waited for, too: clients may read what they were
/// sent, and pages leave memory. After a while in which nothing came of that it is refused. Any thread.
/// </summary>
internal sealed class ColdReadRoom
{
    private readonly ConcurrentQueue<ColdRoomShare> _queue = new();
    private int _waiting;
    private int _calls;
    private long _takenBytes;
    private long _nowMs;
    private long _movedMs;
    private long _usedBytes;

    /// <summary>Bytes that are taken.</summary>
    public long TakenBytes => Volatile.Read(ref _takenBytes);

    /// <summary>Sets that wait.</summary>
    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>What may be taken at a time, bytes, where a tier says nothing else.</summary>
    public static long MostBytes(MemoryBudget budget)
        => budget.LimitBytes == 0
            ? long.MaxValue
            : Math.Max(budget.LimitBytes / Limits.ColdReadShare, Limits.ColdPartBytes);

    /// <summary>What the records of one command may hold that needs several at the same moment, bytes.</summary>
    public static long MostBytesOfCommand(MemoryBudget budget)
        => budget.LimitBytes == 0 ? long.MaxValue : Math.Max(budget.LimitBytes, Limits.LeastColdCommandBytes);

    /// <summary>Takes memory for reads if they need not wait. A set that needs a little beside what it has does not
    /// wait behind others, who cannot go on before it: it would give up thousands of records for some that have left
    /// memory meanwhile, and so would the next when it had its own, without end.</summary>
    /// <param name="bytes">What they may need, bytes.</param>
    /// <param name="certainBytes">What of it they need for certain, and is not charged yet.</param>
    /// <param name="heldBytes">What the set has taken by now.</param>
    /// <param name="worker">Whose they are.</param>
    public bool TryTake(long bytes, long certainBytes, long heldBytes, TierWorker worker)
        => bytes <= heldBytes / Limits.ColdMoreShare
            ? TryAdd(bytes, certainBytes, heldBytes, worker)
            : Waiting == 0 && TryAdd(bytes, certainBytes, heldBytes: 0, worker);

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

    /// <summary>Lets a set wait, which is told by <see cref="ColdRoomShare.EndWait"/>; perhaps at once.</summary>
    public void Wait(ColdRoomShare share)
    {
        Volatile.Write(ref _nowMs, share.SinceMs);
        _queue.Enqueue(share);
        Interlocked.Increment(ref _waiting);
        Serve();
    }

    /// <summary>Looks whether there is room now at the end of memory, of which nobody tells; to be called again and
    /// again by a worker of which a set waits. No lease may be held.</summary>
    /// <param name="worker">The worker, which lets go of pages for the first that waits.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public void Retry(TierWorker worker, long nowMs)
    {
        if (_queue.TryPeek(out var first))
        {
            var neededBytes = first.CertainBytes + (TakenBytes == 0 ? 0 : first.WantedBytes);
            if (!FitsBelowEnd(neededBytes, worker.Budget))
            {
                worker.LetGo(neededBytes);
            }
        }

        Volatile.Write(ref _nowMs, nowMs);
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
            while (_queue.TryPeek(out var share) && TryEnd(share))
            {
                // The next one.
            }
        }
        while (Interlocked.Add(ref _calls, -seen) != 0);
    }

    private bool TryEnd(ColdRoomShare share)
    {
        var isGranted = !share.IsGivenUp && TryAdd(share.WantedBytes, share.CertainBytes, heldBytes: 0, share.Worker);
        if (!isGranted && !share.IsGivenUp && !HasWaitedInVain(share))
        {
            return false;
        }

        if (isGranted)
        {
            _movedMs = Volatile.Read(ref _nowMs);
        }

        _ = _queue.TryDequeue(out _);
        Interlocked.Decrement(ref _waiting);
        share.EndWait(isGranted);
        return true;
    }

    /// <summary>Whether nothing came of waiting for a while: nobody else holds anything, who could give it back, and
    /// memory has not become free either; or only for others to take, for much longer.</summary>
    private bool HasWaitedInVain(ColdRoomShare share)
    {
        var nowMs = Volatile.Read(ref _nowMs);
        var usedBytes = share.Worker.Budget.UsedBytes;
        if (TakenBytes != 0 || usedBytes < _usedBytes)
        {
            _movedMs = nowMs;
        }

        _usedBytes = usedBytes;
        var waitedMs = Math.Abs(nowMs - share.SinceMs);
        return TakenBytes == 0 && waitedMs >= Limits.ColdRoomPatienceMs
            && (Math.Abs(nowMs - _movedMs) >= Limits.ColdRoomPatienceMs
                || waitedMs >= Limits.ColdRoomPatienceMs * Limits.ColdRoomPatienceShare);
    }

    private bool TryAdd(long bytes, long certainBytes, long heldBytes, TierWorker worker)
    {
        var taken = TakenBytes;
        while (HasRoom(bytes, certainBytes, heldBytes, taken, worker))
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

    /// <summary>Whether so much more may be taken. Alone a set may take anything of which what is certain fits below
    /// the end of memory, and a little in any case. Beside others what is read must find room for its reply as well,
    /// which takes as much again: else many would hold what they have read while they wait for that. Who has most of
    /// what it needs (<paramref name="heldBytes"/>) may pass what all together are to have.</summary>
    private static bool HasRoom(long bytes, long certainBytes, long heldBytes, long taken, TierWorker worker)
    {
        var budget = worker.Budget;
        if (taken == heldBytes)
        {
            return bytes <= Limits.FreeColdBytes || FitsBelowEnd(certainBytes, budget);
        }

        var most = worker.Tier.MostColdBytes > 0 ? worker.Tier.MostColdBytes : MostBytes(budget);
        return (heldBytes > 0 || bytes <= most - taken) && FitsBelowEnd(bytes + certainBytes, budget);
    }

    /// <summary>Whether there is memory for so much. Pages that were let go and are not free yet count, too: they can
    /// be waited for.</summary>
    private static bool FitsBelowEnd(long bytes, MemoryBudget budget)
        => !budget.WouldPassEndNow(bytes);
}
