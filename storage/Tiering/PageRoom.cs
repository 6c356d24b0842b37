using Strata.Storage.Memory;

namespace Strata.Storage.Tiering;

/// <summary>How much memory large pages may hold that are read back from the device as a whole, for compaction, expiry
/// and snapshots, those of all shards together: as much as what commands have read may hold. Where nothing is held one
/// page is read, however large, if memory has room for it, or never could have: the limit was higher when it was
/// written. Any thread.</summary>
internal sealed class PageRoom
{
    private long _takenBytes;

    /// <summary>Takes memory for a page, which counts if it is large.</summary>
    /// <returns>False while others must be done with first, or some of what is in memory.</returns>
    public bool TryTake(long bytes, MemoryBudget budget)
    {
        if (bytes <= Limits.FreePageReadBytes)
        {
            return true;
        }

        if (!budget.HasRoomBelowEnd(bytes) && !budget.CanNeverHold(bytes))
        {
            return false;
        }

        var most = ColdReadRoom.MostBytes(budget);
        for (var taken = Volatile.Read(ref _takenBytes); taken == 0 || taken + bytes <= most;)
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

    /// <summary>Gives back what was taken.</summary>
    public void Release(long bytes)
    {
        if (bytes > Limits.FreePageReadBytes)
        {
            _ = Interlocked.Add(ref _takenBytes, -bytes);
        }
    }
}
