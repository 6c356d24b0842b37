namespace Strata.Server.Options.Inert;

/// <summary>What it means that a word has no effect, the worst first.</summary>
public enum InertRank
{
    /// <summary>Data that its owner thinks is kept, copied or reachable will not be.</summary>
    DataLoss,

    /// <summary>The server is more open than its owner thinks.</summary>
    Security,

    /// <summary>Clients get the same answers; at most times, memory or reports are others.</summary>
    Harmless,
}
