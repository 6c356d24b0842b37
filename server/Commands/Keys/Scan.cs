using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>SCAN cursor [MATCH pattern] [COUNT count] [TYPE type]</summary>
internal static class Scan
{
    private const int FirstOption = 2;

    public static readonly CommandRow Row = new("scan", -2,
        CommandFlags.ReadOnly | CommandFlags.KeyOnly,
        KeySpec.None, Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "2.8.0",
        Summary = "Goes through the keys of the selected database, some at a time.",
        Differs = "A call may give fewer keys than COUNT asks for when another thread is at work on the next ones; a "
            + "whole iteration gives what Redis's does.",
        Complexity = "O(1) per call; O(N) with N keys in all databases for all calls of one iteration",
        Tips = ["nondeterministic_output", "request_policy:special", "response_policy:special"],
        Syntax = "cursor [MATCH pattern] [COUNT count] [TYPE type]",
        ExtraShards = AddFirstShard,
    };

    private static void Execute(CommandContext context)
    {
        var shards = context.Server.Shards;
        if (!ScanCursor.TryParse(context.Argument(1), shards, out var cursor))
        {
            context.Reply.Error(Errors.InvalidCursor);
            return;
        }

        if (!ScanOptions.TryParse(context, FirstOption, ScannedKind.Keys, out var options))
        {
            return;
        }

        var reply = context.Reply;
        var start = reply.Length;
        var pass = new ScanPass(context, options);
        var next = pass.Run(cursor);
        var middle = reply.Length;
        reply.Array(2);
        reply.BulkInteger(next.ToNumber(shards));
        reply.Array(pass.Found);
        reply.MoveForward(start, middle);
    }

    private static void AddFirstShard(CommandContext context, IShardSet shards)
    {
        if (ScanCursor.TryParse(context.Argument(1), context.Server.Shards, out var cursor))
        {
            shards.Add(cursor.Shard);
        }
    }
}
