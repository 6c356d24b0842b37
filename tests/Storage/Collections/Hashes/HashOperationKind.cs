namespace Strata.Tests.Storage.Collections.Hashes;

/// <summary>What a step of the hashes' model test does.</summary>
internal enum HashOperationKind
{
    Get,
    Set,
    Remove,

    /// <summary>Gives a field a time at which it expires.</summary>
    SetExpiry,

    /// <summary>Takes that time away.</summary>
    Persist,

    /// <summary>A large hash leaves memory.</summary>
    Freeze,

    Delete,

    /// <summary>A millisecond goes by.</summary>
    Pass,

    /// <summary>A millisecond goes by, and what has expired is deleted in the background.</summary>
    Expire,

    /// <summary>The shard's work between commands.</summary>
    Settle,
}
