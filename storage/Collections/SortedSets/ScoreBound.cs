using System.Runtime.CompilerServices;

namespace Strata.Storage.Collections.SortedSets;

/// <summary>The place in front of all elements with a score, or behind them.</summary>
/// <param name="score">The score.</param>
/// <param name="isBehind">Whether elements with that score lie before the bound.</param>
internal readonly struct ScoreBound(double score, bool isBehind) : IScoreBound
{
    private readonly double _score = score;
    private readonly bool _isBehind = isBehind;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public unsafe bool IsAbove(double score, byte* block) => score < _score || (_isBehind && score == _score);
}
