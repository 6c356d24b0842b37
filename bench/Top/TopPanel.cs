namespace Strata.Bench.Top;

/// <summary>What <c>strata-bench top</c> shows, in the order of the live page.</summary>
public enum TopPanel
{
    /// <summary>Operations, latencies, hits, keys, clients, network, CPU and disk over time.</summary>
    Figures,

    /// <summary>What is wrong, with the remedy.</summary>
    Findings,

    /// <summary>Memory by part.</summary>
    Memory,

    /// <summary>The commands that took most time.</summary>
    Commands,

    /// <summary>The slow log's newest.</summary>
    Slow,

    /// <summary>The keys that are used most.</summary>
    HotKeys,

    /// <summary>Memory by prefix.</summary>
    Prefixes,

    /// <summary>The largest keys.</summary>
    BigKeys,

    /// <summary>What clients have cost.</summary>
    Clients,

    /// <summary>Hits with other memory.</summary>
    Curve,

    /// <summary>Shards and their pages.</summary>
    Shards,
}
