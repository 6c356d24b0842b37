using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Transactions;

/// <summary>DISCARD</summary>
internal static class Discard
{
    public static readonly CommandRow Row = new("discard", 1,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.AllowBusy
            | CommandFlags.Unqueued | CommandFlags.EndsTransaction,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Transactions,
        Categories = AclCategories.Transaction,
        Since = "2.0.0",
        Summary = "Forgets the commands queued since MULTI, and watches no keys any more.",
        Complexity = "O(N), when N is the number of queued commands",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.Session.Transaction.IsOpen)
        {
            context.Reply.Error("ERR DISCARD without MULTI"u8);
            return;
        }

        context.Session.Transaction.End();
        context.Reply.Ok();
    }
}
