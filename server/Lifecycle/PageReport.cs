namespace Strata.Server.Lifecycle;

/// <summary>What the live page shows beside its figures, to fewer people. Each is a subcommand of STRATA, by the same
/// name.</summary>
public enum PageReport
{
    /// <summary>The keys that are used most.</summary>
    HotKeys,

    /// <summary>What memory goes by prefixes of keys.</summary>
    Prefixes,

    /// <summary>What clients have cost.</summary>
    Clients,
}
