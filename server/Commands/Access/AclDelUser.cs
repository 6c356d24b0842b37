using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Access;

/// <summary>ACL DELUSER username [username ...]</summary>
internal static class AclDelUser
{
    public static readonly CommandRow Row = new("deluser", -3, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "Deletes users, and closes their connections.",
        Complexity = "O(1) amortized time considering the typical user.",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Syntax = "username [username ...]",
    };

    private static void Execute(CommandContext context)
    {
        var names = new List<string>();
        for (var i = 2; i < context.Count; i++)
        {
            names.Add(ConfigurationText.FromBytes(context.Argument(i)));
        }

        if (names.Contains(AccessUser.DefaultName))
        {
            context.Reply.Error("ERR The 'default' user cannot be removed"u8);
            return;
        }

        var deleted = context.Services.Users.Delete(names);
        UserChange.Spread(context.Session, reply => reply.Integer(deleted));
    }
}
