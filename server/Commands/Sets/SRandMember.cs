using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.Sets;

/// <summary>SRANDMEMBER key [count]</summary>
internal static class SRandMember
{
    public static readonly CommandRow Row = new("srandmember", -2, CommandFlags.ReadOnly | CommandFlags.Heavy,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Set,
        Categories = AclCategories.Set,
        Since = "1.0.0",
        Summary = "Gives members of a set at random.",
        Complexity = "O(1) for one member, O(N) for N",
        Tips = ["nondeterministic_output"],
        Syntax = "key [count]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context)
            || !RandomDraw.TryParse(context, valuesWord: default, out var draw)
            || !SetAccess.TryRead(context, context.Key, out var set))
        {
            return;
        }

        if (set.IsEmpty)
        {
            draw.WriteEmpty(context);
            return;
        }

        Span<byte> digits = stackalloc byte[CanonicalInteger.MaxBytes];
        draw.Execute(context, new SetSource(set, digits), SetSource.Open);
    }
}
