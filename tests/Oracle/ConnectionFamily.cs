using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>The connection's own commands: protocol version, names, muted replies, inline lines.</summary>
internal sealed class ConnectionFamily : ICommandFamily
{
    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        _ => ["PING"],
        p => ["PING", p.Value()],
        p => ["ECHO", p.Value()],
        p => ["SELECT", p.Pick("0", "1", "15", "16", "-1", "abc", "", "99999999999999999999")],
        Hello, Hello,
        _ => ["RESET"],
        p => ["AUTH", p.Value()],
        p => ["AUTH", p.Pick("default", "nobody"), p.Value()],
        Client, Client, Client, Client,
    ];

    public string Name => "connection";

    public bool MayBeRefused => false;

    public OracleStep Next(CommandPool pool) => pool.Below(12) switch
    {
        0 => Muted(pool),
        1 => Skipped(pool),
        2 => InlineCommand(pool),
        3 => EmptyLine(pool),
        _ => OracleStep.Single(Random(pool)),
    };

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) =>
        WithOneOption(CommandNoise.Apply(pool, pool.Pick(s_commands)(pool)));

    /// <summary>Redis 7.2, which Strata follows, reads all options of HELLO before it acts on any, and 7.0 acts on each
    /// as it is read: with one option they do the same.</summary>
    private static string[] WithOneOption(string[] words)
    {
        if (words.Length < 3 || !words[0].Equals("HELLO", StringComparison.OrdinalIgnoreCase))
        {
            return words;
        }

        var length = words[2].ToUpperInvariant() switch
        {
            "AUTH" => 5,
            "SETNAME" => 4,
            _ => words.Length,
        };
        return words[..Math.Min(length, words.Length)];
    }

    /// <summary>Commands without replies between OFF and ON; the one reply is that of ON.</summary>
    private static OracleStep Muted(CommandPool pool)
    {
        var commands = new List<RespCommand> { RespCommand.Of("CLIENT", "REPLY", pool.MixedCase("OFF")) };
        commands.AddRange(pool.Several(3, () => string.Empty).Select(_ => RespCommand.Of(StringsFamily.Random(pool))));
        commands.Add(RespCommand.Of("CLIENT", "REPLY", pool.MixedCase("ON")));
        return new OracleStep(StepKind.Commands, commands, replyCount: 1);
    }

    /// <summary>A command whose reply is skipped; the one reply is that of the command after it.</summary>
    private static OracleStep Skipped(CommandPool pool)
    {
        RespCommand[] commands =
        [
            RespCommand.Of("CLIENT", "REPLY", pool.MixedCase("SKIP")),
            RespCommand.Of(StringsFamily.Random(pool)),
            RespCommand.Of("GET", pool.Key()),
        ];
        return new OracleStep(StepKind.Commands, commands, replyCount: 1);
    }

    private static OracleStep InlineCommand(CommandPool pool)
    {
        var line = pool.Below(8) switch
        {
            0 => "PING",
            1 => "  ping   hello  ",
            2 => "SET inline \"a b\\x00\\n\\\"c\"",
            3 => "get inline",
            4 => "SET 'in line' 'it\\'s'",
            5 => "EXISTS inline 'in line' \"\"",
            6 => "SET inline",
            _ => "nonsense \"\" 1 2",
        };
        return OracleStep.Single(RespCommand.Inline(line));
    }

    /// <summary>An empty line and an array of nothing have no reply; the one reply is that of PING.</summary>
    private static OracleStep EmptyLine(CommandPool pool)
    {
        var nothing = pool.Chance(0.5) ? RespCommand.Inline(string.Empty) : new RespCommand([]);
        return new OracleStep(StepKind.Commands, [nothing, RespCommand.Of("PING", pool.Value())], replyCount: 1);
    }

    private static string[] Hello(CommandPool pool)
    {
        var words = new List<string> { "HELLO" };
        if (pool.Chance(0.9))
        {
            words.Add(pool.Pick("2", "3", "2", "3", "2", "3", "1", "4", "abc", "", "-3"));
        }

        while (words.Count > 1 && pool.Chance(0.3))
        {
            string[] option = pool.Below(4) switch
            {
                0 => ["AUTH", "default", pool.Value()],
                1 => ["AUTH", "nobody", pool.Value()],
                2 => ["SETNAME", ClientName(pool)],
                _ => ["WITH", "junk"],
            };
            words.AddRange(option);
        }

        return [.. words];
    }

    private static string[] Client(CommandPool pool) => pool.Below(14) switch
    {
        0 or 1 => ["CLIENT", pool.MixedCase("SETNAME"), ClientName(pool)],
        2 or 3 => ["CLIENT", pool.MixedCase("GETNAME")],
        4 => ["CLIENT", "ID"],
        5 => ["CLIENT", "NO-EVICT", pool.MixedCase(pool.Pick("ON", "OFF", "MAYBE"))],
        6 => ["CLIENT", "REPLY", pool.Pick("ON", "on", "junk", "")],
        7 => ["CLIENT", pool.Pick("INFO", "LIST", "HELP")],
        8 => ["CLIENT", "KILL", .. pool.Pick<string[]>(
            ["ID", "abc"], ["ID", "0"], ["1.2.3.4:5"], ["TYPE", "junk"], ["junk", "1"], ["ID"], ["SKIPME", "maybe"],
            ["ID", "-5", "TYPE", "junk"], ["ID", "99999999", "TYPE"], ["USER", "nobody"], ["TYPE", "master"],
            ["USER", "default", "ID", "99999999"], ["LADDR", "x"], ["ADDR", "1.2.3.4:5", "SKIPME", "no"],
            ["ID", "99999999999999999999", "x"], ["TYPE", "slave", "TYPE", "replica"], [])],
        9 => ["CLIENT", "PAUSE", .. pool.Pick<string[]>(["abc"], ["-1"], [], ["0", "LATER"], ["0"])],
        10 => ["CLIENT", "UNPAUSE"],
        11 => ["CLIENT", "UNBLOCK", pool.Pick("0", "abc", "99999999"), .. pool.Pick<string[]>(
            [], ["TIMEOUT"], ["ERROR"], ["junk"])],
        12 => ["CLIENT", "LIST", .. pool.Pick<string[]>(["TYPE", "normal"], ["TYPE", "junk"], ["ID", "abc"], ["junk"])],
        _ => ["CLIENT", .. pool.Pick<string[]>([], ["junk"], ["junk", "a", "b"], [""])],
    };

    private static string ClientName(CommandPool pool) =>
        pool.Pick("me", "", "a b", "line\n", "\xff", "other-name", "x\x7f");
}
