namespace Strata.Tests.Storage.Collections.Lists;

/// <summary>What a step of the lists' model test does.</summary>
internal enum ListOperationKind
{
    Push,
    Pop,
    Insert,
    Replace,
    Remove,
    Rotate,
    Trim,

    /// <summary>To the tier's form and back.</summary>
    Freeze,
}
