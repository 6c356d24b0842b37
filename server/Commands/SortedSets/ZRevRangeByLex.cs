using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZREVRANGEBYLEX key max min [LIMIT offset count]</summary>
internal static class ZRevRangeByLex
{
    public static readonly CommandRow Row = new("zrevrangebylex", -4,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.8.9",
        Summary = "Gives members between two members, the highest first, where all have one score.",
        Complexity = "O(log(N)+M) with N members in the set and M given",
        Syntax = "key max min [LIMIT offset count]",
        DeprecatedSince = "6.2.0",
        ReplacedBy = "`ZRANGE` with the `REV` and `BYLEX` arguments",
    };

    private static void Execute(CommandContext context)
        => RangeReading.Execute(context, RangeKind.Member, isReverse: true);
}
