using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Sorting;

/// <summary>SORT key [BY pattern] [LIMIT offset count] [GET pattern ...] [ASC|DESC] [ALPHA] [STORE key]</summary>
internal static class Sort
{
    public static readonly CommandRow Row = new("sort", -2,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.MovableKeys | CommandFlags.Heavy
            | CommandFlags.LooksFirst,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Generic,
        Categories = AclCategories.Set | AclCategories.SortedSet | AclCategories.List | AclCategories.Dangerous,
        Since = "1.0.0",
        Summary = "Sorts the elements of a list, a set or a sorted set, by themselves or by the values of other keys.",
        Complexity = "O(N*log(N)+M) for N elements of which M are given",
        Syntax = "key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA] "
            + "[STORE destination]",
        ExtraShards = Sorting.AddShards,
        StoreKey = SortOptions.FindStore,
        OptionKeys =
        [
            new(null, 0, KeyAccess.ReadOnly | KeyAccess.Access),
            new(null, 0, KeyAccess.Overwrite | KeyAccess.Update),
        ],
    };

    private static void Execute(CommandContext context) => Sorting.Execute(context, isReadOnly: false);
}
