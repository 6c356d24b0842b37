using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZINTERCARD numkeys key [key ...] [LIMIT limit]</summary>
internal static class ZInterCard
{
    public static readonly CommandRow Row = new("zintercard", -3,
        CommandFlags.ReadOnly | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.Counted(1, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        HoldsOneByOne = true,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "7.0.0",
        Summary = "Counts the members that several sorted sets have in common.",
        Complexity = "O(N*K) with N members in the smallest of K sets",
        Syntax = "numkeys key [key ...] [LIMIT limit]",
    };

    private static void Execute(CommandContext context)
        => SetAlgebra.Count(context);
}
