using Strata.Tests.Support;

namespace Strata.Tests.Oracle;

/// <summary>SORT and SORT_RO, with what they sort and the keys that their patterns name.</summary>
internal sealed class SortFamily : ICommandFamily
{
    // Sets have a key of their own: unsorted, their order is each server's own.
    private const string SetKey = "sort:set";
    private const string SortedSetKey = "sort:sortedset";

    /// <summary>Redis's SORT takes numbers for wrong if an earlier command met one that C's strtod or strtoul finds too
    /// large: it does not clear errno. Reading a cursor clears it.</summary>
    private static readonly RespCommand s_clearError = RespCommand.Of("HSCAN", "sort:none", "0");

    private static readonly string[] s_patterns =
    [
        "w_*", "w_*", "w_*", "x_*", "#", "nosort", "h_*->f", "h_*->f", "h_*->g", "w_*->f", "*", "w_*->", "w_", "\0*",
        "w_*\0",
    ];

    private static readonly string[] s_elements = ["1", "2", "3", "10", "-4", "5", "2.5", "1e1", "0x1f", "inf"];

    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Fill, Fill,
        Weigh, Weigh, Weigh,
        p => ["ZADD", SortedSetKey, p.Pick("1", "2", "3"), Element(p), p.Pick("4", "5"), Element(p)],
        p => ["HSET", "h_" + p.Pick(s_elements), "f", Element(p)],
        p => ["DEL", p.Key()],
        p => Sort(p, SortedSetKey, s_patterns),
        p => ["LRANGE", p.Key(), "0", "-1"],
        Sort, Sort, Sort, Sort, Sort, Sort, Sort, Sort,
    ];

    public string Name => "sort";

    public OracleStep Next(CommandPool pool)
    {
        var command = RespCommand.Of(pool.Chance(0.15) ? OnSet(pool) : Random(pool));
        return command.Verb.StartsWith("SORT", StringComparison.Ordinal)
            ? new OracleStep(StepKind.Commands, [s_clearError, command], replyCount: 2)
            : OracleStep.Single(command);
    }

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    /// <summary>A command on the set, always a right one: noise might leave out what orders the reply.</summary>
    private static string[] OnSet(CommandPool pool)
        => pool.Chance(0.4)
            ? ["SADD", SetKey, .. pool.Several(5, () => Element(pool))]
            : Sort(pool, SetKey, ["w_*", "x_*", "h_*->f"]);

    private static string Element(CommandPool pool)
        => pool.Chance(0.03) ? pool.Value() : pool.Pick(s_elements);

    private static string[] Fill(CommandPool pool)
        => ["RPUSH", pool.Key(), .. pool.Several(pool.Chance(0.1) ? 80 : 8, () => Element(pool))];

    private static string[] Weigh(CommandPool pool)
        => ["SET", pool.Pick("w_", "w_", "x_") + pool.Pick(s_elements), Element(pool)];

    private static string[] Sort(CommandPool pool) => Sort(pool, pool.Key(), s_patterns);

    private static string[] Sort(CommandPool pool, string key, string[] patterns)
    {
        var words = new List<string> { pool.Chance(0.2) ? "SORT_RO" : "SORT", key };
        var isAlpha = pool.Chance(0.4);

        // By text, the keys that are not there are all equal, and which of them comes first is open.
        if (pool.Chance(0.3) && !isAlpha)
        {
            words.AddRange([pool.MixedCase("BY"), pool.Pick(patterns)]);
        }

        if (isAlpha)
        {
            words.Add(pool.MixedCase("ALPHA"));
        }

        while (pool.Chance(0.35))
        {
            words.AddRange([pool.MixedCase("GET"), pool.Pick(s_patterns)]);
        }

        if (pool.Chance(0.3))
        {
            words.AddRange([pool.MixedCase("LIMIT"), pool.Position(), pool.Position()]);
        }

        if (pool.Chance(0.4))
        {
            words.Add(pool.MixedCase(pool.Pick("ASC", "DESC")));
        }

        if (pool.Chance(0.25))
        {
            words.AddRange([pool.MixedCase("STORE"), pool.Key()]);
        }

        return [.. words];
    }
}
