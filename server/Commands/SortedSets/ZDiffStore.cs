using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZDIFFSTORE destination numkeys key [key ...]</summary>
internal static class ZDiffStore
{
    public static readonly CommandRow Row = new("zdiffstore", -4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Update), Execute)
    {
        SecondKeys = KeySpec.Counted(2, KeyAccess.ReadOnly | KeyAccess.Access),
        HoldsOneByOne = true,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "6.2.0",
        Summary = "Stores the members of the first sorted set that no other one has.",
        Complexity = "O(N*K)+O(M*log(M)) with N members in the first of K sets and M stored",
        Syntax = "destination numkeys key [key ...]",
    };

    private static void Execute(CommandContext context)
        => SetAlgebra.Store(context, AlgebraOperation.Difference);
}
