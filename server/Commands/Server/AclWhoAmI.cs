using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>ACL WHOAMI</summary>
internal static class AclWhoAmI
{
    public static readonly CommandRow Row = new("whoami", 2,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "Tells the client's user: default, the only one there is.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context) => context.Reply.Bulk(Passwords.DefaultUser);
}
