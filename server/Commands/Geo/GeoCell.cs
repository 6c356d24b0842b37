namespace Strata.Server.Commands.Geo;

/// <summary>
/// A cell of a map that is halved by turns from west to east and from south to north (geohash, Niemeyer 2008). Of its
/// bits the highest pair tells the first quarter; in a pair the higher bit is the longitude's. A cell of 26 steps has
/// 52 bits, which a sorted set's score holds, and what lies in a larger cell is a range of scores.
/// </summary>
/// <param name="Bits">The cell's number.</param>
/// <param name="Steps">How often the map is halved each way, 1 to 26; 0 of no cell.</param>
internal readonly record struct GeoCell(ulong Bits, int Steps)
{
    /// <summary>Steps of the cell that stands for a place.</summary>
    public const int MaxSteps = 26;

    private const ulong LongitudeBits = 0xaaaa_aaaa_aaaa_aaaa;
    private const ulong LatitudeBits = 0x5555_5555_5555_5555;

    /// <summary>The lowest score of a place in the cell.</summary>
    public double FirstScore => Bits << (2 * (MaxSteps - Steps));

    /// <summary>The score behind the highest of a place in the cell.</summary>
    public double EndScore => (Bits + 1) << (2 * (MaxSteps - Steps));

    /// <summary>The bits that the latitude has, in their places: of two cells as small as each other it is the lower of
    /// the one in the south.</summary>
    public ulong LatitudePart => Bits & LatitudeBits;

    /// <summary>The bits that the longitude has, in their places: the lower of the one in the west.</summary>
    public ulong LongitudePart => Bits & LongitudeBits;

    private ulong Mask => ulong.MaxValue >> (64 - (2 * Steps));

    /// <summary>The cell of a place that has a score in a sorted set. Any score is that of some place, also one that no
    /// place has.</summary>
    public static GeoCell OfScore(double score)
    {
        const double SignBit = 9223372036854775808.0;
        return new(
            score < SignBit ? (ulong)(long)score
                : score < 2 * SignBit ? (ulong)score
                : 0,
            MaxSteps);
    }

    /// <summary>The cell of a place on a map.</summary>
    public static GeoCell Of(GeoPoint place, int steps, in GeoArea map)
    {
        var latitude = (place.Latitude - map.South) / (map.North - map.South);
        var longitude = (place.Longitude - map.West) / (map.East - map.West);
        var scale = (double)(1UL << steps);
        return new(Interleave((uint)(ulong)(latitude * scale), (uint)(ulong)(longitude * scale)), steps);
    }

    /// <summary>What the cell covers of Redis's map.</summary>
    public GeoArea Area()
    {
        var map = GeoArea.Map;
        var latitude = Compact(Bits);
        var longitude = Compact(Bits >> 1);
        var scale = (double)(1UL << Steps);
        var height = map.North - map.South;
        var width = map.East - map.West;
        return new(
            map.West + (longitude * 1.0 / scale * width),
            map.South + (latitude * 1.0 / scale * height),
            map.West + (unchecked(longitude + 1) * 1.0 / scale * width),
            map.South + (unchecked(latitude + 1) * 1.0 / scale * height));
    }

    /// <summary>A neighbour, round the edges of the map.</summary>
    /// <param name="east">1 for the one in the east, -1 in the west, 0 for neither.</param>
    /// <param name="north">1 for the one in the north, -1 in the south, 0 for neither.</param>
    public GeoCell Neighbour(int east, int north)
    {
        var longitude = Move(Bits, LongitudeBits, east);
        var latitude = Move(Bits, LatitudeBits, north);
        return this with { Bits = longitude | latitude };
    }

    /// <summary>Goes on by one in the number that every second bit makes up: what is carried passes over the others.
    /// </summary>
    private ulong Move(ulong bits, ulong own, int direction)
    {
        var others = ~own & Mask;
        bits &= own;
        return direction switch
        {
            > 0 => (bits + others + 1) & own & Mask,
            < 0 => ((bits | others) - (others + 1)) & own & Mask,
            _ => bits,
        };
    }

    private static ulong Interleave(uint even, uint odd) => Spread(even) | (Spread(odd) << 1);

    /// <summary>Puts a zero before each bit.</summary>
    private static ulong Spread(ulong bits)
    {
        bits = (bits | (bits << 16)) & 0x0000_ffff_0000_ffff;
        bits = (bits | (bits << 8)) & 0x00ff_00ff_00ff_00ff;
        bits = (bits | (bits << 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        bits = (bits | (bits << 2)) & 0x3333_3333_3333_3333;
        return (bits | (bits << 1)) & LatitudeBits;
    }

    /// <summary>Leaves every second bit out, the lowest not.</summary>
    private static uint Compact(ulong bits)
    {
        bits &= LatitudeBits;
        bits = (bits | (bits >> 1)) & 0x3333_3333_3333_3333;
        bits = (bits | (bits >> 2)) & 0x0f0f_0f0f_0f0f_0f0f;
        bits = (bits | (bits >> 4)) & 0x00ff_00ff_00ff_00ff;
        bits = (bits | (bits >> 8)) & 0x0000_ffff_0000_ffff;
        return (uint)(bits | (bits >> 16));
    }
}
