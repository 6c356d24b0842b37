using Strata.Storage.Memory;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>A sorted set that members are looked for in, and given scores.</summary>
public interface IScoredElements
{
    /// <summary>Looks for a member, for what is to be done with it next.</summary>
    bool TryFind(ReadOnlySpan<byte> member, out double score);

    /// <summary>Gives the member that was just found another score.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    void SetScore(double score);

    /// <summary>Adds a member that was just not found.</summary>
    /// <exception cref="MemoryExhaustedException">Nothing was changed.</exception>
    void Insert(ReadOnlySpan<byte> member, double score);
}
