namespace Strata.Tests.Oracle;

/// <summary>SORT and SORT_RO, with what they sort and the keys that their patterns name.</summary>
internal sealed class SortFamily : ICommandFamily
{
    private static readonly string[] s_elements = ["1", "2", "3", "10", "-4", "5", "2.5", "1e1", "0x1f", "inf"];

    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Fill, Fill,
        Weigh, Weigh, Weigh,
        p => ["DEL", p.Key()],
        p => ["LRANGE", p.Key(), "0", "-1"],
        Sort, Sort, Sort, Sort, Sort, Sort,
    ];

    public string Name => "sort";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string Element(CommandPool pool)
        => pool.Chance(0.03) ? pool.Value() : pool.Pick(s_elements);

    private static string[] Fill(CommandPool pool)
        => ["RPUSH", pool.Key(), .. pool.Several(pool.Chance(0.1) ? 80 : 8, () => Element(pool))];

    private static string[] Weigh(CommandPool pool)
        => ["SET", pool.Pick("w_", "w_", "x_") + pool.Pick(s_elements), Element(pool)];

    private static string Pattern(CommandPool pool)
        => pool.Pick("w_*", "w_*", "w_*", "x_*", "#", "nosort", "w_*->f", "*", "w_*->", "w_", "\0*", "w_*\0");

    private static string[] Sort(CommandPool pool)
    {
        var words = new List<string> { pool.Chance(0.2) ? "SORT_RO" : "SORT", pool.Key() };
        var isAlpha = pool.Chance(0.4);

        // By text, the keys that are not there are all equal, and which of them comes first is open.
        if (pool.Chance(0.3))
        {
            words.AddRange([pool.MixedCase("BY"), isAlpha ? pool.Pick("nosort", "x") : Pattern(pool)]);
        }

        if (isAlpha)
        {
            words.Add(pool.MixedCase("ALPHA"));
        }

        while (pool.Chance(0.35))
        {
            words.AddRange([pool.MixedCase("GET"), Pattern(pool)]);
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
