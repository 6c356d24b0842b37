using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Sets;

/// <summary>SSCAN key cursor [MATCH pattern] [COUNT count]</summary>
internal static class SScan
{
    public static readonly CommandRow Row = new("sscan", -3, CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "2.8.0",
        Summary = "Goes through the members of a set, some at a time.",
        Complexity = "O(1) per call; O(N) with N members for all calls of one iteration",
        Tips = ["nondeterministic_output"],
        Syntax = "key cursor [MATCH pattern] [COUNT count]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context)
            || !ElementScan.TryCursor(context, out var cursor)
            || !SetAccess.TryRead(context, context.Key, out var set))
        {
            return;
        }

        if (set.IsEmpty)
        {
            ElementScan.WriteEmpty(context);
            return;
        }

        Span<byte> digits = stackalloc byte[CanonicalInteger.MaxBytes];
        ElementScan.Execute(context, new SetSource(set, digits), cursor, ScannedKind.Members, SetSource.Open);
    }
}
