using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZRANGEBYLEX key min max [LIMIT offset count]</summary>
internal static class ZRangeByLex
{
    public static readonly CommandRow Row = new("zrangebylex", -4,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.8.9",
        Summary = "Gives members between two members, where all have one score.",
        Complexity = "O(log(N)+M) with N members in the set and M given",
        Syntax = "key min max [LIMIT offset count]",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`ZRANGE` with the `BYLEX` argument",
    };

    private static void Execute(CommandContext context)
        => RangeReading.Execute(context, RangeKind.Member, isReverse: false);
}
