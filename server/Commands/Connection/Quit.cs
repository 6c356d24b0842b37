using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>QUIT</summary>
internal static class Quit
{
    public static readonly CommandRow Row = new(
        "quit",
        -1,
        CommandFlags.AllowBusy | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast
            | CommandFlags.NoAuth | CommandFlags.Unqueued | CommandFlags.EndsTransaction,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "1.0.0",
        Summary = "Closes the connection once all replies are sent.",
        Complexity = "O(1)",
        DeprecatedSince = "7.2.0",
        ReplacedBy = "just closing the connection",
        IsForSubscribers = true,
    };

    private static void Execute(CommandContext context)
    {
        context.Reply.Ok();
        context.Session.ClosesAfterReply = true;
    }
}
