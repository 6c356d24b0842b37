using Strata.Storage.Memory;

namespace Strata.Server.Hosting;

/// <summary>Tells the budget, after each garbage collection, what the collector holds: there is no notification for
/// every collection, but a finalizer runs after the first one that its object has not outlived.</summary>
internal sealed class CollectorWatch
{
    private readonly MemoryBudget _budget;

    private CollectorWatch(MemoryBudget budget)
    {
        _budget = budget;
    }

    ~CollectorWatch()
    {
        _budget.NoteManaged(GC.GetGCMemoryInfo(GCKind.Any).TotalCommittedBytes);
        Follow(_budget);
    }

    /// <summary>Has the budget told from now on, to the end of the process.</summary>
    public static void Follow(MemoryBudget budget) => _ = new CollectorWatch(budget);
}
