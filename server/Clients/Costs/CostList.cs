namespace Strata.Server.Clients.Costs;

/// <summary>What the clients of all workers cost, by who they are; who has taken most time comes first. Made where
/// somebody asks, on any thread.</summary>
internal sealed class CostList
{
    private readonly List<CostSum> _sums = [];

    /// <summary>Adds up what there is.</summary>
    /// <param name="workers">What the workers have noted.</param>
    /// <param name="grouping">By what it is put together.</param>
    public CostList(IEnumerable<WorkerCosts> workers, CostGrouping grouping)
    {
        var groups = new Dictionary<CostOwner, CostSum>();
        foreach (var worker in workers)
        {
            foreach (var cost in worker.Owners)
            {
                var key = KeyOf(cost.Owner, grouping);
                if (!groups.TryGetValue(key, out var sum))
                {
                    sum = new CostSum();
                    groups.Add(key, sum);
                    _sums.Add(sum);
                }

                sum.Add(cost);
                Microseconds += cost.Ticks * 1e6 / System.Diagnostics.Stopwatch.Frequency;
            }

            Others.Add(worker.Others);
            Microseconds += worker.Others.Ticks * 1e6 / System.Diagnostics.Stopwatch.Frequency;
        }

        _sums.Sort(static (a, b) => b.Microseconds.CompareTo(a.Microseconds));
    }

    /// <summary>What those cost who have something in common.</summary>
    public IReadOnlyList<CostSum> Sums => _sums;

    /// <summary>What those cost that are not kept apart.</summary>
    public CostSum Others { get; } = new();

    /// <summary>What all took, in microseconds.</summary>
    public double Microseconds { get; }

    private static CostOwner KeyOf(in CostOwner owner, CostGrouping grouping)
        => grouping switch
        {
            CostGrouping.Name => new CostOwner(owner.Name, owner.Library, "", ""),
            CostGrouping.Address => new CostOwner("", "", owner.Address, ""),
            CostGrouping.User => new CostOwner("", "", "", owner.User),
            _ => owner,
        };
}
