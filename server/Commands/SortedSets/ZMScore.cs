using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZMSCORE key member [member ...]</summary>
internal static class ZMScore
{
    public static readonly CommandRow Row = new("zmscore", -3,
        CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "6.2.0",
        Summary = "Gives the scores of several members.",
        Complexity = "O(N) for N members asked for",
        Syntax = "key member [member ...]",
    };

    private static readonly ScoreAnswers s_answers = new(
        static (reply, score) => reply.Double(score),
        static reply => reply.Null());

    private static void Execute(CommandContext context) => s_answers.Execute(context);
}
