using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Documentation;

/// <summary>
/// What Redis 7.2 has and this server does not, one line each. Whoever adds a command's row takes its line away: a test
/// finds those that are in both lists, and compares the two together with what a redis-server says it has.
/// </summary>
public static class MissingCommands
{
    /// <summary>The commands and subcommands, by group and name. Those of SENTINEL, which only Redis Sentinel has, are
    /// not among them.</summary>
    public static IReadOnlyList<MissingCommand> All { get; } =
    [
        new("psync", CommandGroup.Server, "2.8.0"),
        new("replconf", CommandGroup.Server, "3.0.0"),
        new("replicaof", CommandGroup.Server, "5.0.0"),
        new("restore-asking", CommandGroup.Server, "3.0.0"),
        new("slaveof", CommandGroup.Server, "1.0.0"),
        new("sync", CommandGroup.Server, "1.0.0"),
    ];

    /// <summary>The full names of all of them.</summary>
    internal static IReadOnlySet<string> Names { get; } = All.Select(static command => command.FullName).ToHashSet();
}
