namespace Strata.Server.Commands.Geo;

/// <summary>In which order members are given.</summary>
internal enum GeoOrder
{
    /// <summary>As they were found.</summary>
    None,

    /// <summary>The nearest first.</summary>
    Ascending,

    /// <summary>The farthest first.</summary>
    Descending,
}
