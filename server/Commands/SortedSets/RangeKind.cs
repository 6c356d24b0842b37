namespace Strata.Server.Commands.SortedSets;

/// <summary>What the two ends of a range of a sorted set are.</summary>
internal enum RangeKind
{
    Index,
    Score,
    Member,
}
