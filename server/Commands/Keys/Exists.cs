using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Keys;

/// <summary>EXISTS key [key ...]</summary>
internal static class Exists
{
    public static readonly CommandRow Row = new("exists", -2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree | CommandFlags.KeyOnly,
        KeySpec.All(KeyAccess.ReadOnly), Execute)
    {
        HoldsOneByOne = true,
        ArgumentsAtOnce = ServerLimits.StringsAtOnce,
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Counts how many of the keys exist; a key named twice counts twice.",
        Complexity = "O(N) where N is the number of keys",
        Tips = ["request_policy:multi_shard", "response_policy:agg_sum"],
        Syntax = "key [key ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (EachKeyPass.Executes(context, static context => new CountPass(context, touches: false)))
        {
            return;
        }

        var found = 0;
        foreach (var key in context.KeysFrom(1))
        {
            found += context.TryInspect(key, out _) ? 1 : 0;
        }

        context.Reply.Integer(found);
    }
}
