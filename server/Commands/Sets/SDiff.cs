using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Sets;

/// <summary>SDIFF key [key ...]</summary>
internal static class SDiff
{
    public static readonly CommandRow Row = new("sdiff", -2, CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.All(KeyAccess.ReadOnly | KeyAccess.Access),
        static context => SetCombination.Execute(context, SetOperation.Difference))
    {
        HoldsOneByOne = true,
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Gives the members that a set has and no other of several.",
        Complexity = "O(N) for N members of all sets together",
        Tips = ["nondeterministic_output_order"],
        Syntax = "key [key ...]",
    };
}
