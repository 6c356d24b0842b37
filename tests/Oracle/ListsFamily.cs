namespace Strata.Tests.Oracle;

/// <summary>The list group. Lists grow long enough to leave their packed form, and hold few different elements, so that
/// comparisons find some.</summary>
internal sealed class ListsFamily : ICommandFamily
{
    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Push, Push, Push, Push, Push,
        p => [p.Pick("LPUSHX", "RPUSHX"), p.Key(), .. p.Several(3, () => Element(p))],
        p => [p.Pick("LPOP", "RPOP"), p.Key()],
        p => [p.Pick("LPOP", "RPOP"), p.Key()],
        p => [p.Pick("LPOP", "RPOP"), p.Key(), Count(p)],
        p => ["LLEN", p.Key()],
        p => ["LRANGE", p.Key(), p.Position(), p.Position()],
        p => ["LRANGE", p.Key(), "0", "-1"],
        p => ["LINDEX", p.Key(), p.Position()],
        p => ["LSET", p.Key(), p.Position(), Element(p)],
        p => ["LINSERT", p.Key(), p.MixedCase(p.Pick("BEFORE", "AFTER", "AFTER", "BESIDE")), Element(p), Element(p)],
        p => ["LREM", p.Key(), Rank(p), Element(p)],
        p => ["LTRIM", p.Key(), p.Position(), p.Position()],
        p => ["LMOVE", p.Key(), p.Key(), End(p), End(p)],
        p => ["LMOVE", p.Key(), p.Key(), End(p), End(p)],
        p => ["RPOPLPUSH", p.Key(), p.Key()],
        LPos, LPos,
        LMPop,
        p => ["OBJECT", "ENCODING", p.Key()],
        p => ["TYPE", p.Key()],
        p => ["DEL", p.Key()],
        p => ["RENAME", p.Key(), p.Key()],
        p => ["COPY", p.Key(), p.Key(), "REPLACE"],
    ];

    public string Name => "lists";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string[] Push(CommandPool pool)
        => [pool.Pick("LPUSH", "RPUSH"), pool.Key(), .. pool.Several(pool.Chance(0.2) ? 60 : 4, () => Element(pool))];

    private static string Element(CommandPool pool)
        => pool.Chance(0.7) ? pool.Pick("a", "b", "c", "1", "-7", new string('e', 60)) : pool.Value();

    private static string End(CommandPool pool)
        => pool.MixedCase(pool.Chance(0.05) ? pool.Junk() : pool.Pick("LEFT", "RIGHT"));

    private static string Count(CommandPool pool)
        => pool.Chance(0.3) ? pool.Integer() : CommandPool.Text(pool.Below(20));

    /// <summary>A number of matches. Redis 7.0 doesn't refuse the smallest one there is, as 7.2 does.</summary>
    private static string Rank(CommandPool pool)
    {
        var rank = pool.Chance(0.5) ? pool.Pick("1", "-1", "2", "-2", "3", "0") : pool.Integer();
        return rank == "-9223372036854775808" ? "-9223372036854775807" : rank;
    }

    private static string[] LPos(CommandPool pool)
    {
        var words = new List<string> { "LPOS", pool.Key(), Element(pool) };
        while (pool.Chance(0.5))
        {
            var option = pool.Pick("RANK", "COUNT", "MAXLEN");
            words.Add(pool.MixedCase(option));
            words.Add(option == "RANK" ? Rank(pool) : Count(pool));
        }

        return [.. words];
    }

    private static string[] LMPop(CommandPool pool)
    {
        var keys = pool.Several(4, pool.Key);
        var number = pool.Chance(0.1) ? pool.Integer() : CommandPool.Text(keys.Length);
        string[] count = pool.Chance(0.5) ? [pool.MixedCase("COUNT"), Count(pool)] : [];
        return ["LMPOP", number, .. keys, End(pool), .. count];
    }
}
