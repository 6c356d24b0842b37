namespace Strata.Tests.Oracle;

/// <summary>
/// The sorted-set group with all options, right and wrong. Ranges of members are asked for of keys of their own, all of
/// whose members have one score: of others their result is not defined. Random members only where chance has no say.
/// </summary>
internal sealed class SortedSetsFamily : ICommandFamily
{
    /// <summary>More than Redis keeps in a listpack.</summary>
    private const int ManyMembers = 150;

    private static readonly string[] s_members =
    [
        "a", "b", "c", "d", "e", "f", "g", "aa", "ab", "b\0", "", "1", "2", "10", "-1", "foo", "bar", "\xff\0",
        new('m', 64), new('m', 65), new('n', 300),
    ];

    private static readonly string[] s_scores =
    [
        "0", "1", "-1", "2", "3", "5", "10", "1.5", "0.1", "0.2", "-2.75", "100", "1e17", "1e-5", "inf", "-inf", "+inf",
        "-0", "0x10", "3.0", "1e300", "9007199254740993", "Infinity", ".5", "5.",
    ];

    private static readonly string[] s_notScores =
        ["", "abc", " 1", "1 ", "nan", "1e400", "1.2.3", "0x", "\0", "--1", "1e", "1\0", "-nan", "1e-400"];

    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Add, Add, Add, Add, Add, Add, AddMany,
        p => ["ZINCRBY", p.Key(), Score(p), Member(p)],
        p => ["ZINCRBY", p.Key(), Score(p), Member(p)],
        p => ["ZREM", p.Key(), .. p.Several(4, () => Member(p))],
        p => ["ZREM", Alike(p), .. p.Several(4, () => Member(p))],
        p => ["ZCARD", p.Key()],
        p => ["ZSCORE", p.Key(), Member(p)],
        p => ["ZMSCORE", p.Key(), .. p.Several(4, () => Member(p))],
        p => ["ZCOUNT", p.Key(), .. ScoreEnds(p)],
        p => ["ZLEXCOUNT", Alike(p), .. MemberEnds(p)],
        Range, Range, Range, RangeOfMembers, RangeStore,
        p =>
        [
            p.Pick("ZRANGEBYSCORE", "ZREVRANGEBYSCORE"), p.Key(), .. ScoreEnds(p), .. Words(p, "WITHSCORES", "LIMIT"),
        ],
        p => [p.Pick("ZRANGEBYLEX", "ZREVRANGEBYLEX"), Alike(p), .. MemberEnds(p), .. Words(p, "LIMIT")],
        p => ["ZREVRANGE", p.Key(), p.Position(), p.Position(), .. Words(p, "WITHSCORES", "LIMIT")],
        p => ["ZREMRANGEBYRANK", p.Key(), p.Position(), p.Position()],
        p => ["ZREMRANGEBYSCORE", p.Key(), .. ScoreEnds(p)],
        p => ["ZREMRANGEBYLEX", Alike(p), .. MemberEnds(p)],
        p => [p.Pick("ZPOPMIN", "ZPOPMAX"), p.Key()],
        p => [p.Pick("ZPOPMIN", "ZPOPMAX"), p.Key(), Count(p)],
        p => ["ZMPOP", .. Keys(p), p.MixedCase(p.Pick("MIN", "MAX", "LEFT")), .. Words(p, "COUNT")],
        p => [p.Pick("ZUNION", "ZINTER"), .. Keys(p), .. Words(p, "WITHSCORES", "WEIGHTS", "AGGREGATE")],
        p => [p.Pick("ZUNIONSTORE", "ZINTERSTORE"), p.Key(), .. Keys(p), .. Words(p, "WEIGHTS", "AGGREGATE")],
        p => ["ZDIFF", .. Keys(p), .. Words(p, "WITHSCORES")],
        p => ["ZDIFFSTORE", p.Key(), .. Keys(p)],
        p => ["ZINTERCARD", .. Keys(p), .. Words(p, "CARD-LIMIT")],
        p => ["ZRANDMEMBER", p.Key(), p.Pick("0", "1000000", "abc", "1.5", "-9223372036854775808")],
        p => ["ZRANDMEMBER", $"none:{p.Key()}", .. p.Pick<string[]>([], ["-5"], ["5", "WITHSCORES"], ["5", "X"])],
        p => ["ZSCAN", p.Key(), "0", "COUNT", "10000", .. p.Pick<string[]>([], ["MATCH", "a*"], ["MATCH"], ["X", "Y"])],
        p => ["OBJECT", "ENCODING", p.Key()],
        p => [p.Pick("TYPE", "DEL", "EXISTS"), p.Key()],
        p => ["COPY", p.Key(), p.Key(), "REPLACE"],
        p => ["EXPIRE", p.Key(), p.TimeToLive(milliseconds: false)],
    ];

    public string Name => "sortedsets";

    /// <summary>Some commands are never spoiled: ZRANK, as Redis 7.2 has a word that 7.0 refuses, and what would give
    /// the members of a set several scores.</summary>
    public OracleStep Next(CommandPool pool) => pool.Below(20) switch
    {
        0 => OracleStep.Single(pool.Pick("ZRANK", "ZREVRANK"), pool.Key(), Member(pool)),
        1 or 2 => OracleStep.Single(AddAlike(pool)),
        _ => OracleStep.Single(Random(pool)),
    };

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string Alike(CommandPool pool) => $"alike:{pool.Key()}";

    private static string Member(CommandPool pool) => pool.Pick(s_members);

    private static string Score(CommandPool pool) => pool.Chance(0.05) ? pool.Pick(s_notScores) : pool.Pick(s_scores);

    private static string Count(CommandPool pool) => pool.Chance(0.2) ? pool.Integer() : pool.Pick("1", "2", "3", "0");

    private static string[] Add(CommandPool pool)
    {
        var words = new List<string> { "ZADD", pool.Key() };
        while (pool.Chance(0.3))
        {
            words.Add(pool.MixedCase(pool.Pick("NX", "XX", "GT", "LT", "CH", "INCR")));
        }

        do
        {
            words.Add(Score(pool));
            words.Add(Member(pool));
        }
        while (pool.Chance(0.5));
        return [.. words];
    }

    private static string[] AddAlike(CommandPool pool)
        => ["ZADD", Alike(pool), .. pool.Several(5, () => Member(pool)).SelectMany(member => new[] { "0", member })];

    private static string[] AddMany(CommandPool pool)
    {
        var step = pool.Pick(0, 1, -1, 7);
        var first = pool.Below(100);
        var pairs = Enumerable.Range(0, ManyMembers)
            .SelectMany(i => new[] { CommandPool.Text(i * step % 50), $"{first + i}" });
        return pool.Chance(0.7) ? Add(pool) : ["ZADD", pool.Key(), .. pairs];
    }

    private static string[] Range(CommandPool pool) => pool.Chance(0.5)
        ? ["ZRANGE", pool.Key(), pool.Position(), pool.Position(), .. Words(pool, "REV", "WITHSCORES", "LIMIT")]
        : ["ZRANGE", pool.Key(), .. ScoreEnds(pool), "BYSCORE", .. Words(pool, "REV", "WITHSCORES", "LIMIT")];

    private static string[] RangeOfMembers(CommandPool pool)
        => ["ZRANGE", Alike(pool), .. MemberEnds(pool), "BYLEX", .. Words(pool, "REV", "LIMIT", "WITHSCORES")];

    private static string[] RangeStore(CommandPool pool) => pool.Chance(0.5)
        ? ["ZRANGESTORE", pool.Key(), pool.Key(), pool.Position(), pool.Position(), .. Words(pool, "REV", "LIMIT")]
        : ["ZRANGESTORE", pool.Key(), pool.Key(), .. ScoreEnds(pool), "BYSCORE", .. Words(pool, "REV", "LIMIT")];

    private static string[] ScoreEnds(CommandPool pool) => [ScoreEnd(pool), ScoreEnd(pool)];

    private static string ScoreEnd(CommandPool pool)
    {
        var score = pool.Chance(0.4) ? pool.Pick("-inf", "+inf", "inf") : Score(pool);
        return pool.Chance(0.3) ? $"({score}" : score;
    }

    private static string[] MemberEnds(CommandPool pool) => [MemberEnd(pool), MemberEnd(pool)];

    private static string MemberEnd(CommandPool pool) => pool.Below(10) switch
    {
        < 4 => pool.Pick("-", "+"),
        < 6 => $"({Member(pool)}",
        < 9 => $"[{Member(pool)}",
        _ => Member(pool),
    };

    private static string[] Keys(CommandPool pool)
    {
        var keys = pool.Several(4, pool.Key);
        var count = pool.Chance(0.1) ? pool.Integer() : CommandPool.Text(keys.Length);
        return [count, .. keys];
    }

    private static string[] Words(CommandPool pool, params string[] words)
    {
        var chosen = new List<string>();
        while (pool.Chance(0.4))
        {
            chosen.AddRange(Word(pool, pool.Pick<string>(words)));
        }

        return [.. chosen];
    }

    private static string[] Word(CommandPool pool, string word) => word switch
    {
        "LIMIT" => [pool.MixedCase(word), Limit(pool), Limit(pool)],
        "CARD-LIMIT" => [pool.MixedCase("LIMIT"), Limit(pool)],
        "COUNT" => [pool.MixedCase(word), Count(pool)],
        "WEIGHTS" => [pool.MixedCase(word), .. pool.Several(4, () => Score(pool))],
        "AGGREGATE" => [pool.MixedCase(word), pool.MixedCase(pool.Pick("SUM", "MIN", "MAX", "AVG"))],
        _ => [pool.MixedCase(word)],
    };

    private static string Limit(CommandPool pool)
        => pool.Chance(0.1) ? pool.Integer() : CommandPool.Text(pool.Below(6) - 1);
}
