namespace Strata.Server.Commands.Sorting;

/// <summary>What an option of SORT is.</summary>
internal enum SortWord
{
    /// <summary>No option, or one that lacks arguments.</summary>
    None,
    Ascending,
    Descending,
    Alpha,
    Limit,
    By,
    Get,
    Store,
}
