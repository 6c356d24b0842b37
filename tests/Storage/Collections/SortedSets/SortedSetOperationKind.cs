namespace Strata.Tests.Storage.Collections.SortedSets;

/// <summary>What a step of the sorted sets' model test does.</summary>
internal enum SortedSetOperationKind
{
    Set,
    Remove,
    RemoveRange,

    /// <summary>A large set leaves memory.</summary>
    Freeze,
}
