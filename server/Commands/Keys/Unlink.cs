using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Keys;

/// <summary>UNLINK key [key ...]</summary>
internal static class Unlink
{
    public static readonly CommandRow Row = new("unlink", -2,
        CommandFlags.Write | CommandFlags.Fast | CommandFlags.KeyOnly,
        KeySpec.All(KeyAccess.Remove | KeyAccess.Delete), Execute)
    {
        ChangesOneByOne = true,
        ArgumentsAtOnce = ServerLimits.StringsAtOnce,
        Group = CommandGroup.Generic,
        Categories = AclCategories.KeySpace,
        Since = "4.0.0",
        Summary = "Deletes keys; like DEL, whose work does not grow with the values either.",
        Differs = "Of thousands of keys, outside of transactions and scripts, each goes by itself: others may find "
            + "some gone.",
        Complexity = "O(N) where N is the number of keys",
        Tips = ["request_policy:multi_shard", "response_policy:agg_sum"],
        Syntax = "key [key ...]",
    };

    private static void Execute(CommandContext context) => Deletion.Execute(context);
}
