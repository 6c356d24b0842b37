using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Execution.Leases;

/// <summary>Which shards a command needs.</summary>
internal static class CommandShards
{
    /// <summary>Names the shards, by the keys where it has some.</summary>
    public static void Add(CommandContext context, IShardSet shards)
    {
        var row = context.Row;
        if (row.Has(CommandFlags.AllShards) || KeyPass.GoesOneByOne(context)
            || KeyPass.IsUnderWayEverywhere(context))
        {
            // So many keys have some in each shard, and to hash them all in each step would take long.
            shards.AddAll();
            return;
        }

        AddKeys(context, shards);
        row.ExtraShards?.Invoke(context, shards);
    }

    /// <summary>Names the keys, and their shards.</summary>
    public static void AddKeys(CommandContext context, IShardSet shards)
    {
        foreach (var key in new RequestKeys(context.Row, context.Request))
        {
            shards.Add(context.KeyAt(key.Index));
        }
    }
}
