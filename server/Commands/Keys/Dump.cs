using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.Keys;

/// <summary>DUMP key</summary>
internal static class Dump
{
    public static readonly CommandRow Row = new("dump", 2,
        CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.6.0",
        Summary = "Gives a key's value as a payload for RESTORE, in Redis's format.",
        Complexity = "O(N) where N is the size of the value",
        Tips = ["nondeterministic_output"],
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.TryRead(context.Key, out var record))
        {
            context.Reply.Null();
            return;
        }

        var worker = context.Session.Worker;
        var bytes = ShardCollections.WeightOf(record);
        if (bytes > ServerLimits.MaxGatheredBytes && worker.Budget.WouldPassEnd(2 * bytes))
        {
            // The payload is made first, and then becomes the reply.
            throw new NoRoomException(2 * bytes, "command not allowed: there is no memory for its reply");
        }

        try
        {
            context.Reply.Bulk(worker.Dumps.Write(record, compresses: true));
        }
        finally
        {
            worker.Dumps.Free();
        }
    }
}
