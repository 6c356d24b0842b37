namespace Strata.Storage.Collections.SortedSets;

/// <summary>A place in the order of (score, member): the elements before it are those it is above of. A structure, so
/// that searches are compiled for each kind of bound.</summary>
internal unsafe interface IScoreBound
{
    /// <summary>Whether an element lies before the bound.</summary>
    bool IsAbove(double score, byte* block);
}
