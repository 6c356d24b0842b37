using Strata.Server.Clients;
using Strata.Server.Clients.Transactions;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Transactions;

/// <summary>EXEC</summary>
internal static class Exec
{
    public static readonly CommandRow Row = new("exec", 1,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.SkipSlowlog
            | CommandFlags.Unqueued | CommandFlags.EndsTransaction | CommandFlags.ExecutesQueue,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Transactions,
        Categories = AclCategories.Transaction,
        Since = "1.2.0",
        Summary = "Executes the commands queued since MULTI, and no others between them.",
        Complexity = "Depends on commands in the transaction",
        ExtraShards = static (context, shards) => context.Session.Transaction.AddShards(context, shards),
    };

    private static void Execute(CommandContext context)
    {
        var transaction = context.Session.Transaction;
        if (!transaction.IsOpen)
        {
            context.Reply.Error("ERR EXEC without MULTI"u8);
            return;
        }

        try
        {
            Answer(context, transaction);
        }
        finally
        {
            transaction.End();
        }
    }

    private static void Answer(CommandContext context, Transaction transaction)
    {
        if (transaction.IsAborted)
        {
            context.Reply.Error("EXECABORT Transaction discarded because of previous errors."u8);
        }
        else if (transaction.IsTouchedNow(context))
        {
            context.Reply.NullArray();
        }
        else
        {
            transaction.EndWatch(); // Its own changes are none of others.
            context.Session.Worker.Transactions.Execute(context);
        }
    }
}
