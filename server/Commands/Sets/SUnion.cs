using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Sets;

/// <summary>SUNION key [key ...]</summary>
internal static class SUnion
{
    public static readonly CommandRow Row = new("sunion", -2, CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.All(KeyAccess.ReadOnly | KeyAccess.Access),
        static context => SetCombination.Execute(context, SetOperation.Union))
    {
        HoldsOneByOne = true,
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Gives the members that any of several sets has.",
        Complexity = "O(N) for N members of all sets together",
        Tips = ["nondeterministic_output_order"],
        Syntax = "key [key ...]",
    };
}
