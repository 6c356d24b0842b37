namespace Strata.Server.Commands.Geo;

/// <summary>How far a shape reaches at most, each way from its middle, degrees: what lies beyond is not in it, and that
/// is told without trigonometry.</summary>
internal readonly struct GeoReach
{
    // Much more than what rounding does to a distance, and much less than what matters to the work.
    private const double Margin = 1e-9;

    // Nearer to a pole a short way may lead round it.
    private const double EndOfMeridians = 89;

    private readonly GeoPoint _middle;
    private readonly double _up;
    private readonly double _aside;

    private GeoReach(GeoPoint middle, double up, double aside)
    {
        _middle = middle;
        _up = up;
        _aside = aside;
    }

    /// <summary>That of a shape.</summary>
    public static GeoReach Of(in GeoShape shape)
    {
        var up = WithMargin(GeoPoint.Degrees(shape.Unit * (shape.IsBox ? shape.Height / 2 : shape.Radius)));
        var aside = GeoPoint.Degrees(shape.Unit * (shape.IsBox ? shape.Width / 2 : shape.Radius));

        // A way of this length that begins within the shape stays below this latitude, above which degrees of longitude
        // are shorter.
        var highest = Math.Abs(shape.Centre.Latitude) + up + aside;
        return new(
            shape.Centre,
            up,
            highest < EndOfMeridians
                ? WithMargin(GeoPoint.DegreesAt(GeoPoint.Metres(aside), highest))
                : double.PositiveInfinity);
    }

    /// <summary>Whether a place is not in the shape. If not, it may be in it.</summary>
    public bool Excludes(GeoPoint place)
    {
        var aside = Math.Abs(place.Longitude - _middle.Longitude);
        return Math.Abs(place.Latitude - _middle.Latitude) > _up
            || (aside > _aside && aside < (2 * GeoPoint.MaxLongitude) - _aside);
    }

    private static double WithMargin(double degrees) => (degrees * (1 + Margin)) + Margin;
}
