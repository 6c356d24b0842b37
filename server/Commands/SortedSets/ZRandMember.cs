using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZRANDMEMBER key [count [WITHSCORES]]</summary>
internal static class ZRandMember
{
    public static readonly CommandRow Row = new("zrandmember", -2,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "6.2.0",
        Summary = "Gives random members of a sorted set.",
        Complexity = "O(N) for N members given",
        Tips = ["nondeterministic_output"],
        Syntax = "key [count [WITHSCORES]]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !RandomDraw.TryParse(context, "withscores"u8, out var draw))
        {
            return;
        }

        switch (SortedSetAccess.Read(context, context.Key, out var set))
        {
            case Lookup.Found:
                draw.Execute(context, new SortedSetSource(set, isScan: false), SortedSetSource.Open);
                break;
            case Lookup.Missing:
                draw.WriteEmpty(context);
                break;
        }
    }
}
