using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZADD key [NX|XX] [GT|LT] [CH] [INCR] score member [score member ...]</summary>
internal static class ZAdd
{
    public static readonly CommandRow Row = new("zadd", -4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "1.2.0",
        Summary = "Adds members to a sorted set, or gives those that are there another score.",
        Complexity = "O(log(N)) per member, with N members in the set",
        Syntax = "key [NX|XX] [GT|LT] [CH] [INCR] score member [score member ...]",
    };

    private static void Execute(CommandContext context)
        => ScoreUpdate.Execute(context, ScoreFlags.None);
}
