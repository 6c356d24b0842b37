using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Access;

/// <summary>ACL USERS</summary>
internal static class AclUsers
{
    public static readonly CommandRow Row = new("users", 2, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        IsReport = true,
        Summary = "Lists the names of all users.",
        Complexity = "O(N). Where N is the number of configured users.",
    };

    private static void Execute(CommandContext context)
    {
        var users = context.Services.Users.All;
        context.Reply.Array(users.Count);
        foreach (var user in users)
        {
            context.Reply.Bulk(ConfigurationText.ToBytes(user.Name));
        }
    }
}
