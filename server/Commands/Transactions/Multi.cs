using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Transactions;

/// <summary>MULTI</summary>
internal static class Multi
{
    public static readonly CommandRow Row = new("multi", 1,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.AllowBusy
            | CommandFlags.Unqueued,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Transactions,
        Categories = AclCategories.Transaction,
        Since = "1.2.0",
        Summary = "Begins a transaction: the commands that follow are queued until EXEC.",
        Differs = "A transaction of more than 67,108,864 commands or 4 GiB is refused.",
        Complexity = "O(1)",
    };

    private static void Execute(CommandContext context)
    {
        if (context.Session.Transaction.IsOpen)
        {
            context.Reply.Error("ERR MULTI calls can not be nested"u8);
            return;
        }

        context.Session.Transaction.Begin();
        context.Reply.Ok();
    }
}
