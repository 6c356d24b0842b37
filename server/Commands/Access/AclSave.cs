using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Access;

/// <summary>ACL SAVE</summary>
internal static class AclSave
{
    private const string Failed =
        "ERR There was an error trying to save the ACLs. Please check the server logs for more information";

    public static readonly CommandRow Row = new("save", 2, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "6.0.0",
        Summary = "Writes the users into the file of users.",
        Complexity = "O(N). Where N is the number of configured users.",
    };

    private static void Execute(CommandContext context)
    {
        if (!Acl.HasFile(context))
        {
            return;
        }

        var (users, server) = (context.Services.Users, context.Server);
        UserCommand.Do(context, UserRoom.Ask(server.Shards.Budget, bytes: 0), changes: false, () =>
        {
            try
            {
                users.SaveFile();
                return null;
            }
            catch (Exception failure) when (FileError.Is(failure))
            {
                server.Log.CannotSaveUsers(server.Configuration.Current.AclFile, FileError.Reason(failure));
                return ConfigurationText.ToBytes(Failed);
            }
        });
    }
}
