namespace Strata.Server.Commands.Geo;

/// <summary>What places are looked for in: a circle, or a box whose sides go along meridians and circles of latitude.
/// </summary>
internal struct GeoShape
{
    private const double MercatorMax = 20037726.37;

    /// <summary>The middle.</summary>
    public GeoPoint Centre;

    /// <summary>Of a circle, in units.</summary>
    public double Radius;

    /// <summary>Of a box, in units.</summary>
    public double Width;

    /// <summary>Of a box, in units.</summary>
    public double Height;

    /// <summary>Whether it is a box.</summary>
    public bool IsBox;

    /// <summary>Metres.</summary>
    public double Unit;

    /// <summary>How far it reaches to the north and the south, metres.</summary>
    public readonly double HalfHeight => Unit * (IsBox ? Height / 2 : Radius);

    /// <summary>How far it reaches to the east and the west, metres.</summary>
    public readonly double HalfWidth => Unit * (IsBox ? Width / 2 : Radius);

    /// <summary>Whether a place is in it.</summary>
    /// <param name="place">The place.</param>
    /// <param name="distance">How far from the middle it is if so, metres.</param>
    public readonly bool Holds(GeoPoint place, out double distance)
    {
        distance = 0;
        if (!IsBox)
        {
            distance = GeoPoint.Distance(Centre, place);
            return !(distance > Radius * Unit);
        }

        if (GeoPoint.DistanceOfLatitudes(place.Latitude, Centre.Latitude) > Height * Unit / 2
            || GeoPoint.Distance(place, Centre with { Latitude = place.Latitude }) > Width * Unit / 2)
        {
            return false;
        }

        distance = GeoPoint.Distance(Centre, place);
        return true;
    }

    /// <summary>The cells that cover it: the one of its middle and those around it, in the order in which Redis looks
    /// at them. A cell without steps is not needed.</summary>
    /// <param name="cells">Nine.</param>
    public readonly void Cover(Span<GeoCell> cells)
    {
        var bounds = Bounds();
        var steps = EstimateSteps();
        Surround(cells, steps);
        if (steps > 1 && !AreWithin(bounds, cells))
        {
            Surround(cells, --steps);
        }

        if (steps >= 2)
        {
            LeaveOut(cells, bounds);
        }
    }

    private readonly void Surround(Span<GeoCell> cells, int steps)
    {
        var middle = GeoCell.Of(Centre, steps, GeoArea.Map);
        cells[0] = middle;
        cells[1] = middle.Neighbour(0, 1);
        cells[2] = middle.Neighbour(0, -1);
        cells[3] = middle.Neighbour(1, 0);
        cells[4] = middle.Neighbour(-1, 0);
        cells[5] = middle.Neighbour(1, 1);
        cells[6] = middle.Neighbour(-1, 1);
        cells[7] = middle.Neighbour(1, -1);
        cells[8] = middle.Neighbour(-1, -1);
    }

    /// <summary>Whether the outer edges of the cells around the middle one lie outside.</summary>
    private static bool AreWithin(in GeoArea bounds, ReadOnlySpan<GeoCell> cells)
        => !(cells[1].Area().North < bounds.North) && !(cells[2].Area().South > bounds.South)
            && !(cells[3].Area().East < bounds.East) && !(cells[4].Area().West > bounds.West);

    /// <summary>Leaves out the cells of a side to which the shape does not reach.</summary>
    private static void LeaveOut(Span<GeoCell> cells, in GeoArea bounds)
    {
        var middle = cells[0].Area();
        if (middle.South < bounds.South)
        {
            (cells[2], cells[7], cells[8]) = (default, default, default);
        }

        if (middle.North > bounds.North)
        {
            (cells[1], cells[5], cells[6]) = (default, default, default);
        }

        if (middle.West < bounds.West)
        {
            (cells[4], cells[6], cells[8]) = (default, default, default);
        }

        if (middle.East > bounds.East)
        {
            (cells[3], cells[5], cells[7]) = (default, default, default);
        }
    }

    /// <summary>The degrees that it reaches to. A circle of latitude is the shorter the nearer it is to a pole.
    /// </summary>
    private readonly GeoArea Bounds()
    {
        var up = GeoPoint.Degrees(HalfHeight);
        var aside = GeoPoint.DegreesAt(HalfWidth, Centre.Latitude < 0 ? Centre.Latitude - up : Centre.Latitude + up);
        return new(
            Centre.Longitude - aside, Centre.Latitude - up, Centre.Longitude + aside, Centre.Latitude + up);
    }

    /// <summary>How small cells may be that nine of them cover it.</summary>
    private readonly int EstimateSteps()
    {
        var reach = IsBox ? Math.Sqrt((Width / 2 * (Width / 2)) + (Height / 2 * (Height / 2))) : Radius;
        reach *= Unit;
        if (reach == 0)
        {
            return GeoCell.MaxSteps;
        }

        var steps = -1;
        for (; reach < MercatorMax; reach *= 2)
        {
            steps++;
        }

        steps -= Math.Abs(Centre.Latitude) > 80 ? 2 : Math.Abs(Centre.Latitude) > 66 ? 1 : 0;
        return Math.Clamp(steps, 1, GeoCell.MaxSteps);
    }
}
