using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Connection;

/// <summary>RESET</summary>
internal static class Reset
{
    public static readonly CommandRow Row = new(
        "reset",
        1,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.NoAuth
            | CommandFlags.Unqueued | CommandFlags.EndsTransaction | CommandFlags.AllowBusy,
        KeySpec.None,
        Execute)
    {
        Group = CommandGroup.Connection,
        Categories = AclCategories.Connection,
        Since = "6.2.0",
        Summary = "Makes the connection what it was when it was new: database 0, RESP2, no name, not authenticated.",
        Complexity = "O(1)",
        IsForSubscribers = true,
    };

    private static void Execute(CommandContext context)
    {
        context.Session.Reset(context.Reply);
        context.Reply.Simple("RESET"u8);
    }
}
