using Strata.Server.Clients;
using Strata.Server.Clients.Transactions;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Tiering;

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
        transaction.HasExecuted = false;
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
        context.Cold?.ForgetFailure();
        if (transaction.IsAborted)
        {
            context.Reply.Error("EXECABORT Transaction discarded because of previous errors."u8);
        }
        else if (transaction.IsTouchedNow(context))
        {
            context.Reply.NullArray();
        }
        else if (context.Cold is { Failure: not ColdReadFailure.None } cold)
        {
            TierErrors.WriteUnreadable(context.Reply, cold); // Whether a watched key has expired is not to be known.
        }
        else
        {
            transaction.EndWatch(); // Its own changes are none of others.
            transaction.HasExecuted = true;
            context.Session.Worker.Transactions.Execute(context);
        }
    }
}
