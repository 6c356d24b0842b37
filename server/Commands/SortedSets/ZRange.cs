using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZRANGE key start stop [BYSCORE|BYLEX] [REV] [LIMIT offset count] [WITHSCORES]</summary>
internal static class ZRange
{
    public static readonly CommandRow Row = new("zrange", -4,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "1.2.0",
        Summary = "Gives members in a range of indices, scores or members.",
        Complexity = "O(log(N)+M) with N members in the set and M given",
        Syntax = "key start stop [BYSCORE|BYLEX] [REV] [LIMIT offset count] [WITHSCORES]",
    };

    private static void Execute(CommandContext context)
        => RangeReading.Execute(context, kind: null, isReverse: null);
}
