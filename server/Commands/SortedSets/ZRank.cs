using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZRANK key member [WITHSCORE]</summary>
internal static class ZRank
{
    public static readonly CommandRow Row = new("zrank", -3,
        CommandFlags.ReadOnly | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.SortedSet,
        Since = "2.0.0",
        Summary = "Gives the rank of a member, the lowest score being 0.",
        Complexity = "O(log(N)) with N members in the set",
        Syntax = "key member [WITHSCORE]",
    };

    private static void Execute(CommandContext context)
        => MemberRank.Execute(context, isReverse: false);
}
