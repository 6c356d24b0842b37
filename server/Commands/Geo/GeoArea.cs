namespace Strata.Server.Commands.Geo;

/// <summary>What lies between two meridians and two circles of latitude, degrees.</summary>
internal readonly record struct GeoArea(double West, double South, double East, double North)
{
    /// <summary>All of the map.</summary>
    public static GeoArea Map { get; } = new(
        -GeoPoint.MaxLongitude, -GeoPoint.MaxLatitude, GeoPoint.MaxLongitude, GeoPoint.MaxLatitude);

    /// <summary>What geohashes of other systems divide, with the poles.</summary>
    public static GeoArea Earth { get; } = new(-180, -90, 180, 90);

    /// <summary>Its middle, on the map.</summary>
    public GeoPoint Middle => new(
        Math.Clamp((West + East) / 2, -GeoPoint.MaxLongitude, GeoPoint.MaxLongitude),
        Math.Clamp((South + North) / 2, -GeoPoint.MaxLatitude, GeoPoint.MaxLatitude));
}
