using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.SortedSets;

/// <summary>What ZRANK and ZREVRANK do: <c>key member [WITHSCORE]</c>.</summary>
internal static class MemberRank
{
    private const int WordIndex = 3;

    public static void Execute(CommandContext context, bool isReverse)
    {
        if (!TryParse(context, out var withScore))
        {
            return;
        }

        var lookup = SortedSetAccess.Read(context, context.Key, out var set);
        if (lookup == Lookup.WrongType)
        {
            return;
        }

        var rank = 0L;
        var score = 0.0;
        var isMember = lookup == Lookup.Found && set.TryGetRank(context.Argument(2), out rank, out score);
        if (!isMember && withScore)
        {
            context.Reply.NullArray();
        }
        else if (!isMember)
        {
            context.Reply.Null();
        }
        else
        {
            Write(context, isReverse ? set.Count - 1 - rank : rank, score, withScore);
        }
    }

    private static void Write(CommandContext context, long rank, double score, bool withScore)
    {
        if (withScore)
        {
            context.Reply.Array(2);
        }

        context.Reply.Integer(rank);
        if (withScore)
        {
            context.Reply.Double(score);
        }
    }

    private static bool TryParse(CommandContext context, out bool withScore)
    {
        withScore = context.Count > WordIndex;
        if (context.Count > WordIndex + 1)
        {
            context.Reply.Error($"ERR wrong number of arguments for '{context.Row.FullName}' command");
            return false;
        }

        if (withScore && !context.IsWord(WordIndex, "withscore"u8))
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        return true;
    }
}
