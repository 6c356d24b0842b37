namespace Strata.Tests.Oracle;

/// <summary>Commands of HyperLogLogs, whose bytes are compared by GET; one is damaged by SETRANGE and APPEND.</summary>
internal sealed class HyperLogLogsFamily : ICommandFamily
{
    /// <summary>Gets one element at a time: of several, Redis keeps those before the one that meets the damage.
    /// </summary>
    private const string Damaged = "hll:damaged";

    private static readonly string[] s_keys = ["hll:1", "hll:2", "hll:3"];

    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        Add, Add, Add,
        p => ["PFADD", Damaged, .. p.Chance(0.2) ? [] : new[] { p.Integer() }],
        p => ["COPY", p.Pick(s_keys), Damaged, "REPLACE"],
        p => ["PFCOUNT", Key(p)],
        p => ["PFCOUNT", Key(p), .. p.Several(4, () => Key(p))],
        p => ["PFMERGE", Key(p), .. p.Several(4, () => Key(p))],
        p => ["GET", Key(p)],
        p => ["PFDEBUG", p.MixedCase(p.Pick("ENCODING", "ENCODING", "DECODE", "TODENSE", "GETREG", "OTHER")), Key(p)],
        Damage,
        p => ["DEL", Key(p)],
    ];

    public string Name => "hyperloglogs";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string Key(CommandPool pool) => pool.Below(20) switch
    {
        0 => pool.Key(),
        <= 2 => Damaged,
        _ => pool.Pick(s_keys),
    };

    private static string[] Add(CommandPool pool)
    {
        var elements = new string[pool.Pick(0, 1, 1, 3, 40, 300, 2000)];
        var universe = pool.Pick(10, 1000, 1 << 24);
        for (var i = 0; i < elements.Length; i++)
        {
            elements[i] = pool.Chance(0.01) ? pool.Value() : CommandPool.Text(pool.Below(universe));
        }

        return ["PFADD", pool.Pick(s_keys), .. elements];
    }

    /// <summary>Whatever the damage, no code of two bytes may be cut off at the end: for its second byte Redis reads
    /// what is behind the string.</summary>
    private static string[] Damage(CommandPool pool) => pool.Below(6) switch
    {
        0 => ["SETRANGE", Damaged, CommandPool.Text(pool.Below(60)), pool.Pick("\0", "\xff", "\x80\x84", "\xbf")],
        1 => ["APPEND", Damaged, pool.Pick("\0", "\xff", "\x80\x84", "\x40\x01", "\x7f\xff")],
        2 => ["SETRANGE", Damaged, CommandPool.Text(pool.Below(16)), "\0"],
        3 => ["SETRANGE", Damaged, "0", "HYLL"],
        _ => ["GETRANGE", Key(pool), "0", "15"],
    };
}
