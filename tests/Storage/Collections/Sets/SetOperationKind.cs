namespace Strata.Tests.Storage.Collections.Sets;

/// <summary>What a step of the sets' model test does.</summary>
internal enum SetOperationKind
{
    Contains,
    Add,
    Remove,
    Draw,
    Delete,
    StoreUnion,
}
