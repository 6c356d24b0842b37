using Strata.Server.Commands.Model;
using Strata.Storage.Changes;

namespace Strata.Server.Commands.Sets;

/// <summary>SINTERSTORE destination key [key ...]</summary>
internal static class SInterStore
{
    public static readonly CommandRow Row = new("sinterstore", -3,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update),
        static context => SetCombination.Store(context, SetOperation.Intersection, KeyEvent.SInterStore))
    {
        SecondKeys = new KeySpec(2, -1, 1, KeyAccess.ReadOnly | KeyAccess.Access),
        HoldsOneByOne = true,
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Stores the members that all of several sets have.",
        Complexity = "O(N*M) for M sets, the smallest of N members",
        Syntax = "destination key [key ...]",
    };
}
