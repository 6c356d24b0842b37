using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZINTER numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE &lt;SUM|MIN|MAX&gt;]
/// [WITHSCORES]</summary>
internal static class ZInter
{
    public static readonly CommandRow Row = new("zinter", -3,
        CommandFlags.ReadOnly | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.Counted(1, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        HoldsOneByOne = true,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "6.2.0",
        Summary = "Gives the members that several sorted sets have in common, their scores combined.",
        Complexity = "O(N*K)+O(M*log(M)) with N members in the smallest of K sets and M given",
        Syntax = "numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM|MIN|MAX>] [WITHSCORES]",
    };

    private static void Execute(CommandContext context)
        => SetAlgebra.Execute(context, AlgebraOperation.Intersection);
}
