namespace Strata.Server.Commands.Geo;

/// <summary>The corners of what a shape reaches to at most: whether a place lies beyond, and so not in the shape,
/// follows from the bits of its cell.</summary>
internal readonly struct GeoReach
{
    // Of a length, much more than what rounding does to a distance, and much less than what matters to the work.
    private const double Margin = 1e-9;

    // Some cells of the smallest size, in degrees.
    private const double MarginDegrees = 2e-5;

    // Nearer to a pole a short way may lead round it.
    private const double EndOfMeridians = 89;

    private readonly GeoCell _southWest;
    private readonly GeoCell _northEast;

    private GeoReach(GeoPoint southWest, GeoPoint northEast)
    {
        _southWest = GeoCell.Of(southWest, GeoCell.MaxSteps, GeoArea.Map);
        _northEast = GeoCell.Of(northEast, GeoCell.MaxSteps, GeoArea.Map);
    }

    /// <summary>That of a shape.</summary>
    public static GeoReach Of(in GeoShape shape)
    {
        var up = WithMargin(GeoPoint.Degrees(shape.HalfHeight));
        var width = GeoPoint.Degrees(shape.HalfWidth);
        var south = Math.Max(shape.Centre.Latitude - up, -GeoPoint.MaxLatitude);
        var north = Math.Min(shape.Centre.Latitude + up, GeoPoint.MaxLatitude);

        // A way of this length that begins within the shape stays below this latitude, above which degrees of longitude
        // are shorter.
        var highest = Math.Abs(shape.Centre.Latitude) + up + width;
        if (highest < EndOfMeridians)
        {
            var aside = WithMargin(GeoPoint.DegreesAt(GeoPoint.Metres(width), highest));
            var (west, east) = (shape.Centre.Longitude - aside, shape.Centre.Longitude + aside);
            if (west >= -GeoPoint.MaxLongitude && east <= GeoPoint.MaxLongitude)
            {
                return new(new(west, south), new(east, north));
            }
        }

        return new(new(-GeoPoint.MaxLongitude, south), new(GeoPoint.MaxLongitude, north));
    }

    /// <summary>Whether a place is not in the shape. If not, it may be in it.</summary>
    /// <param name="cell">The place's cell.</param>
    public bool Excludes(GeoCell cell)
        => cell.LatitudePart < _southWest.LatitudePart || cell.LatitudePart > _northEast.LatitudePart
            || cell.LongitudePart < _southWest.LongitudePart || cell.LongitudePart > _northEast.LongitudePart;

    private static double WithMargin(double degrees) => (degrees * (1 + Margin)) + MarginDegrees;
}
