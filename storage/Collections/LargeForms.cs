using Strata.Storage.Collections.Lists;
using Strata.Storage.Log;

namespace Strata.Storage.Collections;

/// <summary>The large form of each type that has one.</summary>
internal static class LargeForms
{
    /// <summary>The form of a type.</summary>
    public static ILargeForm Of(RecordType type) => type switch
    {
        RecordType.List => ListForm.Instance,
        _ => throw new InvalidOperationException($"records of type {type} have no large form"),
    };
}
