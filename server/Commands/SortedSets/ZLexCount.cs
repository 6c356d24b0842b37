using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZLEXCOUNT key min max</summary>
internal static class ZLexCount
{
    public static readonly CommandRow Row = new("zlexcount", 4,
        CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.8.9",
        Summary = "Counts the members between two members, where all have one score.",
        Complexity = "O(log(N)) with N members in the set",
        Syntax = "key min max",
    };

    private static void Execute(CommandContext context)
        => RangeReading.Count(context, RangeKind.Member);
}
