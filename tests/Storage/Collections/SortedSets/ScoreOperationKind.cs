namespace Strata.Tests.Storage.Collections.SortedSets;

/// <summary>What a step of the tree's model test does.</summary>
internal enum ScoreOperationKind
{
    Insert,
    InsertFirst,
    InsertLast,
    Remove,
    RemoveFirst,
    RemoveLast,

    /// <summary>Another score for an element.</summary>
    ChangeScore,

    /// <summary>A score close to the present one.</summary>
    Nudge,
}
