namespace Strata.Tests.Simulation;

/// <summary>Makes a plan that fails smaller as long as it still fails: fewer faults, workers, clients, batches and
/// requests, one after the other until nothing more can go.</summary>
internal static class SimulationShrinker
{
    /// <summary>The smallest plan found.</summary>
    /// <param name="plan">One that fails.</param>
    /// <param name="fails">Whether a plan fails.</param>
    /// <param name="mostRuns">How many plans are tried.</param>
    public static SimulationPlan Shrink(SimulationPlan plan, Predicate<SimulationPlan> fails, int mostRuns = 300)
    {
        var runs = 0;
        while (runs < mostRuns && Smaller(plan).FirstOrDefault(other => runs++ < mostRuns && fails(other)) is { } found)
        {
            plan = found;
        }

        return plan;
    }

    private static IEnumerable<SimulationPlan> Smaller(SimulationPlan plan)
    {
        foreach (var fault in Enum.GetValues<SimulationFaults>())
        {
            if (fault != SimulationFaults.None && plan.Has(fault))
            {
                yield return plan with { Faults = plan.Faults & ~fault };
            }
        }

        if (plan.HasTier)
        {
            yield return plan with { HasTier = false };
        }

        if (plan.Policy != "noeviction")
        {
            yield return plan with { Policy = "noeviction" };
        }

        if (plan.Workers > 1)
        {
            yield return plan with { Workers = plan.Workers - 1 };
        }

        for (var client = 0; client < plan.Clients.Count && plan.Clients.Count > 1; client++)
        {
            yield return plan with { Clients = Without(plan.Clients, client) };
        }

        for (var client = 0; client < plan.Clients.Count; client++)
        {
            foreach (var script in Smaller(plan.Clients[client]))
            {
                yield return plan with { Clients = With(plan.Clients, client, script) };
            }
        }
    }

    private static IEnumerable<ClientScript> Smaller(ClientScript script)
    {
        var batches = script.Batches;
        if (batches.Count > 3)
        {
            yield return script with { Batches = [.. batches.Take(batches.Count / 2)] };
            yield return script with { Batches = [.. batches.Skip(batches.Count / 2)] };
        }

        for (var i = 0; i < batches.Count && batches.Count > 1; i++)
        {
            yield return script with { Batches = Without(batches, i) };
        }

        for (var i = 0; i < batches.Count; i++)
        {
            for (var request = 0; request < batches[i].Count && batches[i].Count > 1; request++)
            {
                yield return script with { Batches = With(batches, i, Without(batches[i], request)) };
            }
        }
    }

    private static List<T> Without<T>(IReadOnlyList<T> all, int index) => [.. all.Where((_, i) => i != index)];

    private static List<T> With<T>(IReadOnlyList<T> all, int index, T other)
        => [.. all.Select((item, i) => i == index ? other : item)];
}
