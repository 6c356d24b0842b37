using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZREMRANGEBYLEX key min max</summary>
internal static class ZRemRangeByLex
{
    public static readonly CommandRow Row = new("zremrangebylex", 4,
        CommandFlags.Write | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.8.9",
        Summary = "Removes the members between two members, where all have one score.",
        Complexity = "O(log(N)) per member removed, with N members in the set",
        Syntax = "key min max",
    };

    private static void Execute(CommandContext context)
        => RangeRemoval.Execute(context, RangeKind.Member, KeyEvent.ZRemRangeByLex);
}
