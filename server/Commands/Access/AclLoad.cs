using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Access;

/// <summary>ACL LOAD</summary>
internal static class AclLoad
{
    public static readonly CommandRow Row = new("load", 2, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "Takes the users of the file of users, and no others, if all of it is right.",
        Differs = "As in Redis 7.4: clients stay whose user stands in the file, with the rights that it gives.",
        Complexity = "O(N). Where N is the number of configured users.",
    };

    private static void Execute(CommandContext context)
    {
        if (!Acl.HasFile(context))
        {
            return;
        }

        var users = context.Services.Users;
        var room = UserRoom.ForFile(context.Server.Shards.Budget, context.Server.Configuration.Current.AclFile);
        UserCommand.Do(context, room, changes: true, () =>
        {
            var errors = users.LoadFile();
            return errors.Length > 0 ? ConfigurationText.ToBytes($"ERR {errors}") : null;
        });
    }
}
