using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>The set group. Commands that choose at random are given such numbers that there is nothing to choose.
/// </summary>
internal sealed class SetsFamily : ICommandFamily
{
    private const string More = "100000";

    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Add, Add, Add, Add, AddMany,
        p => ["SREM", p.Key(), .. p.Several(4, () => Member(p))],
        p => ["SREM", p.Key(), .. p.Several(4, () => Member(p))],
        p => ["SISMEMBER", p.Key(), Member(p)],
        p => ["SMISMEMBER", p.Key(), .. p.Several(5, () => Member(p))],
        p => ["SCARD", p.Key()],
        p => ["SMEMBERS", p.Key()],
        p => ["SMOVE", p.Key(), p.Key(), Member(p)],
        p => ["SMOVE", p.Key(), p.Key(), Member(p)],
        p => [p.Pick("SINTER", "SUNION", "SDIFF"), .. p.Several(4, p.Key)],
        p => [p.Pick("SINTER", "SUNION", "SDIFF"), .. p.Several(20, p.Key)],
        p => [p.Pick("SINTERSTORE", "SUNIONSTORE", "SDIFFSTORE"), p.Key(), .. p.Several(4, p.Key)],
        p => [p.Pick("SINTERSTORE", "SUNIONSTORE", "SDIFFSTORE"), p.Key(), .. p.Several(4, p.Key)],
        InterCard, InterCard,
        p => ["OBJECT", "ENCODING", p.Key()],
    ];

    public string Name => "sets";

    public OracleStep Next(CommandPool pool) => pool.Below(14) switch
    {
        0 => PopLast(pool),
        1 => OracleStep.Single(Draw(pool)),
        2 => OracleStep.Single(Scan(pool)),
        _ => OracleStep.Single(Random(pool)),
    };

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string Member(CommandPool pool) => pool.Below(3) switch
    {
        0 => pool.Value(),
        1 => pool.Integer(),
        _ => CommandPool.Text(pool.Below(60)),
    };

    private static string[] Add(CommandPool pool) => ["SADD", pool.Key(), .. pool.Several(6, () => Member(pool))];

    /// <summary>Enough members to leave the small forms, in one command.</summary>
    private static string[] AddMany(CommandPool pool)
    {
        var first = pool.Pick(0, 0, -40, 30_000, 40_000, 2_147_483_000);
        var prefix = pool.Pick("", "", "m");
        return ["SADD", pool.Key(), .. Enumerable.Range(first, pool.Pick(5, 100, 127, 130, 500, 513))
            .Select(number => prefix + CommandPool.Text(number))];
    }

    private static string[] InterCard(CommandPool pool)
    {
        var keys = pool.Several(3, pool.Key);
        var count = pool.Chance(0.1) ? pool.Integer() : CommandPool.Text(keys.Length);
        return pool.Chance(0.5)
            ? ["SINTERCARD", count, .. keys]
            : ["SINTERCARD", count, .. keys, pool.MixedCase("LIMIT"), pool.Pick("0", "1", "2", "50", "-1", "x")];
    }

    private static string[] Draw(CommandPool pool) => pool.Below(8) switch
    {
        0 => ["SPOP", pool.Key(), pool.Pick("0", "-1", "x", "")],
        1 => ["SPOP", pool.Key(), More, "x"],
        2 => ["SRANDMEMBER", pool.Key(), pool.Pick("0", "x", "-9223372036854775808", "9223372036854775808")],
        3 => ["SRANDMEMBER", pool.Key(), More, "x"],
        4 or 5 => ["SRANDMEMBER", pool.Key(), More],
        _ => ["SPOP", pool.Key(), More],
    };

    private static string[] Scan(CommandPool pool)
    {
        var words = new List<string> { "SSCAN", pool.Key(), pool.Chance(0.1) ? pool.Pick("x", "", "-") : "0" };
        words.AddRange(["COUNT", pool.Chance(0.1) ? pool.Pick("0", "-1", "x") : More]);
        if (pool.Chance(0.5))
        {
            words.AddRange([pool.MixedCase("MATCH"), pool.Pick("*", "1*", "m?", "*[0-5]", pool.Value())]);
        }

        return [.. words];
    }

    private static OracleStep PopLast(CommandPool pool)
    {
        var key = pool.Key();
        return new OracleStep(
            StepKind.Commands,
            [
                RespCommand.Of("DEL", key),
                RespCommand.Of("SPOP", key),
                RespCommand.Of("SRANDMEMBER", key),
                RespCommand.Of("SADD", key, Member(pool)),
                RespCommand.Of("SRANDMEMBER", key),
                RespCommand.Of("SPOP", key),
            ],
            replyCount: 6);
    }
}
