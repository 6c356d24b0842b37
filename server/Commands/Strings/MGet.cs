using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Strings;

/// <summary>MGET key [key ...]</summary>
internal static class MGet
{
    public static readonly CommandRow Row = new("mget", -2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree,
        KeySpec.All(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.String,
        Categories = AclCategories.String,
        Since = "1.0.0",
        Summary = "Gives the values of several strings.",
        Complexity = "O(N) for N keys",
        Tips = ["request_policy:multi_shard"],
        Syntax = "key [key ...]",
    };

    private static void Execute(CommandContext context)
    {
        context.Reply.Array(context.Count - 1);
        foreach (var key in context.KeysFrom(1))
        {
            // What is answered while some is on the device is thrown away: nothing large is copied for it.
            if (context.ReadString(key, out var record) == Lookup.Found && context.HasSeenAll)
            {
                context.Reply.Bulk(record.Value);
            }
            else
            {
                context.Reply.Null();
            }
        }
    }
}
