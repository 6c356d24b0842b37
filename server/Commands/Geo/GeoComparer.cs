namespace Strata.Server.Commands.Geo;

/// <summary>The order of what was found, by its distance; what is equally distant stays as it was found.</summary>
/// <param name="IsDescending">Whether the farthest comes first.</param>
internal readonly record struct GeoComparer(bool IsDescending) : IComparer<GeoMatch>
{
    /// <inheritdoc/>
    public int Compare(GeoMatch x, GeoMatch y)
    {
        var order = x.Distance.CompareTo(y.Distance);
        return order == 0 ? x.Index.CompareTo(y.Index)
            : IsDescending ? -order
            : order;
    }
}
