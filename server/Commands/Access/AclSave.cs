using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Options;

namespace Strata.Server.Commands.Access;

/// <summary>ACL SAVE</summary>
internal static class AclSave
{
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

        using var room = UserRoom.Ask(context.Server.Shards.Budget, context.Services.Users.ChargedBytes);
        try
        {
            context.Services.Users.SaveFile();
            context.Reply.Ok();
        }
        catch (Exception failure) when (FileError.Is(failure))
        {
            var file = context.Server.Configuration.Current.AclFile;
            context.Server.Log.CannotSaveUsers(file, FileError.Reason(failure));
            context.Reply.Error(
                "ERR There was an error trying to save the ACLs. Please check the server logs for more information"u8);
        }
    }
}
