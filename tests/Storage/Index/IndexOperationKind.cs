namespace Strata.Tests.Storage.Index;

/// <summary>What a step of the index's model test does.</summary>
internal enum IndexOperationKind
{
    Insert,
    Remove,
    Shrink,
}
