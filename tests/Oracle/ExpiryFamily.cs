namespace Strata.Tests.Oracle;

/// <summary>
/// Times to live. All lie in the far future or in the past, so that no reply depends on when a command runs.
/// </summary>
internal sealed class ExpiryFamily : ICommandFamily
{
    private static readonly Func<CommandPool, string[]>[] s_commands =
    [
        p => ["EXPIRE", p.Key(), p.TimeToLive(milliseconds: false), .. Conditions(p)],
        p => ["PEXPIRE", p.Key(), p.TimeToLive(milliseconds: true), .. Conditions(p)],
        p => ["EXPIREAT", p.Key(), p.PointInTime(milliseconds: false), .. Conditions(p)],
        p => ["PEXPIREAT", p.Key(), p.PointInTime(milliseconds: true), .. Conditions(p)],
        p => ["TTL", p.Key()],
        p => ["PTTL", p.Key()],
        p => ["EXPIRETIME", p.Key()],
        p => ["PEXPIRETIME", p.Key()],
        p => ["PERSIST", p.Key()],
    ];

    public string Name => "expiry";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(Random(pool));

    /// <summary>The arguments of a command of this family, for commands about commands.</summary>
    public static string[] Random(CommandPool pool) => CommandNoise.Apply(pool, pool.Pick(s_commands)(pool));

    private static string[] Conditions(CommandPool pool)
    {
        var words = new List<string>();
        while (pool.Chance(0.35))
        {
            words.Add(pool.MixedCase(pool.Pick("NX", "XX", "GT", "LT", "GE")));
        }

        return [.. words];
    }
}
