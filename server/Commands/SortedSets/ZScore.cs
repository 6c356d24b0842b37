using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZSCORE key member</summary>
internal static class ZScore
{
    public static readonly CommandRow Row = new("zscore", 3,
        CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "1.2.0",
        Summary = "Gives the score of a member.",
        Complexity = "O(1)",
        Syntax = "key member",
    };

    private static void Execute(CommandContext context)
    {
        var lookup = SortedSetAccess.Read(context, context.Key, out var set);
        if (lookup == Lookup.Found && set.TryGetScore(context.Argument(2), out var score))
        {
            context.Reply.Double(score);
        }
        else if (lookup != Lookup.WrongType)
        {
            context.Reply.Null();
        }
    }
}
