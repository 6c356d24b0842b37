using Strata.Tests.Oracle;

namespace Strata.Tests.Server.Changes;

/// <summary>Hashes whose fields expire, and keys that do, some within milliseconds: what Redis before 7.4 lacks,
/// and what the oracle, for which time stands still, cannot compare.</summary>
internal sealed class FieldExpiryFamily : ICommandFamily
{
    public string Name => "field-expiry";

    public OracleStep Next(CommandPool pool) => OracleStep.Single(pool.Below(8) switch
    {
        0 or 1 or 2 => ["HSET", pool.Key(), Field(pool), pool.Value(), Field(pool), pool.Value()],
        3 => ["HPEXPIRE", pool.Key(), Milliseconds(pool), "FIELDS", "2", Field(pool), Field(pool)],
        4 => ["HPERSIST", pool.Key(), "FIELDS", "1", Field(pool)],
        5 => ["HDEL", pool.Key(), Field(pool)],
        6 => ["PEXPIRE", pool.Key(), Milliseconds(pool)],
        _ => ["HGETALL", pool.Key()],
    });

    private static string Field(CommandPool pool) => $"field:{pool.Below(6)}";

    private static string Milliseconds(CommandPool pool) => pool.Pick("0", "1", "2", "5", "100000");
}
