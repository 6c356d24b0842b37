using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Keys;

/// <summary>TOUCH key [key ...]</summary>
internal static class Touch
{
    public static readonly CommandRow Row = new("touch", -2,
        CommandFlags.ReadOnly | CommandFlags.Fast | CommandFlags.LeaseFree | CommandFlags.KeyOnly,
        KeySpec.All(KeyAccess.ReadOnly), Execute)
    {
        HoldsOneByOne = true,
        ArgumentsAtOnce = ServerLimits.StringsAtOnce,
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "3.2.1",
        Summary = "Marks keys as used, and counts how many of them exist.",
        Complexity = "O(N) where N is the number of keys",
        Tips = ["request_policy:multi_shard", "response_policy:agg_sum"],
        Syntax = "key [key ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (EachKeyPass.Executes(context, static context => new CountPass(context, touches: true)))
        {
            return;
        }

        var found = 0;
        foreach (var key in context.KeysFrom(1))
        {
            if (context.TryInspect(key, out var record))
            {
                context.Touch(key, record);
                found++;
            }
        }

        context.Reply.Integer(found);
    }
}
