using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Text;

namespace Strata.Server.Commands.Access;

/// <summary>ACL DRYRUN username command [arg ...]</summary>
internal static class AclDryRun
{
    private const int FirstOfCommand = 3;

    public static readonly CommandRow Row = new("dryrun", -4, Acl.AdminFlags, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "7.0.0",
        Summary = "Tells whether a user may execute a command, and does not execute it.",
        Complexity = "O(1).",
        Syntax = "username command [arg [arg ...]]",
    };

    private static void Execute(CommandContext context)
    {
        if (context.Services.Users.Find(context.Argument(2))?.Current is not { } user)
        {
            context.Reply.Error($"ERR User '{EchoedArgument.Of(context.Argument(2))}' not found");
            return;
        }

        var request = context.Request.From(FirstOfCommand);
        if (context.Services.Commands.FindFor(request) is not { } row)
        {
            context.Reply.Error($"ERR Command '{EchoedArgument.Of(request[0])}' not found");
            return;
        }

        if (!row.AcceptsCount(request.Count))
        {
            context.Reply.Error($"ERR wrong number of arguments for '{row.FullName}' command");
            return;
        }

        var denial = user.Check(row, request);
        if (denial.IsNone)
        {
            context.Reply.Ok();
        }
        else
        {
            context.Reply.Bulk(Options.ConfigurationText.ToBytes(denial.DetailedText(user, row, request)));
        }
    }
}
