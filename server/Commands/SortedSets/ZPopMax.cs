using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZPOPMAX key [count]</summary>
internal static class ZPopMax
{
    public static readonly CommandRow Row = new("zpopmax", -2,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "5.0.0",
        Summary = "Takes the members with the highest scores out of a sorted set.",
        Complexity = "O(log(N)*M) with N members in the set and M taken",
        Syntax = "key [count]",
    };

    private static void Execute(CommandContext context)
        => SortedSetPop.Execute(context, isMax: true);
}
