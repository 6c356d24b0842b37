using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Strings;

/// <summary>MSET key value [key value ...]</summary>
internal static class MSet
{
    public static readonly CommandRow Row = new("mset", -3, CommandFlags.Write | CommandFlags.DenyOom,
        new KeySpec(1, -1, 2, KeyAccess.Overwrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.1",
        Summary = "Makes several keys strings with values, all at once.",
        Complexity = "O(N) for N keys",
        Tips = ["request_policy:multi_shard", "response_policy:all_succeeded"],
        Syntax = "key value [key value ...]",
    };

    /// <summary>Whether every key has a value; answers an error when not.</summary>
    public static bool HasPairs(CommandContext context)
    {
        if (context.Count % 2 == 1)
        {
            return true;
        }

        context.Reply.Error($"ERR wrong number of arguments for '{context.Row.FullName}' command");
        return false;
    }

    /// <summary>Sets every key to its value. Of a key that is named twice, the last value stays.</summary>
    public static void SetAll(CommandContext context)
    {
        for (var keys = context.KeysFrom(1, step: 2); keys.MoveNext();)
        {
            var key = keys.Current;
            _ = context.TryWrite(key, out var record);
            _ = context.PutString(key, record, context.Argument(keys.Index + 1), expiryMs: -1, KeyEvent.Set);
        }
    }

    private static void Execute(CommandContext context)
    {
        if (HasPairs(context))
        {
            SetAll(context);
            context.Reply.Ok();
        }
    }
}
