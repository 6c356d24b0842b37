using System.Runtime.CompilerServices;
using Strata.Server.Commands.Model;
using Strata.Server.Resp;
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
        WriteHeader(context.Reply, range.Count, withScores);
        WriteElements(
            context, set, range, isReverse, withScores, isNested: withScores && context.Reply.Protocol == 3);
    }

    /// <summary>The header of a reply with so many elements.</summary>
    public static void WriteHeader(ReplyWriter reply, long count, bool withScores)
        => reply.Array(withScores && reply.Protocol != 3 ? count * 2 : count);

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
            WriteElement(reply, element, withScores, isNested);
        }
    }

    /// <summary>Writes an element, perhaps with its score, and perhaps both as an array.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteElement(ReplyWriter reply, in SortedSetElement element, bool withScores, bool isNested)
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
