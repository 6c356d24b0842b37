using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>Commands on keys of any type: existence, names, databases, iteration.</summary>
internal sealed class KeysFamily : ICommandFamily
{
    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        p => ["DEL", .. p.Several(3, p.Key)],
        p => ["UNLINK", .. p.Several(3, p.Key)],
        p => ["EXISTS", .. p.Several(4, p.Key)],
        p => ["TOUCH", .. p.Several(4, p.Key)],
        p => ["TYPE", p.Key()],
        p => ["RENAME", p.Key(), p.Key()],
        p => ["RENAMENX", p.Key(), p.Key()],
        Copy, Copy,
        p => ["MOVE", p.Key(), Database(p)],
        p => ["KEYS", p.Glob()],
        p => ["SELECT", Database(p)],
        p => ["SWAPDB", Database(p), Database(p)],
        p => ["OBJECT", p.MixedCase("ENCODING"), p.Key()],
        p => ["OBJECT", p.MixedCase("REFCOUNT"), p.Key()],
        p => ["OBJECT", p.MixedCase("FREQ"), p.Key()],
    ];

    public string Name => "keys";

    public OracleStep Next(CommandPool pool) => pool.Below(12) switch
    {
        0 => new OracleStep(StepKind.FullScan, [RespCommand.Of(Scan(pool))], replyCount: 1),
        1 => new OracleStep(StepKind.RandomKey, [RespCommand.Of("RANDOMKEY")], replyCount: 1),
        2 => DbSize(),
        3 when pool.Chance(0.3) => OracleStep.Single(Flush(pool)),
        _ => OracleStep.Single(Random(pool)),
    };

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    /// <summary>
    /// A key that is past its time counts until a command meets it or the expiry cycle comes by; SCAN deletes those it
    /// meets, so that the count behind a whole one is the same whenever it is asked for.
    /// </summary>
    private static OracleStep DbSize() =>
        new(
            StepKind.KeyCount,
            [RespCommand.Of("SCAN", "0", "COUNT", "100000", "TYPE", "nothing"), RespCommand.Of("DBSIZE")],
            replyCount: 1);

    private static string Database(CommandPool pool) =>
        pool.Chance(0.1)
            ? pool.Pick("16", "-1", "abc", "", "9223372036854775807", "4294967296")
            : pool.Pick("0", "0", "1", "15");

    private static string[] Copy(CommandPool pool)
    {
        var words = new List<string> { "COPY", pool.Key(), pool.Key() };
        if (pool.Chance(0.4))
        {
            words.AddRange([pool.MixedCase("DB"), Database(pool)]);
        }

        if (pool.Chance(0.4))
        {
            words.Add(pool.MixedCase("REPLACE"));
        }

        return [.. words];
    }

    private static string[] Scan(CommandPool pool)
    {
        var words = new List<string> { "SCAN", "0" };
        if (pool.Chance(0.05))
        {
            words[1] = pool.Pick("abc", "", "-1x", "1.5");
        }

        if (pool.Chance(0.4))
        {
            words.AddRange([pool.MixedCase("MATCH"), pool.Glob()]);
        }

        if (pool.Chance(0.5))
        {
            words.Add(pool.MixedCase("COUNT"));
            words.Add(pool.Chance(0.15) ? pool.Pick("0", "-1", "abc", "") : pool.Pick("1", "3", "1000"));
        }

        if (pool.Chance(0.2))
        {
            words.AddRange([pool.MixedCase("TYPE"), pool.Pick("string", "STRING", "list", "hash")]);
        }

        var noisy = CommandNoise.Apply(pool, [.. words]);
        if (noisy.Length > 1 && long.TryParse(noisy[1], out _))
        {
            noisy[1] = "0"; // other cursors are each server's own
        }

        return noisy;
    }

    private static string[] Flush(CommandPool pool)
    {
        var verb = pool.Pick("FLUSHDB", "FLUSHDB", "FLUSHALL");
        return pool.Below(4) switch
        {
            0 => [verb, pool.MixedCase("ASYNC")],
            1 => [verb, pool.MixedCase("SYNC")],
            2 => [verb, "LATER"],
            _ => [verb],
        };
    }
}
