using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZREVRANGE key start stop [WITHSCORES]</summary>
internal static class ZRevRange
{
    public static readonly CommandRow Row = new("zrevrange", -4,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "1.2.0",
        Summary = "Gives members in a range of indices, the highest first.",
        Complexity = "O(log(N)+M) with N members in the set and M given",
        Syntax = "key start stop [WITHSCORES]",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`ZRANGE` with the `REV` argument",
    };

    private static void Execute(CommandContext context)
        => RangeReading.Execute(context, RangeKind.Index, isReverse: true);
}
