using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Cluster;

/// <summary>CLUSTER and its subcommands. HELP is refused like the others.</summary>
internal static class Cluster
{
    private const CommandFlags Management = CommandFlags.NoAsyncLoading | CommandFlags.Admin | CommandFlags.Stale;

    public static readonly CommandRow Row = new(
        "cluster",
        -2,
        CommandFlags.None,
        OutsideOfCluster.Subcommand("addslots", -3, Management, syntax: "slot [slot ...]"),
        OutsideOfCluster.Subcommand(
            "addslotsrange", -4, Management, "7.0.0", "start-slot end-slot [start-slot end-slot ...]"),
        OutsideOfCluster.Subcommand("bumpepoch", 2, Management),
        OutsideOfCluster.Subcommand(
            "count-failure-reports", 3, CommandFlags.Admin | CommandFlags.Stale, syntax: "node-id"),
        OutsideOfCluster.Subcommand("countkeysinslot", 3, CommandFlags.Stale, syntax: "slot"),
        OutsideOfCluster.Subcommand("delslots", -3, Management, syntax: "slot [slot ...]"),
        OutsideOfCluster.Subcommand(
            "delslotsrange", -4, Management, "7.0.0", "start-slot end-slot [start-slot end-slot ...]"),
        OutsideOfCluster.Subcommand("failover", -2, Management, syntax: "[FORCE | TAKEOVER]"),
        OutsideOfCluster.Subcommand("flushslots", 2, Management),
        OutsideOfCluster.Subcommand("forget", 3, Management, syntax: "node-id"),
        OutsideOfCluster.Subcommand("getkeysinslot", 4, CommandFlags.Stale, syntax: "slot count"),
        OutsideOfCluster.Subcommand("help", 2, CommandFlags.Loading | CommandFlags.Stale, "5.0.0"),
        OutsideOfCluster.Subcommand("info", 2, CommandFlags.Stale),
        OutsideOfCluster.Subcommand("keyslot", 3, CommandFlags.Stale, syntax: "key"),
        OutsideOfCluster.Subcommand("links", 2, CommandFlags.Stale, "7.0.0"),
        OutsideOfCluster.Subcommand("meet", -4, Management, syntax: "ip port [cluster-bus-port]"),
        OutsideOfCluster.Subcommand("myid", 2, CommandFlags.Stale),
        OutsideOfCluster.Subcommand("myshardid", 2, CommandFlags.Stale, "7.2.0"),
        OutsideOfCluster.Subcommand("nodes", 2, CommandFlags.Stale),
        OutsideOfCluster.Subcommand("replicas", 3, CommandFlags.Admin | CommandFlags.Stale, "5.0.0", "node-id"),
        OutsideOfCluster.Subcommand("replicate", 3, Management, syntax: "node-id"),
        OutsideOfCluster.Subcommand(
            "reset", -2, CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Stale, syntax: "[HARD | SOFT]"),
        OutsideOfCluster.Subcommand("saveconfig", 2, Management),
        OutsideOfCluster.Subcommand("set-config-epoch", 3, Management, syntax: "config-epoch"),
        OutsideOfCluster.Subcommand(
            "setslot", -4, Management, syntax: "slot <IMPORTING node-id | MIGRATING node-id | NODE node-id | STABLE>"),
        OutsideOfCluster.Subcommand("shards", 2, CommandFlags.Loading | CommandFlags.Stale, "7.0.0"),
        OutsideOfCluster.Subcommand("slaves", 3, CommandFlags.Admin | CommandFlags.Stale, syntax: "node-id"),
        OutsideOfCluster.Subcommand("slots", 2, CommandFlags.Loading | CommandFlags.Stale))
    {
        Group = CommandGroup.Cluster,
        Since = "3.0.0",
        Summary = "A container of the commands of a cluster.",
        Complexity = "Depends on the subcommand.",
    };
}
