namespace Strata.Server.Commands.SortedSets;

/// <summary>How popped elements are answered.</summary>
internal enum PopShape
{
    /// <summary>Members and scores in turn.</summary>
    Flat,

    /// <summary>Pairs of member and score.</summary>
    Pairs,

    /// <summary>The key, then members and scores in turn (BZPOPMIN).</summary>
    KeyAndFlat,

    /// <summary>The key and an array of pairs (ZMPOP).</summary>
    KeyAndPairs,
}
