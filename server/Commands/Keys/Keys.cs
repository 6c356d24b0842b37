using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Text;
using Strata.Storage.Records;

namespace Strata.Server.Commands.Keys;

/// <summary>KEYS pattern</summary>
internal static class Keys
{
    public static readonly CommandRow Row = new("keys", 2,
        CommandFlags.ReadOnly | CommandFlags.KeyOnly | CommandFlags.AllShards,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace | AclCategories.Dangerous,
        Since = "1.0.0",
        Summary = "Gives all keys that match a glob pattern.",
        Differs = "Of many keys, those that come or go while others have their turn may be in the reply or not; but "
            + "in a transaction or a script it is all keys of one moment.",
        Complexity = "O(N) where N is the number of keys in all databases",
        Tips = ["request_policy:all_shards", "nondeterministic_output_order"],
        Syntax = "pattern",
    };

    private static void Execute(CommandContext context)
    {
        if (!context.IsInTransaction)
        {
            ExecuteInSteps(context);
            return;
        }

        var pattern = context.Argument(1);
        var matchesAll = pattern.SequenceEqual("*"u8);
        var reply = context.Reply;
        var start = reply.Length;
        var found = 0L;
        foreach (var shard in context.Server.Shards.All)
        {
            if (shard.Databases.Keys(context.Database) == 0)
            {
                continue;
            }

            var walk = new KeyWalk(shard, context.Database, context.Cold);
            do
            {
                walk.EnterBucket();
                while (walk.TryNext(out var record))
                {
                    if ((matchesAll || GlobPattern.IsMatch(pattern, record.Key)) && !record.IsExpired(context.NowMs))
                    {
                        reply.Bulk(record.Key);
                        found++;
                    }
                }
            }
            while (walk.Cursor != 0);
        }

        var middle = reply.Length;
        reply.Array(found);
        reply.MoveForward(start, middle);
    }

    private static void ExecuteInSteps(CommandContext context)
    {
        var session = context.Session;
        var pass = session.Unfinished as KeysPass ?? new KeysPass(context);
        session.Unfinished = pass;
        if (pass.Step(context))
        {
            pass.Write(context.Reply);
            session.EndUnfinished();
        }
    }
}
