using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// Streams and their groups. Ids rise over a sequence, so that most entries are added, and commands name those that are
/// there. Consumers are made before they read or claim: Redis 7.0 makes them then only if they get something, 7.2
/// always.
/// </summary>
internal sealed class StreamsFamily : ICommandFamily
{
    private const int MostQueued = 6;

    /// <summary>Entries of this one have the time of the server as their ids.</summary>
    private const string Timed = "stream:timed";

    private static readonly string[] s_keys = ["stream:1", "stream:2", "stream:3"];

    private static readonly string[] s_extreme =
        ["9223372036854775807", "-9223372036854775808", "9223372036854775808"];

    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Add, Add, Add, Add,
        p => ["XADD", Timed, "MAXLEN", p.Pick("=", "~"), p.Pick("5", "1000"), "*", "f", "v"],
        p => [p.Pick("XRANGE", "XREVRANGE"), AnyKey(p), End(p), End(p), .. Count(p)],
        p => ["XRANGE", AnyKey(p), "-", "+"],
        p => ["XREVRANGE", AnyKey(p), "+", "-", .. Count(p)],
        p => ["XLEN", AnyKey(p)],
        p => ["XDEL", Key(p), .. p.Several(p.Chance(0.1) ? 30 : 4, () => Id(p))],
        p => ["XTRIM", Key(p), .. Trim(p)],
        p => ["XSETID", Key(p), p.Pick("2000-0", "2000", "x", ""), .. SetIdOptions(p)],
        Read, Read,
        Create, Create, Create,
        p => ["XGROUP", p.MixedCase("SETID"), Key(p), Group(p), p.Pick("$", "0", "-", "+", Id(p)), .. EntriesRead(p)],
        p => ["XGROUP", "DESTROY", Key(p), Group(p)],
        p => ["XGROUP", "CREATECONSUMER", Key(p), Group(p), Consumer(p)],
        p => ["XGROUP", "DELCONSUMER", Key(p), Group(p), Consumer(p)],
        p => ["XGROUP", .. p.Pick<string[]>(["HELP"], ["HELP", "x"], [], ["x", "y", "z"], ["CREATE", "a", "b"])],
        p => ["XACK", Key(p), Group(p), .. p.Several(Many(p), () => Id(p))],
        p => ["XPENDING", Key(p), Group(p)],
        Pending, Pending,
        Info, Info, Info,
        p => ["TYPE", AnyKey(p)],
        p => ["OBJECT", "ENCODING", AnyKey(p)],
        p => ["DEBUG", "DIGEST-VALUE", Key(p)],
        p => ["DEL", AnyKey(p)],
        p => ["RENAME", Key(p), Key(p)],
        p => ["COPY", Key(p), Key(p), "REPLACE"],
    ];

    public string Name => "streams";

    public OracleStep Next(CommandPool pool) => pool.Below(10) switch
    {
        0 => Together([.. Enumerable.Range(0, 3 + pool.Below(25)).Select(_ => Add(pool, mayBeWrong: false))]),
        1 or 2 => Together(ReadForGroup(pool)),
        3 => Together(pool.Chance(0.5) ? Claim(pool) : AutoClaim(pool)),
        4 when pool.Chance(0.5) => Transaction(pool),
        4 when pool.Chance(0.3) => Together(RemoveConsumer(pool)),
        4 when pool.Chance(0.2) => OracleStep.Single(
            "CONFIG", "SET", "stream-node-max-entries", pool.Pick("1", "3", "7", "100", "0")),
        _ => OracleStep.Single(Random(pool)),
    };

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static OracleStep Transaction(CommandPool pool)
    {
        var commands = new List<string[]>();
        for (var left = pool.Below(MostQueued); left >= 0; left--)
        {
            commands.AddRange(pool.Below(3) == 0 ? ReadForGroup(pool) : [Random(pool)]);
        }

        return Together([["MULTI"], .. commands, ["EXEC"]]);
    }

    private static OracleStep Together(List<string[]> commands)
        => new(StepKind.Commands, [.. commands.Select(words => RespCommand.Of(words))], replyCount: commands.Count);

    private static string Key(CommandPool pool) => pool.Chance(0.03) ? pool.Key() : pool.Pick(s_keys);

    private static string AnyKey(CommandPool pool) => pool.Chance(0.1) ? Timed : Key(pool);

    private static string Group(CommandPool pool) => pool.Chance(0.05) ? "nobody" : pool.Pick("g1", "g2", "");

    private static string Consumer(CommandPool pool) => pool.Pick("alice", "bob", "carol", "\0\xff");

    private static string Value(CommandPool pool)
        => pool.Chance(0.1) ? pool.Value() : pool.Pick("a", "1", "-70", "12345");

    /// <summary>An id that may be an entry's.</summary>
    private static string Id(CommandPool pool)
    {
        var ms = CommandPool.Text(pool.Below(pool.Risen + 3));
        return pool.Below(20) switch
        {
            0 => Strange(pool),
            < 5 => ms,
            < 15 => $"{ms}-0",
            _ => $"{ms}-{pool.Below(4)}",
        };
    }

    private static string Strange(CommandPool pool) => pool.Pick(
        "", "-", "+", "x", "1-", "-1", "1-x", "0", "0-0", "0-1", "18446744073709551615", "18446744073709551616", " 1",
        "+1-0", "01-00", "1-1-1", "1-*", "*", "$", ">", "18446744073709551615-18446744073709551615", "1 -1", "1-+2",
        "1--2", "-0-1", "1.5", "\0", "1-0\0x", new string('1', 130));

    private static string End(CommandPool pool) => pool.Below(8) switch
    {
        0 => "-",
        1 => "+",
        2 or 3 => "(" + Id(pool),
        _ => Id(pool),
    };

    /// <summary>How many ids a command may name: some are done in steps.</summary>
    private static int Many(CommandPool pool) => pool.Chance(0.2) ? 40 : 5;

    private static string[] Count(CommandPool pool)
        => pool.Chance(0.5)
            ? []
            : [pool.MixedCase("COUNT"),
                pool.Chance(0.1) ? pool.Integer() : pool.Pick("1", "2", "5", "10", "100", "0", "-1")];

    private static string[] Add(CommandPool pool) => Add(pool, mayBeWrong: true);

    private static string[] Add(CommandPool pool, bool mayBeWrong)
    {
        var words = new List<string> { "XADD", Key(pool) };
        if (pool.Chance(0.1))
        {
            words.Add(pool.MixedCase("NOMKSTREAM"));
        }

        if (pool.Chance(0.25))
        {
            words.AddRange(Trim(pool));
        }

        words.Add(pool.Below(mayBeWrong ? 12 : 10) switch
        {
            < 4 => $"{pool.Rise()}-0",
            < 7 => $"{pool.Rise()}-*",
            7 => $"{pool.Risen}-*",
            < 10 => $"{pool.Rise()}",
            _ => Id(pool) is not "*" and var id ? id : "-*", // By the clock two servers give two ids.
        });
        string[] names = pool.Chance(0.7)
            ? ["temperature", "wind"]
            : pool.Several(3, () => pool.Pick("wind", "b", "7"));
        words.AddRange(names.SelectMany(name => new[] { name, Value(pool) }));
        return [.. words];
    }

    private static string[] Trim(CommandPool pool)
    {
        var words = new List<string>();
        var isLength = pool.Chance(0.6);
        words.Add(pool.MixedCase(isLength ? "MAXLEN" : "MINID"));
        if (pool.Chance(0.6))
        {
            words.Add(pool.Pick("~", "~", "="));
        }

        words.Add(isLength ? pool.Pick("0", "1", "3", "8", "20", "50", "-1", "x", s_extreme[0]) : Id(pool));
        if (pool.Chance(0.3))
        {
            words.AddRange(
                [pool.MixedCase("LIMIT"), pool.Pick("0", "1", "3", "10", "100", "-1", "x", pool.Pick(s_extreme))]);
        }

        return [.. words];
    }

    private static string[] SetIdOptions(CommandPool pool) => pool.Below(4) switch
    {
        0 => [pool.MixedCase("ENTRIESADDED"), pool.Pick("0", "1000", "-1", "x")],
        1 => ["ENTRIESADDED", pool.Pick("100", "1000"), "MAXDELETEDID", Id(pool)],
        2 when pool.Chance(0.3) => [pool.MixedCase("MAXDELETEDID"), Id(pool)],
        _ => [],
    };

    private static string[] EntriesRead(CommandPool pool)
        => pool.Chance(0.7) ? [] : [pool.MixedCase("ENTRIESREAD"), pool.Pick("0", "1", "5", "-1", "-2", "x")];

    private static string[] Create(CommandPool pool)
        => ["XGROUP", pool.MixedCase("CREATE"), Key(pool), Group(pool), pool.Pick("0", "$", Id(pool)),
            .. pool.Chance(0.5) ? [pool.MixedCase("MKSTREAM")] : Array.Empty<string>(), .. EntriesRead(pool)];

    private static string[] Read(CommandPool pool)
    {
        string[] keys = [.. pool.Several(3, () => AnyKey(pool))];
        return ["XREAD", .. Count(pool), .. Block(pool), pool.MixedCase("STREAMS"), .. keys,
            .. keys.Select(_ => pool.Pick("0", "$", Seen(pool), Seen(pool)))];
    }

    /// <summary>An id behind which to read. That + is one is new in Redis 7.4.</summary>
    private static string Seen(CommandPool pool) => Id(pool) is var id && id == "+" ? "0" : id;

    /// <summary>Nobody would end a wait.</summary>
    private static string[] Block(CommandPool pool)
        => pool.Chance(0.9) ? [] : [pool.MixedCase("BLOCK"), pool.Pick("1", "2", "-1", "x", "1.5")];

    private static List<string[]> ReadForGroup(CommandPool pool)
    {
        var (group, consumer) = (Group(pool), Consumer(pool));
        string[] keys = [.. pool.Several(pool.Chance(0.8) ? 1 : 3, () => Key(pool))];
        return
        [
            .. keys.Select(key => new[] { "XGROUP", "CREATECONSUMER", key, group, consumer }),
            ["XREADGROUP", pool.MixedCase("GROUP"), group, consumer, .. Count(pool), .. Block(pool),
                .. pool.Chance(0.2) ? [pool.MixedCase("NOACK")] : Array.Empty<string>(), "STREAMS", .. keys,
                .. keys.Select(_ => pool.Chance(0.7) ? ">" : pool.Pick("0", Seen(pool), "$"))],
        ];
    }

    private static List<string[]> Claim(CommandPool pool)
    {
        var (key, group, consumer) = (Key(pool), Group(pool), Consumer(pool));
        var words = new List<string> { "XCLAIM", key, group, consumer, MinIdle(pool) };
        words.AddRange(pool.Several(Many(pool), () => Id(pool)));
        while (pool.Chance(0.4))
        {
            words.AddRange(pool.Below(7) switch
            {
                0 => [pool.MixedCase("IDLE"), pool.Pick("0", "1000000", "-5", "x", pool.Pick(s_extreme))],
                1 => ["TIME", pool.Pick("1000", "-1", "9999999999999", "x", pool.Pick(s_extreme))],
                2 => [pool.MixedCase("RETRYCOUNT"), pool.Pick("0", "7", "-1", "x", pool.Pick(s_extreme))],
                3 => ["JUSTID"],
                4 => ["LASTID", Id(pool)],
                _ => new[] { pool.MixedCase("FORCE") },
            });
        }

        return [["XGROUP", "CREATECONSUMER", key, group, consumer], [.. words]];
    }

    private static List<string[]> AutoClaim(CommandPool pool)
    {
        var (key, group, consumer) = (Key(pool), Group(pool), Consumer(pool));
        return
        [
            ["XGROUP", "CREATECONSUMER", key, group, consumer],
            ["XAUTOCLAIM", key, group, consumer, MinIdle(pool), End(pool),
                .. pool.Chance(0.5)
                    ? ["COUNT", pool.Pick("1", "2", "5", "20", "100", "0", "-1", "x", pool.Pick(s_extreme))]
                    : Array.Empty<string>(),
                .. pool.Chance(0.3) ? [pool.MixedCase("JUSTID")] : Array.Empty<string>()],
        ];
    }

    /// <summary>A consumer goes that is there, often with what is pending for it.</summary>
    private static List<string[]> RemoveConsumer(CommandPool pool)
    {
        var (key, group, consumer) = (Key(pool), Group(pool), Consumer(pool));
        return
        [
            ["XREADGROUP", "GROUP", group, consumer, "COUNT", pool.Pick("1", "5", "100"), "STREAMS", key, ">"],
            ["XGROUP", "DELCONSUMER", key, group, consumer],
        ];
    }

    private static string MinIdle(CommandPool pool)
        => pool.Pick("0", "0", "0", "0", "500000", "-1", "x", pool.Pick(s_extreme));

    private static string[] Pending(CommandPool pool)
        => ["XPENDING", Key(pool), Group(pool),
            .. pool.Chance(0.3) ? [pool.MixedCase("IDLE"), MinIdle(pool)] : Array.Empty<string>(), End(pool), End(pool),
            pool.Pick("1", "10", "100", "0", "-1", pool.Pick(s_extreme)),
            .. pool.Chance(0.3) ? [Consumer(pool)] : Array.Empty<string>()];

    private static string[] Info(CommandPool pool) => pool.Below(8) switch
    {
        0 or 1 => ["XINFO", pool.MixedCase("STREAM"), AnyKey(pool)],
        2 => ["XINFO", "STREAM", Key(pool), pool.MixedCase("FULL")],
        3 => ["XINFO", "STREAM", Key(pool), "FULL", pool.MixedCase("COUNT"), pool.Pick("0", "1", "3", "-1", "x")],
        4 => ["XINFO", "CONSUMERS", Key(pool), Group(pool)],
        5 => ["XINFO", .. pool.Pick<string[]>(["HELP"], [], ["x", "y"], ["STREAM", "stream:1", "x"])],
        _ => ["XINFO", pool.MixedCase("GROUPS"), Key(pool)],
    };
}
