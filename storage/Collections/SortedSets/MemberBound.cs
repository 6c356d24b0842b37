using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>The place in front of a member, or behind it, where all elements have one score.</summary>
/// <param name="limit">The member.</param>
/// <param name="isBehind">Whether the member itself lies before the bound.</param>
internal readonly ref struct MemberBound(MemberLimit limit, bool isBehind) : IScoreBound
{
    private readonly MemberLimit _limit = limit;
    private readonly bool _isBehind = isBehind;

    /// <inheritdoc/>
    public unsafe bool IsAbove(double score, byte* block) => IsAbove(block);

    /// <summary>Whether an element lies before the bound.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool IsAbove(byte* block)
    {
        var order = _limit.CompareTo(ScoredElement.MemberOf(block));
        return order > 0 || (_isBehind && order == 0);
    }
}
