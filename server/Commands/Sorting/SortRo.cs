using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Sorting;

/// <summary>SORT_RO key [BY pattern] [LIMIT offset count] [GET pattern ...] [ASC|DESC] [ALPHA]</summary>
internal static class SortRo
{
    public static readonly CommandRow Row = new("sort_ro", -2,
        CommandFlags.ReadOnly | CommandFlags.MovableKeys | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.Set | AclCategories.SortedSet | AclCategories.List | AclCategories.Dangerous,
        Since = "7.0.0",
        Summary = "Gives the elements of a list, a set or a sorted set in order, as SORT, and stores nothing.",
        Complexity = "O(N*log(N)+M) for N elements of which M are given",
        Syntax = "key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA]",
        ExtraShards = Sorting.AddShards,
        OptionKeys = [new(null, 0, KeyAccess.ReadOnly | KeyAccess.Access)],
    };

    private static void Execute(CommandContext context) => Sorting.Execute(context, isReadOnly: true);
}
