namespace Strata.Server.Commands.Geo;

/// <summary>A place on the earth.</summary>
/// <param name="Longitude">Degrees, -180 to 180.</param>
/// <param name="Latitude">Degrees, north of the equator; not the poles.</param>
internal readonly record struct GeoPoint(double Longitude, double Latitude)
{
    public const double MaxLongitude = 180;

    /// <summary>The end of Web Mercator's map (EPSG:3857).</summary>
    public const double MaxLatitude = 85.05112878;

    /// <summary>The quadratic mean radius of the earth (WGS 84), metres.</summary>
    private const double EarthRadius = 6372797.560856;

    private const double RadiansPerDegree = Math.PI / 180;

    /// <summary>Whether it lies on the map.</summary>
    public bool IsValid
        => Longitude is >= -MaxLongitude and <= MaxLongitude && Latitude is >= -MaxLatitude and <= MaxLatitude;

    /// <summary>The place that a score in a sorted set stands for: the middle of its cell.</summary>
    public static GeoPoint OfScore(double score) => GeoCell.OfScore(score).Area().Middle;

    /// <summary>Metres along a great circle, by the haversine formula.</summary>
    public static double Distance(GeoPoint a, GeoPoint b)
    {
        var v = Math.Sin(((b.Longitude * RadiansPerDegree) - (a.Longitude * RadiansPerDegree)) / 2);
        if (v == 0)
        {
            return DistanceOfLatitudes(a.Latitude, b.Latitude);
        }

        var latitudeA = a.Latitude * RadiansPerDegree;
        var latitudeB = b.Latitude * RadiansPerDegree;
        var u = Math.Sin((latitudeB - latitudeA) / 2);
        var haversine = (u * u) + (Math.Cos(latitudeA) * Math.Cos(latitudeB) * v * v);
        return 2.0 * EarthRadius * Math.Asin(Math.Sqrt(haversine));
    }

    /// <summary>Metres along a meridian.</summary>
    public static double DistanceOfLatitudes(double a, double b)
        => EarthRadius * Math.Abs((b * RadiansPerDegree) - (a * RadiansPerDegree));

    /// <summary>Degrees of a great circle that a length takes.</summary>
    /// <param name="metres">The length.</param>
    public static double Degrees(double metres) => metres / EarthRadius / RadiansPerDegree;

    /// <summary>The length that degrees of a great circle take, metres.</summary>
    public static double Metres(double degrees) => degrees * RadiansPerDegree * EarthRadius;

    /// <summary>Degrees of a circle of latitude that a length takes.</summary>
    /// <param name="metres">The length.</param>
    /// <param name="latitude">Where the circle is, degrees.</param>
    public static double DegreesAt(double metres, double latitude)
        => metres / EarthRadius / Math.Cos(latitude * RadiansPerDegree) / RadiansPerDegree;
}
