using Strata.Server.Clients;
using Strata.Server.Clients.Access;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>AUTH [username] password</summary>
internal static class Auth
{
    public static readonly CommandRow Row = new(
        "auth",
        -2,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.NoAuth
            | CommandFlags.AllowBusy,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "1.0.0",
        Summary = "Says which user the client is, by the password.",
        Complexity = "O(N) where N is the number of passwords defined for the user",
        Syntax = "[username] password",
        IsSecret = static (_, index) => index > 0,
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count > 3)
        {
            context.Reply.Error(Errors.Syntax);
            return;
        }

        if (context.Count == 2 && context.Services.Users.Default.Current.NeedsNoPassword)
        {
            context.Reply.Error(
                "ERR AUTH <password> called without any password configured for the default user. "
                + "Are you sure your configuration is correct?");
            return;
        }

        var user = context.Count == 3 ? context.Argument(1) : "default"u8;
        if (AccessCheck.TryAuthenticate(context.Session, context.Request, user, context.Argument(context.Count - 1)))
        {
            context.Reply.Ok();
        }
        else
        {
            context.Reply.Error(AccessCheck.WrongPassword);
        }
    }
}
