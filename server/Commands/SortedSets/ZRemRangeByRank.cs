using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZREMRANGEBYRANK key start stop</summary>
internal static class ZRemRangeByRank
{
    public static readonly CommandRow Row = new("zremrangebyrank", 4,
        CommandFlags.Write | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.0.0",
        Summary = "Removes the members in a range of indices.",
        Complexity = "O(log(N)) per member removed, with N members in the set",
        Syntax = "key start stop",
    };

    private static void Execute(CommandContext context)
        => RangeRemoval.Execute(context, RangeKind.Index, KeyEvent.ZRemRangeByRank);
}
