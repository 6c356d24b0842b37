using Strata.Server.Commands.Model;
using Strata.Storage.Records;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Keys;

/// <summary>RANDOMKEY</summary>
internal static class RandomKey
{
    public static readonly CommandRow Row = new("randomkey", 1,
        CommandFlags.ReadOnly | CommandFlags.KeyOnly | CommandFlags.AllShards,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Gives a random key of the selected database.",
        Complexity = "O(1); O(N) with N keys in all databases when hardly any is of the selected one",
        Tips = ["request_policy:all_shards", "response_policy:special", "nondeterministic_output"],
    };

    private static void Execute(CommandContext context)
    {
        var shards = context.Server.Shards;
        if (context.Cold != null && context.Cold.TryTakeLive(context.Database, context.NowMs, out var read))
        {
            context.Reply.Bulk(read.Key); // An earlier draw has met it on the device alone.
            return;
        }

        var first = DrawShard(context);
        for (var i = 0; i < shards.Count; i++)
        {
            // A shard may hold nothing but expired keys; then the next ones are asked.
            var shard = shards[(first + i) % shards.Count];
            var drawn = KeySampler.Draw(shard, context.Database, context.NowMs, context.Cold, out var record);
            if (drawn == FindResult.Found)
            {
                context.Reply.Bulk(record.Key);
                return;
            }

            if (drawn == FindResult.Cold)
            {
                return; // Its name is given when it was read.
            }
        }

        context.Reply.Null();
    }

    /// <summary>Chooses a shard with a chance in proportion to its keys.</summary>
    private static int DrawShard(CommandContext context)
    {
        var shards = context.Server.Shards;
        var left = context.Random.NextInt64(Math.Max(1, shards.CountKeys(context.Database)));
        for (var i = 0; i < shards.Count; i++)
        {
            left -= shards[i].Databases.Keys(context.Database);
            if (left < 0)
            {
                return i;
            }
        }

        return 0;
    }
}
