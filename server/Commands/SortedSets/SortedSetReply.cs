using Strata.Server.Commands.Model;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>Elements of sorted sets as replies.</summary>
internal static class SortedSetReply
{
    /// <summary>Answers the elements of a range; with scores, as pairs in RESP3, one after the other in
    /// RESP2.</summary>
    public static void Write(
        CommandContext context, in SortedSetReader set, RankRange range, bool isReverse, bool withScores)
    {
        var isNested = withScores && context.Reply.Protocol == 3;
        context.Reply.Array(withScores && !isNested ? range.Count * 2 : range.Count);
        WriteElements(context, set, range, isReverse, withScores, isNested);
    }

    /// <summary>Answers the elements of a range without a header.</summary>
    public static void WriteElements(
        CommandContext context,
        in SortedSetReader set,
        RankRange range,
        bool isReverse,
        bool withScores,
        bool isNested)
    {
        var reply = context.Reply;
        for (var cursor = set.Walk(range, isReverse); cursor.TryNext(out var element);)
        {
            if (isNested)
            {
                reply.Array(2);
            }

            reply.Bulk(element.Member);
            if (withScores)
            {
                reply.Double(element.Score);
            }
        }
    }
}
