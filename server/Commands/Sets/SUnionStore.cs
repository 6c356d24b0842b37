using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Sets;

/// <summary>SUNIONSTORE destination key [key ...]</summary>
internal static class SUnionStore
{
    public static readonly CommandRow Row = new("sunionstore", -3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.Overwrite | KeyAccess.Update),
        static context => SetCombination.Store(context, SetOperation.Union, KeyEvent.SUnionStore))
    {
        SecondKeys = new KeySpec(2, -1, 1, KeyAccess.ReadOnly | KeyAccess.Access),
        HoldsOneByOne = true,
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Stores the members that any of several sets has.",
        Complexity = "O(N) for N members of all sets together",
        Syntax = "destination key [key ...]",
    };
}
