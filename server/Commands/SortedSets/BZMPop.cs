using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Storage;

namespace Strata.Server.Commands.SortedSets;

/// <summary>BZMPOP timeout numkeys key [key ...] &lt;MIN | MAX&gt; [COUNT count]</summary>
internal static class BZMPop
{
    public static readonly CommandRow Row = new("bzmpop", -5,
        CommandFlags.Write | CommandFlags.Blocking | CommandFlags.MovableKeys,
        KeySpec.Counted(2, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        HoldsOneByOne = true,
        BytesPerName = Limits.BytesPerInterest,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "7.0.0",
        Summary = "Takes members out of the first of several sorted sets that is there, or waits for one.",
        Complexity = "O(K)+O(M*log(N)) with K keys, N members in the set and M taken",
        Syntax = "timeout numkeys key [key ...] <MIN | MAX> [COUNT count]",
    };

    private static void Execute(CommandContext context)
    {
        if (PopArguments.TryParse(context, 2, "min"u8, "max"u8, out var arguments)
            && BlockingTimeout.TryRead(context, 1, out var timeoutMs))
        {
            BlockingSortedSetPop.ExecuteSeveral(context, arguments, timeoutMs);
        }
    }
}
