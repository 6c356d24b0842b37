using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

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

    private static void Execute(CommandContext context)
    {
        for (var i = FirstName; i < context.Count; i++)
        {
            if (ConfigurationText.FromBytes(context.Argument(i)) == AccessUser.DefaultName)
            {
                context.Reply.Error("ERR The 'default' user cannot be removed"u8);
                return;
            }
        }

        var deleted = 0;
        for (var i = FirstName; i < context.Count; i++)
        {
            deleted += context.Services.Users.Delete(ConfigurationText.FromBytes(context.Argument(i))) ? 1 : 0;
        }

        UserChange.Spread(context.Session, reply => reply.Integer(deleted));
    }
}
