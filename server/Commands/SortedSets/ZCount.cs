using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZCOUNT key min max</summary>
internal static class ZCount
{
    public static readonly CommandRow Row = new("zcount", 4,
        CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.0.0",
        Summary = "Counts the members whose scores are in a range.",
        Complexity = "O(log(N)) with N members in the set",
        Syntax = "key min max",
    };

    private static void Execute(CommandContext context)
        => RangeReading.Count(context, RangeKind.Score);
}
