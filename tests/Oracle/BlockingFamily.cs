using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>
/// Commands that wait for lists and sorted sets, where they need not: something is there, they are in a transaction, or
/// their time is up in a moment. Nobody else would end a wait, so that no command may have a timeout of 0, or be made
/// wrong in a way that gives it one.
/// </summary>
internal sealed class BlockingFamily : ICommandFamily
{
    private const int MostQueued = 5;

    public string Name => "blocking";

    public bool MayBeRefused => false;

    public OracleStep Next(CommandPool pool) => pool.Below(11) switch
    {
        0 or 1 => OracleStep.Single(ListsFamily.Random(pool)),
        2 or 3 => OracleStep.Single(SortedSetsFamily.Random(pool)),
        4 => OracleStep.Single(Wrong(pool)),
        5 => OracleStep.Single(Command(pool, Moment(pool))),
        6 or 7 => AfterPush(pool),
        8 => OracleStep.Single(Wait(pool)),
        _ => Transaction(pool),
    };

    /// <summary>What is pushed may be of another type than what is waited for.</summary>
    private static OracleStep AfterPush(CommandPool pool)
    {
        var key = pool.Key();
        string[] push = pool.Chance(0.5)
            ? ["RPUSH", key, "a", "b"]
            : ["ZADD", key, "1", "a", "2", "b"];
        return Together(push, Command(pool, Moment(pool), key));
    }

    private static OracleStep Transaction(CommandPool pool)
    {
        var commands = new List<string[]> { new[] { "MULTI" } };
        for (var left = pool.Below(MostQueued); left >= 0; left--)
        {
            commands.Add(pool.Below(4) switch
            {
                0 => ListsFamily.Random(pool),
                1 => SortedSetsFamily.Random(pool),
                2 when pool.Chance(0.2) => ["WAIT", pool.Pick("0", "1", "x"), pool.Pick("0", "1", "-1", "x")],
                2 => CommandNoise.Apply(pool, Command(pool, pool.Pick("0", "0", "1", "1000", "-1", "x"))),
                _ => Command(pool, "0"),
            });
        }

        commands.Add(["EXEC"]);
        return Together(commands);
    }

    private static OracleStep Together(params List<string[]> commands)
        => new(StepKind.Commands, [.. commands.Select(words => RespCommand.Of(words))], replyCount: commands.Count);

    private static string[] Command(CommandPool pool, string timeout, string? first = null)
    {
        string[] keys = [first ?? pool.Key(), .. pool.Chance(0.5) ? pool.Several(3, pool.Key) : []];
        return pool.Below(8) switch
        {
            0 => ["BLPOP", .. keys, timeout],
            1 => ["BRPOP", .. keys, timeout],
            2 => ["BLMOVE", keys[0], pool.Key(), End(pool), End(pool), timeout],
            3 => ["BRPOPLPUSH", keys[0], pool.Key(), timeout],
            4 => ["BLMPOP", timeout, CommandPool.Text(keys.Length), .. keys, End(pool), .. Count(pool)],
            5 => ["BZPOPMIN", .. keys, timeout],
            6 => ["BZPOPMAX", .. keys, timeout],
            _ => ["BZMPOP", timeout, CommandPool.Text(keys.Length), .. keys, pool.MixedCase(pool.Pick("MIN", "MAX")),
                .. Count(pool)],
        };
    }

    /// <summary>Commands that are refused before they look at a key. Timeouts of more milliseconds than a number holds
    /// are left out: Redis 7.0 takes them for negative ones, or waits, 7.2 says that they are out of range.</summary>
    private static string[] Wrong(CommandPool pool)
    {
        var timeout = pool.Pick("-1", "-0.5", "", "x", "1x", "nan", "-inf", " 1", "1 ", "-9223372036854775808", "0x",
            "1,5");
        return pool.Below(5) switch
        {
            0 => [pool.Pick("BLPOP", "BRPOP", "BZPOPMIN", "BZPOPMAX", "BLMOVE", "BRPOPLPUSH", "BLMPOP", "BZMPOP")],
            1 => ["BLMOVE", pool.Key(), pool.Key(), pool.Pick("LEFT", "UP"), "DOWN", Moment(pool)],
            2 => [pool.Pick("BLMPOP", "BZMPOP"), Moment(pool), pool.Pick("0", "-1", "x", "3", ""), pool.Key(),
                pool.Pick("LEFT", "MIN")],
            3 => [pool.Pick("BLMPOP", "BZMPOP"), Moment(pool), "1", pool.Key(), pool.Pick("AT", "MIDDLE"), "COUNT",
                pool.Pick("0", "-1", "x", "1")],
            _ => Command(pool, timeout),
        };
    }

    /// <summary>There are no replicas: it waits for its time, which is never 0.</summary>
    private static string[] Wait(CommandPool pool) => ["WAIT", .. pool.Pick<string[]>(
        ["0", "0"], ["-1", "0"], [pool.Pick("0", "1", "5", "-5"), pool.Pick("1", "5", "10")], ["x", "1"], ["1", "x"],
        ["1", "-1"], ["", ""], ["0", "1.5"], ["1"], ["0", "1", "1"], ["99999999999999999999", "1"])];

    private static string Moment(CommandPool pool) => pool.Pick("0.01", "0.001", "0.005", "1e-2", ".01", "0.0101");

    private static string End(CommandPool pool) => pool.MixedCase(pool.Pick("LEFT", "RIGHT"));

    private static string[] Count(CommandPool pool)
        => pool.Chance(0.5) ? [] : [pool.MixedCase("COUNT"), pool.Pick("1", "2", "100", "1", "0", "-1", "x")];
}
