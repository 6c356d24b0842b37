namespace Strata.Server.Commands.SortedSets;

/// <summary>How several sets become one.</summary>
internal enum AlgebraOperation
{
    Union,
    Intersection,
    Difference,
}
