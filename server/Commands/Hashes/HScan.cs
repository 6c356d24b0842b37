using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.Hashes;

/// <summary>HSCAN key cursor [MATCH pattern] [COUNT count] [NOVALUES]</summary>
internal static class HScan
{
    public static readonly CommandRow Row = new("hscan", -3, CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash,
        Since = "2.8.0",
        Summary = "Goes through the fields of a hash, some at a time.",
        Complexity = "O(1) per call; O(N) with N fields for all calls of one iteration",
        Tips = ["nondeterministic_output"],
        Syntax = "key cursor [MATCH pattern] [COUNT count] [NOVALUES]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !ElementScan.TryCursor(context, out var cursor)
            || !HashAccess.TryRead(context, out var hash))
        {
            return;
        }

        if (hash.Count == 0)
        {
            ElementScan.WriteEmpty(context);
        }
        else
        {
            ElementScan.Execute(context, new HashElements(hash), cursor, ScannedKind.Fields, HashElements.Open);
        }
    }
}
