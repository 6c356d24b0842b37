using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Sets;

/// <summary>SINTER key [key ...]</summary>
internal static class SInter
{
    public static readonly CommandRow Row = new("sinter", -2, CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.All(KeyAccess.ReadOnly | KeyAccess.Access),
        static context => SetCombination.Execute(context, SetOperation.Intersection))
    {
        HoldsOneByOne = true,
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Gives the members that all of several sets have.",
        Complexity = "O(N*M) for M sets, the smallest of N members",
        Tips = ["nondeterministic_output_order"],
        Syntax = "key [key ...]",
    };
}
