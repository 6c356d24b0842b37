namespace Strata.Storage.Memory;

/// <summary>What one owner has charged to a budget: follows what it holds. Not to be copied.</summary>
public struct MemoryCharge
{
    private readonly MemoryBudget? _budget;

    /// <summary>Nothing yet.</summary>
    /// <param name="budget">What is charged; null where nothing is.</param>
    public MemoryCharge(MemoryBudget? budget)
    {
        _budget = budget;
    }

    /// <summary>Bytes charged.</summary>
    public long Bytes { get; private set; }

    /// <summary>Charges <paramref name="bytes"/> in place of what was charged.</summary>
    public void Set(long bytes)
    {
        if (bytes != Bytes)
        {
            _budget?.Charge(bytes - Bytes);
            Bytes = bytes;
        }
    }

    /// <summary>Charges so much less: it was managed memory, and goes when it is collected.</summary>
    public void LeaveToCollector(long bytes)
    {
        _budget?.LeaveToCollector(bytes);
        Bytes -= bytes;
    }
}
