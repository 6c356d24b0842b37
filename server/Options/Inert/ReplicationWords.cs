using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>Words about copies on other servers: there are none.</summary>
internal static class ReplicationWords
{
    public static readonly IReadOnlyList<InertWord> All =
    [
        new("replicaof", new MasterSyntax(), "\"\"")
        {
            Alias = "slaveof", Change = ChangeRule.AtStart, Rank = InertRank.DataLoss,
        },
        new("masterauth", InertSyntax.Text, "\"\"") { IsSensitive = true },
        new("masteruser", InertSyntax.Text, "\"\"") { IsSensitive = true },
        new("min-replicas-to-write", InertSyntax.Integer, "0")
        {
            Alias = "min-slaves-to-write", Rank = InertRank.DataLoss,
        },
        new("min-replicas-max-lag", InertSyntax.Integer, "10") { Alias = "min-slaves-max-lag" },
        new("replica-serve-stale-data", InertSyntax.YesNo, "yes") { Alias = "slave-serve-stale-data" },
        new("replica-read-only", InertSyntax.YesNo, "yes") { Alias = "slave-read-only" },
        new("replica-lazy-flush", InertSyntax.YesNo, "no") { Alias = "slave-lazy-flush" },
        new("replica-ignore-maxmemory", InertSyntax.YesNo, "yes") { Alias = "slave-ignore-maxmemory" },
        new("replica-ignore-disk-write-errors", InertSyntax.YesNo, "no"),
        new("replica-priority", InertSyntax.Integer, "100") { Alias = "slave-priority" },
        new("replica-announced", InertSyntax.YesNo, "yes"),
        new("replica-announce-ip", InertSyntax.Text, "\"\"") { Alias = "slave-announce-ip" },
        new("replica-announce-port", InertSyntax.Port, "0") { Alias = "slave-announce-port" },
        new("repl-disable-tcp-nodelay", InertSyntax.YesNo, "no"),
        new("repl-diskless-sync", InertSyntax.YesNo, "yes"),
        new("repl-diskless-sync-delay", InertSyntax.Integer, "5"),
        new("repl-diskless-sync-max-replicas", InertSyntax.Integer, "0"),
        new("repl-diskless-load", new EnumerationSyntax("disabled", "on-empty-db", "swapdb"), "disabled"),
        new("repl-timeout", new IntegerSyntax(1, int.MaxValue), "60"),
        new("repl-ping-replica-period", new IntegerSyntax(1, int.MaxValue), "10") { Alias = "repl-ping-slave-period" },
        new("repl-backlog-size", new MemorySyntax(1), "1mb"),
        new("repl-backlog-ttl", InertSyntax.Long, "3600"),
        new("propagation-error-behavior", new EnumerationSyntax("ignore", "panic", "panic-on-replicas"), "ignore"),
        new("bind-source-addr", InertSyntax.Text, "\"\""),
    ];
}
