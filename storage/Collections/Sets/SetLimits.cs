namespace Strata.Storage.Collections.Sets;

/// <summary>Up to where a set is packed, and in which of the two ways.</summary>
/// <param name="MaxIntegers">Members of a set of integers.</param>
/// <param name="MaxMembers">Members of any other set.</param>
/// <param name="MaxMemberBytes">Bytes of a member of a set that is not of integers.</param>
public readonly record struct SetLimits(long MaxIntegers, long MaxMembers, long MaxMemberBytes)
{
    // A packed set is searched and moved as a whole; beyond this no configuration makes sense of it.
    private const int MaxPackedBytes = 1 << 29;

    /// <summary>Whether a set of integers of this many members is packed.</summary>
    public bool AllowIntegers(long count) => count <= Math.Min(MaxIntegers, MaxPackedBytes / sizeof(long));

    /// <summary>Whether a set of this many members, the longest of them <paramref name="longest"/> bytes, is packed.
    /// </summary>
    public bool AllowMembers(long count, long longest, long packedBytes)
        => count <= MaxMembers && longest <= MaxMemberBytes && packedBytes <= MaxPackedBytes;

    /// <summary>Whether a set is large that is made of this many members, whatever they are.</summary>
    public bool AreExceededBy(long count) => count > MaxMembers && !AllowIntegers(count);
}
