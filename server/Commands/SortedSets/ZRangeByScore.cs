using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZRANGEBYSCORE key min max [WITHSCORES] [LIMIT offset count]</summary>
internal static class ZRangeByScore
{
    public static readonly CommandRow Row = new("zrangebyscore", -4,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "1.0.5",
        Summary = "Gives members in a range of scores.",
        Complexity = "O(log(N)+M) with N members in the set and M given",
        Syntax = "key min max [WITHSCORES] [LIMIT offset count]",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`ZRANGE` with the `BYSCORE` argument",
    };

    private static void Execute(CommandContext context)
        => RangeReading.Execute(context, RangeKind.Score, isReverse: false);
}
