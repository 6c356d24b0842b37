using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZUNION numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE &lt;SUM|MIN|MAX&gt;]
/// [WITHSCORES]</summary>
internal static class ZUnion
{
    public static readonly CommandRow Row = new("zunion", -3,
        CommandFlags.ReadOnly | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.Counted(1, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        HoldsOneByOne = true,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "6.2.0",
        Summary = "Gives the members of any of several sorted sets, their scores combined.",
        Complexity = "O(N)+O(M*log(M)) with N members in all sets and M given",
        Syntax = "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM|MIN|MAX>] [WITHSCORES]",
    };

    private static void Execute(CommandContext context)
        => SetAlgebra.Execute(context, AlgebraOperation.Union);
}
