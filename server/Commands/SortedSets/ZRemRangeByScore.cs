using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZREMRANGEBYSCORE key min max</summary>
internal static class ZRemRangeByScore
{
    public static readonly CommandRow Row = new("zremrangebyscore", 4,
        CommandFlags.Write | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "1.2.0",
        Summary = "Removes the members whose scores are in a range.",
        Complexity = "O(log(N)) per member removed, with N members in the set",
        Syntax = "key min max",
    };

    private static void Execute(CommandContext context)
        => RangeRemoval.Execute(context, RangeKind.Score, KeyEvent.ZRemRangeByScore);
}
