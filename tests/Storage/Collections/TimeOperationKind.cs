namespace Strata.Tests.Storage.Collections;

/// <summary>What a step of the time heap's model test does.</summary>
internal enum TimeOperationKind
{
    Add,
    RemoveFirst,
    Remove,

    /// <summary>Another time for an item.</summary>
    Move,

    /// <summary>Another block for an item.</summary>
    Replace,
}
