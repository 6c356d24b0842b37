using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>The place in front of an element, or behind it.</summary>
/// <param name="score">The element's score.</param>
/// <param name="member">The element's member.</param>
/// <param name="isBehind">Whether the element itself lies before the bound.</param>
internal readonly ref struct ElementBound(double score, ReadOnlySpan<byte> member, bool isBehind) : IScoreBound
{
    private readonly double _score = score;
    private readonly ReadOnlySpan<byte> _member = member;
    private readonly bool _isBehind = isBehind;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool IsAbove(double score, byte* block)
        => score < _score || (score == _score && IsMemberBefore(block));

    private unsafe bool IsMemberBefore(byte* block)
    {
        var order = ScoredElement.MemberOf(block).SequenceCompareTo(_member);
        return order < 0 || (_isBehind && order == 0);
    }
}
