using Strata.Server.Commands.Model;

namespace Strata.Server.Execution.Leases;

/// <summary>Which shards a command needs.</summary>
internal static class CommandShards
{
    /// <summary>Names the shards, by the keys where it has some.</summary>
    public static void Add(CommandContext context, IShardSet shards)
    {
        var row = context.Row;
        if (row.Has(CommandFlags.AllShards))
        {
            shards.AddAll();
            return;
        }

        foreach (var key in new RequestKeys(row, context.Request))
        {
            shards.Add(context.KeyAt(key.Index));
        }

        row.ExtraShards?.Invoke(context, shards);
    }
}
