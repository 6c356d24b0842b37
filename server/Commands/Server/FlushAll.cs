using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Records;

namespace Strata.Server.Commands.Server;

/// <summary>FLUSHALL [ASYNC | SYNC]</summary>
internal static class FlushAll
{
    public static readonly CommandRow Row = new("flushall", -1,
        CommandFlags.Write | CommandFlags.AllShards, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.KeySpace | AclCategories.Dangerous,
        Since = "1.0.0",
        Summary = "Deletes all keys of all databases.",
        Differs = FlushMode.Differs,
        Complexity = "O(N) where N is the number of pages the keys fill",
        Syntax = "[ASYNC|SYNC]",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        if (!FlushMode.IsRight(context))
        {
            return;
        }

        foreach (var shard in context.Server.Shards.All)
        {
            DatabaseEraser.EraseAll(shard, context.Session);
        }

        context.Services.Snapshots.OnFlushed();
        context.Reply.Ok();
    }
}
