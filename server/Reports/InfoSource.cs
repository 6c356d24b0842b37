using Strata.Server.Clients;
using Strata.Server.Diagnostics;
using Strata.Server.Runtime;

namespace Strata.Server.Reports;

/// <summary>What the sections of one INFO are made from, read once so that they agree with each other.</summary>
/// <param name="Services">The server.</param>
/// <param name="Totals">The counters of all workers and shards.</param>
/// <param name="Memory">Memory, by what holds it.</param>
public sealed record InfoSource(ServerServices Services, ServerTotals Totals, MemoryOverview Memory)
{
    /// <summary>Data and configuration.</summary>
    public ServerContext Server => Services.Context;

    /// <summary>Reads the numbers now.</summary>
    public static InfoSource Of(ServerServices services)
        => new(services, services.Diagnostics.Totals(), MemoryOverview.Of(services));
}
