using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>DEL key [key ...]</summary>
internal static class Del
{
    public static readonly CommandRow Row = new("del", -2,
        CommandFlags.Write | CommandFlags.KeyOnly,
        KeySpec.All(KeyAccess.Remove | KeyAccess.Delete), Execute)
    {
        ChangesOneByOne = true,
        ArgumentsAtOnce = ServerLimits.StringsAtOnce,
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "1.0.0",
        Summary = "Deletes keys.",
        Differs = "The memory of a large collection is freed step by step after the reply, as by UNLINK. Of thousands "
            + "of keys, outside of transactions and scripts, each goes by itself: others may find some gone.",
        Complexity = "O(N) where N is the number of keys",
        Tips = ["request_policy:multi_shard", "response_policy:agg_sum"],
        Syntax = "key [key ...]",
    };

    private static void Execute(CommandContext context) => Deletion.Execute(context);
}
