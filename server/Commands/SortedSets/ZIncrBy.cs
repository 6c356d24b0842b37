using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZINCRBY key increment member</summary>
internal static class ZIncrBy
{
    public static readonly CommandRow Row = new("zincrby", 4,
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Access | KeyAccess.Update), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "1.2.0",
        Summary = "Adds to a member's score; a missing member counts as one of score 0.",
        Complexity = "O(log(N)) with N members in the set",
        Syntax = "key increment member",
    };

    private static void Execute(CommandContext context)
        => ScoreUpdate.Execute(context, ScoreFlags.Incr);
}
