using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZMPOP numkeys key [key ...] &lt;MIN|MAX&gt; [COUNT count]</summary>
internal static class ZMPop
{
    public static readonly CommandRow Row = new("zmpop", -4,
        CommandFlags.Write | CommandFlags.MovableKeys,
        KeySpec.Counted(1, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "7.0.0",
        Summary = "Takes members out of the first of several sorted sets that is there.",
        Complexity = "O(K)+O(M*log(N)) with K keys, N members in the set and M taken",
        Syntax = "numkeys key [key ...] <MIN|MAX> [COUNT count]",
    };

    private static readonly PopAttempt<PopArguments> s_pop = SortedSetPop.PopSeveral;

    private static void Execute(CommandContext context)
    {
        if (!KeyPass.TryGoOn(context)
            && PopArguments.TryParse(context, 1, "min"u8, "max"u8, out var arguments))
        {
            FirstKeyPop.Execute(context, arguments, s_pop);
        }
    }
}
