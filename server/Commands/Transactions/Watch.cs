using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Records;

namespace Strata.Server.Commands.Transactions;

/// <summary>WATCH key [key ...]</summary>
internal static class Watch
{
    public static readonly CommandRow Row = new("watch", -2,
        CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast | CommandFlags.AllowBusy
            | CommandFlags.Unqueued | CommandFlags.HoldsMemory,
        KeySpec.All(KeyAccess.ReadOnly), Execute)
    {
        Group = CommandGroup.Transactions,
        Categories = AclCategories.Transaction,
        Since = "2.2.0",
        Summary = "Lets the next EXEC execute nothing if one of the keys has changed by then.",
        Complexity = "O(1) for every key.",
        Syntax = "key [key ...]",
    };

    private static void Execute(CommandContext context)
    {
        var transaction = context.Session.Transaction;
        if (transaction.IsOpen)
        {
            context.Reply.Error("ERR WATCH inside MULTI is not allowed"u8);
            return;
        }

        context.Reply.Ok();
        if (transaction.IsTouched)
        {
            return; // EXEC will fail in any case.
        }

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
}
