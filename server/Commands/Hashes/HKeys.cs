using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.Hashes;

/// <summary>HKEYS key</summary>
internal static class HKeys
{
    public static readonly CommandRow Row = new("hkeys", 2, CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.0.0",
        Summary = "Gives all fields of a hash.",
        Complexity = "O(N) with N fields in the hash",
        Tips = ["nondeterministic_output_order"],
        Syntax = "key",
    };

    private static void Execute(CommandContext context)
        => HashAccess.WriteAll(context, withNames: true, withValues: false);
}
