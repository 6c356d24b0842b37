namespace Strata.Server.Commands.SortedSets;

/// <summary>How the scores of a member in several sets become one.</summary>
internal enum ScoreAggregate
{
    Sum,
    Min,
    Max,
}
