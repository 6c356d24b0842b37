namespace Strata.Tests.Storage.Sharding;

/// <summary>What a step of the shard's model test does.</summary>
internal enum ShardOperationKind
{
    Look,
    Put,
    Resize,

    /// <summary>Some bytes more.</summary>
    Grow,

    Remove,
    SetExpiry,

    /// <summary>Time goes on.</summary>
    Pass,

    /// <summary>The shard's work in the background.</summary>
    RunCycle,

    ClearDatabase,
    Clear,
}
