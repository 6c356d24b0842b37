using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>ROLE</summary>
internal static class Role
{
    public static readonly CommandRow Row = new("role", 1,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.Admin | AclCategories.Dangerous,
        Since = "2.8.12",
        Summary = "Tells the server's part in replication: a master without replicas.",
        Complexity = "O(1)",
    };

    // The role, the offset in the stream of changes, which nobody is sent, and the replicas.
    private static void Execute(CommandContext context)
    {
        context.Reply.Array(3);
        context.Reply.Bulk("master"u8);
        context.Reply.Integer(0);
        context.Reply.Array(0);
    }
}
