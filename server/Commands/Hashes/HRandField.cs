using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Hashes;

/// <summary>HRANDFIELD key [count [WITHVALUES]]</summary>
internal static class HRandField
{
    public static readonly CommandRow Row = new("hrandfield", -2, CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "6.2.0",
        Summary = "Gives fields of a hash at random.",
        Complexity = "O(N) for N fields",
        Tips = ["nondeterministic_output"],
        Syntax = "key [count [WITHVALUES]]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context)
            || !RandomDraw.TryParse(context, "withvalues"u8, out var draw)
            || !HashAccess.TryRead(context, out var hash, mostExpired: int.MaxValue))
        {
            return;
        }

        if (hash.Count == 0)
        {
            draw.WriteEmpty(context);
        }
        else
        {
            draw.Execute(context, new HashElements(hash), HashElements.Open);
        }
    }
}
