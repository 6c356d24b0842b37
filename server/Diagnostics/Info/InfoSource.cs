namespace Strata.Server.Diagnostics.Info;

/// <summary>What the sections of one INFO are made from, read once so that they agree with each other.</summary>
/// <param name="Server">The server.</param>
/// <param name="Totals">The counters of all workers and shards.</param>
/// <param name="Memory">Memory, by what holds it.</param>
public sealed record InfoSource(StrataServer Server, ServerTotals Totals, MemoryOverview Memory)
{
    /// <summary>Reads the numbers now.</summary>
    public static InfoSource Of(StrataServer server)
        => new(server, server.Diagnostics.Totals(), MemoryOverview.Of(server));
}
