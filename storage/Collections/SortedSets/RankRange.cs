namespace Strata.Storage.Collections.SortedSets;

/// <summary>Neighbouring elements of a sorted set.</summary>
/// <param name="First">Rank of the lowest.</param>
/// <param name="Count">How many there are; may be 0.</param>
public readonly record struct RankRange(long First, long Count)
{
    /// <summary>No elements.</summary>
    public static RankRange Empty => default;

    /// <summary>The elements from a rank to before another.</summary>
    public static RankRange Between(long first, long end) => end > first ? new RankRange(first, end - first) : Empty;

    /// <summary>What is left when some are passed over at the end one begins with, and no more than some taken.
    /// </summary>
    /// <param name="skipped">How many to pass over; negative for all.</param>
    /// <param name="most">How many to take at most; negative for all.</param>
    /// <param name="isReverse">Whether one begins with the highest.</param>
    public RankRange Limit(long skipped, long most, bool isReverse)
    {
        if (skipped < 0 || skipped >= Count)
        {
            return Empty;
        }

        var left = Count - skipped;
        var taken = most < 0 ? left : Math.Min(most, left);
        return new RankRange(isReverse ? First + left - taken : First + skipped, taken);
    }
}
