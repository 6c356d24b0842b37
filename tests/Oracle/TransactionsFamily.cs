using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>Transactions of commands of the other families, with errors inside, and watched keys that the same
/// connection changes. A step leaves no transaction open.</summary>
internal sealed class TransactionsFamily : ICommandFamily
{
    public string Name => "transactions";

    public OracleStep Next(CommandPool pool)
    {
        if (pool.Chance(0.15))
        {
            return OracleStep.Single(CommandNoise.Apply(pool, Lone(pool)));
        }

        var commands = new List<string[]>();
        if (pool.Chance(0.4))
        {
            commands.Add(["WATCH", .. pool.Several(3, pool.Key)]);
        }

        while (pool.Chance(0.3))
        {
            commands.Add(Queued(pool));
        }

        commands.Add(["MULTI"]);
        for (var left = pool.Below(6); left >= 0; left--)
        {
            commands.Add(pool.Chance(0.1) ? Odd(pool) : Queued(pool));
        }

        commands.Add(pool.Chance(0.9) ? ["EXEC"] : ["DISCARD"]);
        return new OracleStep(
            StepKind.Commands, [.. commands.Select(words => RespCommand.Of(words))], replyCount: commands.Count);
    }

    private static string[] Lone(CommandPool pool) => pool.Below(5) switch
    {
        0 => ["UNWATCH"],
        1 => ["EXEC"],
        2 => ["DISCARD"],
        _ => ["WATCH", .. pool.Several(3, pool.Key)],
    };

    private static string[] Queued(CommandPool pool) => pool.Below(18) switch
    {
        0 => ["EXISTS", .. pool.Several(3, pool.Key)],
        1 => ["DEL", .. pool.Several(3, pool.Key)],
        2 => ["RENAME", pool.Key(), pool.Key()],
        3 => ["COPY", pool.Key(), pool.Key(), "REPLACE"],
        4 => BitmapsFamily.Random(pool),
        5 => ["SELECT", pool.Pick("0", "0", "1", "16")],
        6 => pool.Pick<string[]>(["FLUSHDB"], ["FLUSHALL"], ["SWAPDB", "0", "1"], ["KEYS", "*"], ["PING"], ["UNWATCH"]),
        7 => ["PEXPIREAT", pool.Key(), "1"],
        8 => ListsFamily.Random(pool),
        9 => HashesFamily.Random(pool),
        10 => SetsFamily.Random(pool),
        11 => SortedSetsFamily.Random(pool),
        12 => HyperLogLogsFamily.Random(pool),
        _ => StringsFamily.Random(pool),
    };

    /// <summary>What a transaction refuses, or should not hold.</summary>
    private static string[] Odd(CommandPool pool) => pool.Below(8) switch
    {
        0 => ["MULTI"],
        1 => ["WATCH", pool.Key()],
        2 => ["NOSUCHCOMMAND", pool.Key()],
        3 => ["SET", pool.Key()],
        4 => ["EXEC", "now"],
        5 => ["DISCARD", "now"],
        6 => ["CLIENT", "NOSUCHSUBCOMMAND"],
        _ => ["OBJECT", "ENCODING", pool.Key()],
    };
}
