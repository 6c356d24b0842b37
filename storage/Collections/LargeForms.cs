using Strata.Storage.Collections.Hashes;
using Strata.Storage.Log;

namespace Strata.Storage.Collections;

/// <summary>The large form of each type that has one.</summary>
internal static class LargeForms
{
    /// <summary>The form of a type.</summary>
    public static ILargeForm Of(RecordType type) => type switch
    {
        RecordType.Hash => HashForm.Instance,
        _ => throw new InvalidOperationException($"records of type {type} have no large form"),
    };
}
