namespace Strata.Tests.Oracle;

/// <summary>Commands of places, near each other and anywhere, in sorted sets of a few and of many members.</summary>
internal sealed class GeoFamily : ICommandFamily
{
    private static readonly string[] s_keys = ["geo:1", "geo:2", "geo:3"];

    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Add, Add, Add,
        p => ["GEODIST", Key(p), Member(p), Member(p), .. p.Chance(0.5) ? [Unit(p)] : Array.Empty<string>()],
        p => ["GEOPOS", Key(p), .. p.Several(4, () => Member(p))],
        p => ["GEOHASH", Key(p), .. p.Several(4, () => Member(p))],
        p => ["GEOSEARCH", Key(p), .. Area(p), .. Options(p)],
        p => ["GEOSEARCH", Key(p), .. Area(p), .. Options(p)],
        p => ["GEOSEARCHSTORE", Key(p), Key(p), .. Area(p), .. Options(p), .. p.Chance(0.3) ? Stored : []],
        p => [p.Pick("GEORADIUS", "GEORADIUS_RO"), Key(p), .. Place(p), Length(p), Unit(p), .. Options(p), .. Store(p)],
        p =>
        [
            p.Pick("GEORADIUSBYMEMBER", "GEORADIUSBYMEMBER_RO"), Key(p), Member(p), Length(p), Unit(p), .. Options(p),
            .. Store(p),
        ],
        p => ["ZADD", Key(p), p.Float(), Member(p)],
        p => ["ZRANGE", Key(p), "0", "-1", "WITHSCORES"],
        p => ["DEL", Key(p)],
    ];

    public string Name => "geo";

    private static string[] Stored => ["STOREDIST"];

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string Key(CommandPool pool) => pool.Chance(0.05) ? pool.Key() : pool.Pick(s_keys);

    private static string Member(CommandPool pool) => $"place:{pool.Below(pool.Pick(5, 200))}";

    private static string Unit(CommandPool pool)
        => pool.Chance(0.05) ? pool.Junk() : pool.MixedCase(pool.Pick("m", "km", "ft", "mi"));

    private static string Number(double value)
        => value.ToString("0.######", System.Globalization.CultureInfo.InvariantCulture);

    private static string[] Place(CommandPool pool) => pool.Below(12) switch
    {
        0 => [pool.Float(), pool.Float()],
        1 => [pool.Pick("180", "-180", "0", "179.999999"), pool.Pick("85.05112878", "-85.05112878", "0", "85", "67")],
        < 6 => [Number((pool.Below(3_600_000) - 1_800_000) / 1e4), Number((pool.Below(1_700_000) - 850_000) / 1e4)],
        _ => [Number(13.3 + (pool.Below(200_000) / 1e6)), Number(52.4 + (pool.Below(200_000) / 1e6))],
    };

    private static string[] Add(CommandPool pool)
    {
        var words = new List<string> { "GEOADD", Key(pool) };
        while (pool.Chance(0.15))
        {
            words.Add(pool.MixedCase(pool.Pick("NX", "XX", "CH", "GT")));
        }

        for (var left = pool.Pick(1, 1, 3, 30, 300); left > 0; left--)
        {
            words.AddRange([.. Place(pool), Member(pool)]);
        }

        return [.. words];
    }

    private static string Length(CommandPool pool)
        => pool.Chance(0.05) ? pool.Float() : pool.Pick("0", "1", "5", "20.5", "100", "700", "5000", "30000", "1e9");

    private static string[] Area(CommandPool pool)
    {
        string[] centre = pool.Chance(0.4) ? ["FROMMEMBER", Member(pool)] : ["FROMLONLAT", .. Place(pool)];
        string[] shape = pool.Chance(0.5)
            ? ["BYRADIUS", Length(pool), Unit(pool)]
            : ["BYBOX", Length(pool), Length(pool), Unit(pool)];
        return pool.Chance(0.8) ? [.. centre, .. shape] : [.. shape, .. centre];
    }

    private static string[] Options(CommandPool pool)
    {
        var words = new List<string>();
        while (pool.Chance(0.5))
        {
            words.AddRange(pool.Below(7) switch
            {
                0 => [pool.MixedCase("WITHDIST")],
                1 => [pool.MixedCase("WITHCOORD")],
                2 => [pool.MixedCase("WITHHASH")],
                3 => [pool.MixedCase("ASC")],
                4 => [pool.MixedCase("DESC")],
                5 => [pool.MixedCase("COUNT"), pool.Pick("1", "2", "10", "1000", "0", "-1")],
                _ => new[] { pool.MixedCase("COUNT"), pool.Pick("1", "3", "1000"), pool.MixedCase("ANY") },
            });
        }

        return [.. words];
    }

    private static string[] Store(CommandPool pool)
        => pool.Chance(0.25) ? [pool.MixedCase(pool.Pick("STORE", "STOREDIST")), Key(pool)] : [];
}
