using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Cluster;

/// <summary>The commands of cluster mode, which a server alone knows and refuses: what their rows share.</summary>
internal static class OutsideOfCluster
{
    /// <summary>A command of its own: READONLY, READWRITE, ASKING.</summary>
    public static CommandRow Command(string name, CommandFlags flags, string summary)
        => new(name, 1, flags | CommandFlags.Fast, KeySpec.None, Refuse)
        {
            Group = CommandGroup.Cluster,
            Categories = AclCategories.Connection,
            Since = "3.0.0",
            Summary = summary,
            Complexity = "O(1)",
        };

    /// <summary>A subcommand of CLUSTER.</summary>
    public static CommandRow Subcommand(
        string name, int arity, CommandFlags flags, string since = "3.0.0", string syntax = "")
        => new(name, arity, flags, KeySpec.None, Refuse)
        {
            Group = CommandGroup.Cluster,
            Since = since,
            Summary = "Of a cluster alone: an error on a server that is no part of one.",
            Complexity = "O(1)",
            Syntax = syntax,
        };

    private static void Refuse(CommandContext context) => context.Reply.Error(Errors.NoCluster);
}
