using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Access;

/// <summary>ACL LIST</summary>
internal static class AclList
{
    public static readonly CommandRow Row = new("list", 2, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        IsReport = true,
        Summary = "Shows all users as lines of a conf file.",
        Complexity = "O(N). Where N is the number of configured users.",
    };

    private static void Execute(CommandContext context)
    {
        var users = context.Services.Users.All;
        context.Reply.Array(users.Count);
        foreach (var user in users)
        {
            context.Reply.Bulk(ConfigurationText.ToBytes(user.ToString()));
        }
    }
}
