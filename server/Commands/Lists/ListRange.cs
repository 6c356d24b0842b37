namespace Strata.Server.Commands.Lists;

/// <summary>A range of positions as LRANGE and LTRIM take it: negative ones count from the end, and what lies outside
/// the list is cut off.</summary>
internal readonly struct ListRange
{
    /// <summary>The part of <paramref name="count"/> elements from <paramref name="start"/> to <paramref name="stop"/>,
    /// both included.</summary>
    public ListRange(long start, long stop, long count)
    {
        var first = Math.Max(start < 0 ? start + count : start, 0);
        var last = Math.Min(stop < 0 ? stop + count : stop, count - 1);
        First = first;
        Count = first > last ? 0 : last - first + 1;
    }

    /// <summary>The first position, if there are any.</summary>
    public long First { get; }

    /// <summary>Number of positions.</summary>
    public long Count { get; }
}
