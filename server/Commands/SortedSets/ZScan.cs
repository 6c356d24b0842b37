using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Keys;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZSCAN key cursor [MATCH pattern] [COUNT count]</summary>
internal static class ZScan
{
    public static readonly CommandRow Row = new("zscan", -3,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.8.0",
        Summary = "Goes through the members of a sorted set and their scores, some at a time.",
        Complexity = "O(1) per call; O(N) with N members for all calls of one iteration",
        Tips = ["nondeterministic_output"],
        Syntax = "key cursor [MATCH pattern] [COUNT count]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !ElementScan.TryCursor(context, out var cursor))
        {
            return;
        }

        switch (SortedSetAccess.Read(context, context.Key, out var set))
        {
            case Lookup.Found:
                ElementScan.Execute(
                    context,
                    new SortedSetSource(set, isScan: true),
                    cursor,
                    ScannedKind.ScoredMembers,
                    SortedSetSource.OpenScan);
                break;
            case Lookup.Missing:
                ElementScan.WriteEmpty(context);
                break;
        }
    }
}
