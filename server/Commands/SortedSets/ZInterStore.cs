using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZINTERSTORE destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE
/// &lt;SUM|MIN|MAX&gt;]</summary>
internal static class ZInterStore
{
    public static readonly CommandRow Row = new("zinterstore", -4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Update), Execute)
    {
        SecondKeys = KeySpec.Counted(2, KeyAccess.ReadOnly | KeyAccess.Access),
        HoldsOneByOne = true,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.0.0",
        Summary = "Stores the members that several sorted sets have in common, their scores combined.",
        Complexity = "O(N*K)+O(M*log(M)) with N members in the smallest of K sets and M stored",
        Syntax = "destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM|MIN|MAX>]",
    };

    private static void Execute(CommandContext context)
        => SetAlgebra.Store(context, AlgebraOperation.Intersection);
}
