using Strata.Server.Commands.Model;
using Strata.Storage;

namespace Strata.Server.Commands.SortedSets;

/// <summary>BZPOPMAX key [key ...] timeout</summary>
internal static class BZPopMax
{
    public static readonly CommandRow Row = new("bzpopmax", -3,
        CommandFlags.Write | CommandFlags.Blocking | CommandFlags.Fast,
        new KeySpec(1, -2, 1, KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        HoldsOneByOne = true,
        BytesPerName = Limits.BytesPerInterest,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "5.0.0",
        Summary = "Gives and removes the member with the highest score of the first sorted set, or waits for one.",
        Complexity = "O(log(N)) with N members in the sorted set",
        Syntax = "key [key ...] timeout",
    };

    private static void Execute(CommandContext context) => BlockingSortedSetPop.ExecuteOne(context, isMax: true);
}
