using Strata.Server.Options.Syntax;

namespace Strata.Server.Options.Inert;

/// <summary>Words about Redis Cluster: the server stands alone.</summary>
internal static class ClusterWords
{
    public static readonly IReadOnlyList<InertWord> All =
    [
        new("cluster-enabled", InertSyntax.YesNo, "no") { Change = ChangeRule.AtStart, Rank = InertRank.DataLoss },
        new("cluster-config-file", InertSyntax.Text, "nodes.conf") { Change = ChangeRule.AtStart },
        new("cluster-port", InertSyntax.Port, "0") { Change = ChangeRule.AtStart },
        new("cluster-node-timeout", InertSyntax.Long, "15000"),
        new("cluster-ping-interval", InertSyntax.Long, "0") { IsHidden = true },
        new("cluster-require-full-coverage", InertSyntax.YesNo, "yes"),
        new("cluster-allow-reads-when-down", InertSyntax.YesNo, "no"),
        new("cluster-allow-pubsubshard-when-down", InertSyntax.YesNo, "yes"),
        new("cluster-allow-replica-migration", InertSyntax.YesNo, "yes"),
        new("cluster-migration-barrier", InertSyntax.Integer, "1"),
        new("cluster-replica-no-failover", InertSyntax.YesNo, "no") { Alias = "cluster-slave-no-failover" },
        new("cluster-replica-validity-factor", InertSyntax.Integer, "10") { Alias = "cluster-slave-validity-factor" },
        new("cluster-link-sendbuf-limit", InertSyntax.Size, "0"),
        new("cluster-announce-ip", InertSyntax.Text, "\"\""),
        new("cluster-announce-port", InertSyntax.Port, "0"),
        new("cluster-announce-bus-port", InertSyntax.Port, "0"),
        new("cluster-announce-tls-port", InertSyntax.Port, "0"),
        new("cluster-announce-hostname", InertSyntax.Text, "\"\""),
        new("cluster-announce-human-nodename", InertSyntax.Text, "\"\""),
        new("cluster-preferred-endpoint-type", new EnumerationSyntax("ip", "hostname", "unknown-endpoint"), "ip"),
    ];
}
