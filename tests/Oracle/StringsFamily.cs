namespace Strata.Tests.Oracle;

/// <summary>The string group with all options, right and wrong.</summary>
internal sealed class StringsFamily : ICommandFamily
{
    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Set, Set, Set, Set,
        p => ["GET", p.Key()],
        p => ["GET", p.Key()],
        GetEx, GetEx,
        p => ["GETDEL", p.Key()],
        p => ["GETSET", p.Key(), p.Value()],
        p => ["SETEX", p.Key(), p.TimeToLive(milliseconds: false), p.Value()],
        p => ["PSETEX", p.Key(), p.TimeToLive(milliseconds: true), p.Value()],
        p => ["SETNX", p.Key(), p.Value()],
        p => ["MSET", .. Pairs(p)],
        p => ["MSETNX", .. Pairs(p)],
        p => ["MGET", .. p.Several(6, p.Key)],
        p => ["MGET", .. p.Several(3, p.Key)],
        p => ["APPEND", p.Key(), p.Value()],
        p => ["STRLEN", p.Key()],
        p => ["SETRANGE", p.Key(), p.Offset(), p.Value()],
        p => ["GETRANGE", p.Key(), p.Position(), p.Position()],
        p => ["SUBSTR", p.Key(), p.Position(), p.Position()],
        p => ["INCR", p.Key()],
        p => ["DECR", p.Key()],
        p => ["INCRBY", p.Key(), p.Integer()],
        p => ["DECRBY", p.Key(), p.Integer()],
        p => ["INCRBYFLOAT", p.Key(), p.Float()],
        Lcs,
    ];

    public string Name => "strings";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string[] Set(CommandPool pool)
    {
        var words = new List<string> { "SET", pool.Key(), pool.Value() };
        while (pool.Chance(0.4))
        {
            words.AddRange(SetOption(pool));
        }

        return [.. words];
    }

    private static string[] SetOption(CommandPool pool)
    {
        var option = pool.Pick("NX", "XX", "GET", "KEEPTTL", "EX", "PX", "EXAT", "PXAT");
        var word = pool.MixedCase(option);
        return option switch
        {
            "EX" or "PX" => [word, pool.TimeToLive(option == "PX")],
            "EXAT" or "PXAT" => [word, pool.PointInTime(option == "PXAT")],
            _ => [word],
        };
    }

    private static string[] GetEx(CommandPool pool)
    {
        var option = pool.Pick("", "PERSIST", "EX", "PX", "EXAT", "PXAT", "NX");
        var word = pool.MixedCase(option);
        return option switch
        {
            "" => ["GETEX", pool.Key()],
            "EX" or "PX" => ["GETEX", pool.Key(), word, pool.TimeToLive(option == "PX")],
            "EXAT" or "PXAT" => ["GETEX", pool.Key(), word, pool.PointInTime(option == "PXAT")],
            _ => ["GETEX", pool.Key(), word],
        };
    }

    private static string[] Lcs(CommandPool pool)
    {
        var words = new List<string> { "LCS", pool.Key(), pool.Key() };
        while (pool.Chance(0.5))
        {
            var option = pool.Pick("LEN", "IDX", "MINMATCHLEN", "WITHMATCHLEN");
            words.Add(pool.MixedCase(option));
            if (option == "MINMATCHLEN")
            {
                words.Add(pool.Integer());
            }
        }

        return [.. words];
    }

    private static IEnumerable<string> Pairs(CommandPool pool) =>
        Enumerable.Range(0, 1 + pool.Below(4)).SelectMany(_ => new[] { pool.Key(), pool.Value() });
}
