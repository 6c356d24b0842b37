using Strata.Server.Clients;
using Strata.Server.Clients.Transactions;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage;
using Strata.Storage.Records;

namespace Strata.Server.Commands.Transactions;

/// <summary>WATCH key [key ...]</summary>
internal static class Watch
{
    public static readonly CommandRow Row = new("watch", -2,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.AllowBusy
            | CommandFlags.Unqueued | CommandFlags.HoldsMemory | CommandFlags.Divisible,
        KeySpec.All(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Transactions,
        Categories = AclCategories.Transaction,
        Since = "2.2.0",
        Summary = "Lets the next EXEC execute nothing if one of the keys has changed by then.",
        Complexity = "O(1) for every key.",
        Syntax = "key [key ...]",
        Differs = "While a script is slow (-BUSY) it cannot look at its keys: they count as changed for the next EXEC. "
            + "Where more than a thousand keys are watched, SWAPDB, FLUSHALL or FLUSHDB may count as a change of all.",
        HandlerWhileBusy = ExecuteWhileBusy,
        BytesPerName = Limits.BytesPerInterest,
    };

    private static void Execute(CommandContext context)
    {
        if (!TryBegin(context, out var transaction))
        {
            return;
        }

        HeldRoom.Ask(context);
        foreach (var key in context.KeysFrom(1))
        {
            _ = context.ShardOf(key).Find(key, context.NowMs, context.Cold, out _);
        }

        if (!context.HasSeenAll)
        {
            return; // One that cannot be read is an error, and nothing is watched then.
        }

        foreach (var key in context.KeysFrom(1))
        {
            var shard = context.ShardOf(key);
            var found = shard.Find(key, context.NowMs, context.Cold, out _);
            transaction.Watch(shard, key, isExpired: found == FindResult.Expired);
        }
    }

    /// <summary>The keys are the script's for the time being, which may have changed them and may yet: whoever watches
    /// them tries again in any case.</summary>
    private static void ExecuteWhileBusy(CommandContext context)
    {
        if (TryBegin(context, out var transaction))
        {
            transaction.Touch();
        }
    }

    /// <summary>Answers the command.</summary>
    /// <returns>Whether something is to be watched: not if EXEC fails in any case.</returns>
    private static bool TryBegin(CommandContext context, out Transaction transaction)
    {
        transaction = context.Session.Transaction;
        if (transaction.IsOpen)
        {
            context.Reply.Error("ERR WATCH inside MULTI is not allowed"u8);
            return false;
        }

        context.Reply.Ok();
        return !transaction.IsTouched;
    }
}
