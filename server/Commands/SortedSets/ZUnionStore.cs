using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZUNIONSTORE destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE
/// &lt;SUM|MIN|MAX&gt;]</summary>
internal static class ZUnionStore
{
    public static readonly CommandRow Row = new("zunionstore", -4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Update), Execute)
    {
        SecondKeys = KeySpec.Counted(2, KeyAccess.ReadOnly | KeyAccess.Access),
        HoldsOneByOne = true,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.0.0",
        Summary = "Stores the members of any of several sorted sets, their scores combined.",
        Complexity = "O(N)+O(M*log(M)) with N members in all sets and M stored",
        Syntax = "destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE <SUM|MIN|MAX>]",
    };

    private static void Execute(CommandContext context)
        => SetAlgebra.Store(context, AlgebraOperation.Union);
}
