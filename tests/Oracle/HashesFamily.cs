namespace Strata.Tests.Oracle;

/// <summary>Hashes: few fields and values, so that commands meet, and now and then enough or long enough ones that the
/// hash is no longer packed.</summary>
internal sealed class HashesFamily : ICommandFamily
{
    private const int ManyFields = 60;

    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Set, Set, Set, SetMany,
        p => ["HMSET", p.Key(), .. Pairs(p, 4)],
        p => ["HSETNX", p.Key(), Field(p), p.Value()],
        p => ["HGET", p.Key(), Field(p)],
        p => ["HGET", p.Key(), Field(p)],
        p => ["HMGET", p.Key(), .. p.Several(4, () => Field(p))],
        p => ["HGETALL", p.Key()],
        p => ["HKEYS", p.Key()],
        p => ["HVALS", p.Key()],
        p => ["HLEN", p.Key()],
        p => ["HEXISTS", p.Key(), Field(p)],
        p => ["HSTRLEN", p.Key(), Field(p)],
        p => ["HDEL", p.Key(), .. p.Several(3, () => Field(p))],
        DeleteMany,
        p => ["HINCRBY", p.Key(), Field(p), p.Integer()],
        p => ["HINCRBYFLOAT", p.Key(), Field(p), p.Float()],
        RandomField,
        Scan,
        p => ["OBJECT", "ENCODING", p.Key()],
    ];

    public string Name => "hashes";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string Field(CommandPool pool)
        => pool.Chance(0.1) ? pool.Value() : $"f{pool.Below(12)}";

    private static IEnumerable<string> Pairs(CommandPool pool, int most) =>
        Enumerable.Range(0, 1 + pool.Below(most)).SelectMany(_ => new[] { Field(pool), pool.Value() });

    private static string[] Set(CommandPool pool) => ["HSET", pool.Key(), .. Pairs(pool, 4)];

    private static string[] SetMany(CommandPool pool)
    {
        var first = pool.Below(ManyFields);
        var fields = Enumerable.Range(first, pool.Chance(0.5) ? 40 : 10);
        return ["HSET", pool.Key(), .. fields.SelectMany(i => new[] { $"f{i % ManyFields}", $"v{i}" })];
    }

    private static string[] DeleteMany(CommandPool pool)
        => ["HDEL", pool.Key(), .. Enumerable.Range(pool.Below(40), 30).Select(i => $"f{i}")];

    /// <summary>Counts that leave nothing to chance, or what is refused.</summary>
    private static string[] RandomField(CommandPool pool)
    {
        var count = pool.Chance(0.5) ? "1000" : pool.Pick(
            "0", "abc", "", "1.5", "-9223372036854775808", "9223372036854775807", "9223372036854775808");
        return pool.Below(3) switch
        {
            0 => ["HRANDFIELD", pool.Key(), count],
            1 => ["HRANDFIELD", pool.Key(), count, pool.MixedCase("WITHVALUES")],
            _ => ["HRANDFIELD", pool.Key(), count, pool.Junk()],
        };
    }

    /// <summary>All of a hash in one call, or what is refused.</summary>
    private static string[] Scan(CommandPool pool)
    {
        var words = new List<string>
        {
            "HSCAN", pool.Key(), pool.Chance(0.1) ? pool.Pick("abc", "", " 0", "1.5", "-") : "0",
        };
        if (pool.Chance(0.4))
        {
            words.AddRange([pool.MixedCase("MATCH"), pool.Pick("*", "f1*", "f?", "", "x", "[f]*")]);
        }

        words.AddRange([pool.MixedCase("COUNT"), pool.Chance(0.1) ? pool.Pick("0", "-1", "abc", "") : "100000"]);
        if (pool.Chance(0.1))
        {
            words.AddRange(pool.Chance(0.5) ? ["TYPE", "hash"] : [pool.Junk()]);
        }

        return [.. words];
    }
}
