namespace Strata.Tests.Storage.Collections;

/// <summary>What a step of the table's model test does.</summary>
internal enum TableOperationKind
{
    Find,
    Set,
    Remove,
}
