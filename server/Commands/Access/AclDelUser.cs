using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Access;

/// <summary>ACL DELUSER username [username ...]</summary>
internal static class AclDelUser
{
    private const int FirstName = 2;

    public static readonly CommandRow Row = new("deluser", -3, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "Deletes users, and closes their connections.",
        Complexity = "O(1) amortized time considering the typical user.",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Syntax = "username [username ...]",
    };

    private static void Execute(CommandContext context) => UserRemovalPass.Execute(context, FirstName);
}
