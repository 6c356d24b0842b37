using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZREVRANGEBYSCORE key max min [WITHSCORES] [LIMIT offset count]</summary>
internal static class ZRevRangeByScore
{
    public static readonly CommandRow Row = new("zrevrangebyscore", -4,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.2.0",
        Summary = "Gives members in a range of scores, the highest first.",
        Complexity = "O(log(N)+M) with N members in the set and M given",
        Syntax = "key max min [WITHSCORES] [LIMIT offset count]",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`ZRANGE` with the `REV` and `BYSCORE` arguments",
    };

    private static void Execute(CommandContext context)
        => RangeReading.Execute(context, RangeKind.Score, isReverse: true);
}
