using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>What XRANGE and XREVRANGE do.</summary>
internal static class EntryRange
{
    /// <summary>Answers the entries of the first key between two ids.</summary>
    public static void Execute(CommandContext context, bool isReverse)
    {
        if (KeyPass.TryGoOn(context)
            || !IdRange.TryParse(context, isReverse ? 3 : 2, isReverse ? 2 : 3, out var range)
            || !TryCount(context, out var count))
        {
            return;
        }

        switch (StreamAccess.Read(context, context.Key, out var stream))
        {
            case Lookup.Found when count == 0:
                context.Reply.NullArray();
                break;
            case Lookup.Found:
                Write(context, stream, range, isReverse, Math.Max(count, 0));
                break;
            case Lookup.Missing:
                context.Reply.Array(0);
                break;
        }
    }

    /// <summary>Reads COUNT, of which the last one counts: -1 where there is none, 0 for none at all.</summary>
    private static bool TryCount(CommandContext context, out long count)
    {
        count = -1;
        for (var i = 4; i < context.Count; i += 2)
        {
            if (i + 1 == context.Count || !context.IsWord(i, "count"u8))
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            if (!context.TryInteger(i + 1, out count))
            {
                return false;
            }

            count = Math.Max(count, 0);
        }

        return true;
    }

    /// <summary>Writes entries; many, or long ones, in steps. How many there are nobody knows before.</summary>
    private static void Write(
        CommandContext context, in StreamView stream, in IdRange range, bool isReverse, long most)
    {
        var reply = context.Reply;
        var cursor = stream.Walk(range.From, range.To, isReverse);
        if (stream.LargeBytes == 0)
        {
            StreamReply.Entries(reply, ref cursor, most);
            return;
        }

        var start = reply.Length;
        var effort = 0L;
        var count = 0L;
        while ((most == 0 || count < most) && cursor.TryNext())
        {
            StreamReply.Entry(reply, ref cursor);
            count++;
            effort += StepEffort.Of(cursor.EntryBytes);
            if (KeyPass.IsLong(context, effort))
            {
                reply.Rewind(start);
                cursor = stream.Walk(range.From, range.To, isReverse);
                ReplyPass.Begin(context, context.Key, new EntriesReply(cursor, most));
                return;
            }
        }

        StreamReply.Head(reply, start, count);
    }
}
