using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;

namespace Strata.Server.Commands.SortedSets;

/// <summary>One of the sets that ZUNION and its like take: a sorted set, or nothing.</summary>
/// <param name="Set">The set.</param>
/// <param name="Count">Its members; 0 where there is no set.</param>
/// <param name="Position">Its place among the keys.</param>
internal readonly record struct ScoredSource(SortedSetReader Set, long Count, int Position) : IComparable<ScoredSource>
{
    /// <summary>What its scores are multiplied by.</summary>
    public double Weight { get; init; } = 1;

    /// <summary>Looks a key up; answers the error when it is no set.</summary>
    public static bool TryOpen(CommandContext context, in Key key, int position, out ScoredSource source)
    {
        source = new ScoredSource(default, 0, position);
        switch (SortedSetAccess.Read(context, key, out var set))
        {
            case Lookup.WrongType:
                return false;
            case Lookup.Found:
                source = new ScoredSource(set, set.Count, position);
                break;
        }

        return true;
    }

    /// <summary>Finds a member's score, without its weight.</summary>
    public bool TryGetScore(ReadOnlySpan<byte> member, out double score)
    {
        score = 0;
        return Count > 0 && Set.TryGetScore(member, out score);
    }

    /// <summary>Goes over the elements.</summary>
    public SortedSetCursor Walk() => Count > 0 ? Set.Walk(Set.All) : default;

    /// <summary>The smaller set comes first, of two alike the one that was named first.</summary>
    public int CompareTo(ScoredSource other)
    {
        var order = Count.CompareTo(other.Count);
        return order != 0 ? order : Position.CompareTo(other.Position);
    }
}
