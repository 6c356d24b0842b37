using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>What ZRANGE and the older commands with a range do.</summary>
internal static class RangeReading
{
    /// <summary>Answers the elements of the first key that are asked for.</summary>
    /// <param name="context">The command.</param>
    /// <param name="kind">What the ends of the range are; null where words say it.</param>
    /// <param name="isReverse">The direction; null where a word says it.</param>
    public static void Execute(CommandContext context, RangeKind? kind, bool? isReverse)
    {
        if (KeyPass.TryGoOn(context)
            || !RangeQuery.TryParse(context, 1, kind, isReverse, mayHaveScores: true, out var query))
        {
            return;
        }

        switch (SortedSetAccess.Read(context, context.Key, out var set))
        {
            case Lookup.Found:
                Write(context, set, query);
                break;
            case Lookup.Missing:
                context.Reply.Array(0);
                break;
        }
    }

    private static void Write(CommandContext context, in SortedSetReader set, in RangeQuery query)
    {
        var range = query.In(set);
        if (KeyPass.IsLong(context, range.Count, set.Count, set.LargeBytes))
        {
            var cursor = set.Walk(range, query.IsReverse);
            ReplyPass.Begin(context, context.Key, new ScoredReply(cursor, range.Count, query.WithScores));
        }
        else
        {
            SortedSetReply.Write(context, set, range, query.IsReverse, query.WithScores);
        }
    }

    /// <summary>Answers how many elements of the first key are between the second and the third argument.</summary>
    public static void Count(CommandContext context, RangeKind kind)
    {
        if (!RangeEnds.TryParse(context, kind, 2, 3, out var ends))
        {
            return;
        }

        switch (SortedSetAccess.Read(context, context.Key, out var set))
        {
            case Lookup.Found:
                context.Reply.Integer(ends.In(set, isReverse: false).Count);
                break;
            case Lookup.Missing:
                context.Reply.Integer(0);
                break;
        }
    }
}
