using Strata.Server.Clients;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Server;

/// <summary>MEMORY PURGE</summary>
internal static class MemoryPurge
{
    public static readonly CommandRow Row = new("purge", 2,
        CommandFlags.AllShards, KeySpec.None, Execute)
    {
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Summary = "Gives memory that is held for reuse back to the system.",
        Complexity = "O(N) where N is the number of shards",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
    };

    private static void Execute(CommandContext context)
    {
        foreach (var shard in context.Server.Shards.All)
        {
            shard.Log.Trim();
        }

        context.Services.OnEveryWorker(static worker => worker.CollectScripts());
        context.Server.Shards.Budget.Buffers.ReleaseIdle();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        context.Reply.Ok();
    }
}
