namespace Strata.Server.Commands.SortedSets;

/// <summary>The words that a command of several sorted sets knows.</summary>
[Flags]
internal enum AlgebraWords
{
    None = 0,

    /// <summary>WEIGHTS and AGGREGATE.</summary>
    Weights = 1,

    /// <summary>WITHSCORES.</summary>
    Scores = 2,

    /// <summary>LIMIT.</summary>
    Limit = 4,
}
