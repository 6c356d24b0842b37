using Strata.Server.Clients;
using Strata.Server.Diagnostics;
using Strata.Server.Runtime;

namespace Strata.Server.Metrics;

/// <summary>What metrics, and the sections of INFO, are read from, added up once so that they agree with each other.
/// </summary>
/// <param name="Services">The server.</param>
/// <param name="Totals">The counters of all workers and shards.</param>
/// <param name="Memory">Memory, by what holds it.</param>
public sealed record MetricSource(ServerServices Services, ServerTotals Totals, MemoryOverview Memory)
{
    private IReadOnlyList<DatabaseOverview>? _databases;

    /// <summary>In what turns they are read; null where nobody is held up by it.</summary>
    internal ShortTurns? Turns { get; init; }

    /// <summary>Data and configuration.</summary>
    public ServerContext Server => Services.Context;

    /// <summary>The databases that have keys, added up when somebody asks first.</summary>
    internal IReadOnlyList<DatabaseOverview> Databases => _databases ??= [.. DatabaseOverview.All(Services)];

    /// <summary>Reads the numbers now, counted since the start, whatever CONFIG RESETSTAT has done.</summary>
    /// <param name="services">The server.</param>
    /// <param name="last">Who has read them before and needs them no more, so that nothing is made anew.</param>
    public static MetricSource SinceStart(ServerServices services, MetricSource? last = null)
        => new(services, services.Diagnostics.TotalsSinceStart(last?.Totals), MemoryOverview.Of(services));

    /// <summary>Reads the numbers now.</summary>
    public static MetricSource Of(ServerServices services)
        => new(services, services.Diagnostics.Totals(), MemoryOverview.Of(services));
}
