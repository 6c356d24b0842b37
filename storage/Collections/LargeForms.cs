using Strata.Storage.Collections.Hashes;
using Strata.Storage.Collections.Lists;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Log;

namespace Strata.Storage.Collections;

/// <summary>The large form of each type that has one.</summary>
internal static class LargeForms
{
    private static readonly SetForm s_sets = new();

    /// <summary>The form of a type.</summary>
    public static ILargeForm Of(RecordType type) => type switch
    {
        RecordType.List => ListForm.Instance,
        RecordType.SortedSet => SortedSetForm.Instance,
        RecordType.Set => s_sets,
        RecordType.Hash => HashForm.Instance,
        _ => throw new InvalidOperationException($"records of type {type} have no large form"),
    };
}
