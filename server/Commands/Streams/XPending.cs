using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XPENDING key group [[IDLE min-idle-time] start end count [consumer]]</summary>
internal static class XPending
{
    public static readonly CommandRow Row = new("xpending", -3,
        CommandFlags.ReadOnly,
        KeySpec.One(KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Tells what is pending in a group.",
        Complexity = "O(N) for N entries told, or, with IDLE, looked at; without a range O(M) for M consumers",
        Tips = ["nondeterministic_output"],
        Syntax = "key group [[IDLE min-idle-time] start end count [consumer]]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyPass.TryGoOn(context) || !TryParse(context, out var query))
        {
            return;
        }

        var lookup = StreamAccess.Read(context, context.Key, out var stream);
        if (lookup == Lookup.WrongType)
        {
            return;
        }

        StreamGroup group = default;
        if (lookup == Lookup.Missing || !stream.TryFindGroup(context.Argument(2), out group))
        {
            StreamAccess.RefuseMissing(context);
        }
        else if (context.Count == 3)
        {
            Summarize(context, group);
        }
        else
        {
            List(context, group, query);
        }
    }

    private static bool TryParse(CommandContext context, out PendingQuery query)
    {
        query = default;
        if (context.Count == 3)
        {
            return true;
        }

        if (context.Count is < 6 or > 9)
        {
            context.Reply.Error(Errors.Syntax);
            return false;
        }

        var first = 3;
        var minIdleMs = 0L;
        if (context.IsWord(3, "idle"u8))
        {
            if (!context.TryInteger(4, out minIdleMs))
            {
                return false;
            }

            if (context.Count < 8)
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }

            first += 2;
        }

        if (!context.TryInteger(first + 2, out var count)
            || !IdRange.TryParse(context, first, first + 1, out var range))
        {
            return false;
        }

        query = new PendingQuery(range, Math.Max(0, count), minIdleMs, first + 3 < context.Count ? first + 3 : 0);
        return true;
    }

    private static void Summarize(CommandContext context, StreamGroup group)
    {
        var summary = new PendingSummaryReply(group);
        if (KeyPass.IsLong(context, group.PendingCount == 0 ? 0 : group.ConsumerCount))
        {
            ReplyPass.Begin(context, context.Key, summary);
            return;
        }

        summary.WriteAll(context.Reply);
    }

    private static void List(CommandContext context, StreamGroup group, in PendingQuery query)
    {
        StreamConsumer consumer = default;
        if (query.Consumer > 0 && !group.TryFindConsumer(context.Argument(query.Consumer), out consumer))
        {
            context.Reply.Array(0);
            return;
        }

        var reply = context.Reply;
        var start = reply.Length;
        var walk = new PendingWalk(group, consumer, query, context.NowMs);
        var looked = 0L;
        while (walk.TryStep(reply))
        {
            if (KeyPass.IsLong(context, ++looked))
            {
                reply.Rewind(start);
                walk = new PendingWalk(group, consumer, query, context.NowMs);
                ReplyPass.Begin(context, context.Key, new PendingReply(walk));
                return;
            }
        }

        StreamReply.Head(reply, start, walk.Written);
    }
}
