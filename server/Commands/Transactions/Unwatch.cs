using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Transactions;

/// <summary>UNWATCH</summary>
internal static class Unwatch
{
    public static readonly CommandRow Row = new("unwatch", 1,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.AllowBusy,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Transactions,
        Categories = AclCategories.Transaction,
        Since = "2.2.0",
        Summary = "Watches no keys any more.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context)
    {
        context.Session.Transaction.EndWatch();
        context.Reply.Ok();
    }
}
