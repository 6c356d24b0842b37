using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Server;

/// <summary>ACL, the container of its subcommands. The default user is the only one, and has all rights.</summary>
internal static class Acl
{
    public static readonly CommandRow Row = new("acl", -2,
        CommandFlags.None,
        AclWhoAmI.Row,
        SubcommandHelp.Row(CommandGroup.Server, "6.0.0"))
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "A container of the commands about users.",
        Complexity = "Depends on the subcommand.",
    };
}
