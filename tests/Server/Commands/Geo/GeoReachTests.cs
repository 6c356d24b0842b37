using NUnit.Framework;
using Strata.Server.Commands.Geo;

namespace Strata.Tests.Server.Commands.Geo;

/// <summary>What is told without trigonometry is never said of a place that is in the shape.</summary>
public sealed class GeoReachTests
{
    [FsCheck.NUnit.Property(MaxTest = 1_000)]
    public void No_place_is_left_out_that_a_shape_holds(int seed)
    {
        var random = new Random(seed);
        var excluded = 0;
        for (var i = 0; i < 200; i++)
        {
            var shape = RandomShape(random);
            var reach = GeoReach.Of(shape);
            var degrees = GeoPoint.Degrees(shape.IsBox ? shape.Width + shape.Height : shape.Radius);
            var near = new GeoPoint(
                Near(random, shape.Centre.Longitude, degrees, GeoPoint.MaxLongitude),
                Near(random, shape.Centre.Latitude, degrees, GeoPoint.MaxLatitude));
            var cell = GeoCell.Of(near, GeoCell.MaxSteps, GeoArea.Map);
            var isExcluded = reach.Excludes(cell);
            excluded += isExcluded ? 1 : 0;
            Assert.That(isExcluded && shape.Holds(cell.Area().Middle, out _), Is.False, $"{near} of {shape.Centre}");
        }

        Assert.That(excluded, Is.GreaterThan(0), "most places near a shape are outside");
    }

    private static GeoShape RandomShape(Random random) => new()
    {
        Centre = new GeoPoint(
            Math.Round(Symmetric(random) * GeoPoint.MaxLongitude, random.Next(8)),
            Math.Clamp(Symmetric(random) * 90, -GeoPoint.MaxLatitude, GeoPoint.MaxLatitude)),
        IsBox = random.Next(2) == 0,
        Radius = RandomLength(random),
        Width = RandomLength(random),
        Height = RandomLength(random),
        Unit = 1,
    };

    /// <summary>A millimetre to the whole earth.</summary>
    private static double RandomLength(Random random) => Math.Pow(10, (random.NextDouble() * 10.5) - 3);

    /// <summary>Often as far as the shape reaches, about.</summary>
    private static double Near(Random random, double middle, double degrees, double most)
    {
        var away = Symmetric(random) * degrees * (random.Next(3) == 0 ? 3 : 1.1);
        var place = middle + away;
        return random.Next(20) == 0 ? Symmetric(random) * most
            : most == GeoPoint.MaxLongitude && Math.Abs(place) > most ? Math.IEEERemainder(place, 2 * most)
            : Math.Clamp(place, -most, most);
    }

    private static double Symmetric(Random random) => (random.NextDouble() * 2) - 1;
}
