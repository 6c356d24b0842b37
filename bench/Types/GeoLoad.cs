namespace Strata.Bench.Types;

/// <summary>Loads on members with places: some are given another place, and those around a place are looked for.
/// </summary>
internal static class GeoLoad
{
    // Of a degree each way, in which a circle of this radius holds about 50 of the members.
    private const string Place = "10.{random:1000000000} 45.{random:1000000000}";
    private const string Radius = "1.2 km";
    private const int Members = 100_000;

    private static readonly DataFill s_fill = new($"GEOADD places {Place} member:{{key}}", Members);

    /// <summary>All of them.</summary>
    public static IReadOnlyList<TypeLoad> All { get; } =
    [
        new("geoadd", $"GEOADD places {Place} member:{{random:{Members}}}") { Fill = s_fill, SumPerOperation = 0 },
        new("geosearch", $"GEOSEARCH places FROMLONLAT {Place} BYRADIUS {Radius}") { Fill = s_fill },
    ];
}
