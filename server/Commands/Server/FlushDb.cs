using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Storage.Records;

namespace Strata.Server.Commands.Server;

/// <summary>FLUSHDB [ASYNC | SYNC]</summary>
internal static class FlushDb
{
    public static readonly CommandRow Row = new("flushdb", -1,
        CommandFlags.Write | CommandFlags.AllShards, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Categories = AclCategories.KeySpace | AclCategories.Dangerous,
        Since = "1.0.0",
        Summary = "Deletes all keys of the selected database.",
        Differs = FlushMode.Differs,
        Complexity = "O(N) where N is the number of keys of all databases, or of pages when no other database has keys",
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
            DatabaseEraser.Erase(shard, context.Database, context.Session);
        }

        context.Reply.Ok();
    }
}
