using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XINFO STREAM key [FULL [COUNT count]]</summary>
internal static class XInfoStream
{
    public static readonly CommandRow Row = new("stream", -3,
        CommandFlags.ReadOnly,
        new KeySpec(2, 2, 1, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Tells of a stream; with FULL also its entries, groups, consumers and what is pending.",
        Differs = "Answers one more than radix-tree-keys as radix-tree-nodes: Strata has another tree.",
        Complexity = "O(1); with FULL O(N) for all that is told",
        Syntax = "key [FULL [COUNT count]]",
    };

    private const long DefaultCount = 10;

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !XInfo.TryStream(context, out var stream)
            || !TryOptions(context, out var isFull, out var count))
        {
            return;
        }

        if (!isFull)
        {
            WriteSummary(context.Reply, stream);
            return;
        }

        var full = new FullStreamReply(stream, count);
        if (stream.LargeBytes > 0
            && KeyPass.IsLong(context, FullStreamReply.EffortOf(stream, count, context.Server.EffortAtOnce)))
        {
            ReplyPass.Begin(context, context.KeyAt(2), full);
            return;
        }

        while (full.TryWrite(context.Reply))
        {
        }
    }

    private static bool TryOptions(CommandContext context, out bool isFull, out long count)
    {
        count = DefaultCount;
        isFull = context.Count > 3;
        if (!isFull)
        {
            return true;
        }

        if (context.Count is not (4 or 6) || !context.IsWord(3, "full"u8)
            || (context.Count == 6 && !context.IsWord(4, "count"u8)))
        {
            SubcommandSyntax.Refuse(context);
            return false;
        }

        if (context.Count == 6)
        {
            if (!context.TryInteger(5, out count))
            {
                return false;
            }

            count = count < 0 ? DefaultCount : count;
        }

        return true;
    }

    private static void WriteSummary(ReplyWriter reply, in StreamView stream)
    {
        reply.Map(10);
        WriteFigures(reply, stream);
        reply.Bulk("groups"u8);
        reply.Integer(stream.GroupCount);
        reply.Bulk("first-entry"u8);
        WriteEdge(reply, stream, isReverse: false);
        reply.Bulk("last-entry"u8);
        WriteEdge(reply, stream, isReverse: true);
    }

    /// <summary>Seven pairs: what is noted of a stream.</summary>
    public static void WriteFigures(ReplyWriter reply, in StreamView stream)
    {
        reply.Bulk("length"u8);
        reply.Integer(stream.Count);
        reply.Bulk("radix-tree-keys"u8);
        reply.Integer(stream.NodeCount);
        reply.Bulk("radix-tree-nodes"u8);
        reply.Integer(stream.NodeCount + 1);
        reply.Bulk("last-generated-id"u8);
        StreamReply.Id(reply, stream.LastId);
        reply.Bulk("max-deleted-entry-id"u8);
        StreamReply.Id(reply, stream.MaxDeletedId);
        reply.Bulk("entries-added"u8);
        reply.Integer(stream.EntriesAdded);
        reply.Bulk("recorded-first-entry-id"u8);
        StreamReply.Id(reply, stream.FirstId);
    }

    private static void WriteEdge(ReplyWriter reply, in StreamView stream, bool isReverse)
    {
        var cursor = stream.Walk(StreamId.Min, StreamId.Max, isReverse);
        if (cursor.TryNext())
        {
            StreamReply.Entry(reply, ref cursor);
        }
        else
        {
            reply.Null();
        }
    }
}
