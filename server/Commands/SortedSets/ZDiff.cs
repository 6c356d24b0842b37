using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZDIFF numkeys key [key ...] [WITHSCORES]</summary>
internal static class ZDiff
{
    public static readonly CommandRow Row = new("zdiff", -3,
        CommandFlags.ReadOnly | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.Counted(1, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        HoldsOneByOne = true,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "6.2.0",
        Summary = "Gives the members of the first sorted set that no other one has.",
        Complexity = "O(N*K)+O(M*log(M)) with N members in the first of K sets and M given",
        Syntax = "numkeys key [key ...] [WITHSCORES]",
    };

    private static void Execute(CommandContext context)
        => SetAlgebra.Execute(context, AlgebraOperation.Difference);
}
