using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>XAUTOCLAIM key group consumer min-idle-time start [COUNT count] [JUSTID]</summary>
internal static class XAutoClaim
{
    public static readonly CommandRow Row = new("xautoclaim", -6,
        CommandFlags.Write | CommandFlags.Fast,
        KeySpec.One(KeyAccess.ReadWrite | KeyAccess.Delete), Execute)
    {
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "6.2.0",
        Summary = "Makes pending entries that were given long ago those of another consumer.",
        Complexity = "O(N) for ten times as many entries as COUNT says, at most",
        Tips = ["nondeterministic_output"],
        Syntax = "key group consumer min-idle-time start [COUNT count] [JUSTID]",
    };

    private const long DefaultCount = 100;
    private const long MostCount = long.MaxValue / 16;
    private const long LooksPerEntry = 10;

    private static void Execute(CommandContext context)
    {
        if (!TryParse(context, out var arguments)
            || !StreamAccess.TryEditGroup(context, out var stream, out var group))
        {
            return;
        }

        var claiming = new Claiming(context, group) { IsJustId = arguments.IsJustId };
        claiming.Begin(ref stream);
        Claim(context, ref stream, ref claiming, arguments);
        claiming.End(ref stream, hasRead: false);
    }

    private static bool TryParse(CommandContext context, out Arguments arguments)
    {
        arguments = default;
        if (!StreamArguments.TryInteger(
                context, 4, "ERR Invalid min-idle-time argument for XAUTOCLAIM"u8, out var minIdleMs)
            || !IdRange.TryLowerEnd(context, 5, out var first))
        {
            return false;
        }

        var count = DefaultCount;
        var isJustId = false;
        for (var i = 6; i < context.Count; i++)
        {
            if (i + 1 < context.Count && context.IsWord(i, "count"u8))
            {
                if (!NumberParser.TryParseInt64(context.Argument(++i), out count) || count is < 1 or > MostCount)
                {
                    context.Reply.Error("ERR COUNT must be > 0"u8);
                    return false;
                }
            }
            else if (context.IsWord(i, "justid"u8))
            {
                isJustId = true;
            }
            else
            {
                context.Reply.Error(Errors.Syntax);
                return false;
            }
        }

        arguments = new Arguments(Math.Max(0, minIdleMs), first, count, isJustId);
        return true;
    }

    /// <summary>Answers where to go on, what was claimed, and what was forgotten since it was deleted.</summary>
    private static void Claim(
        CommandContext context, scoped ref StreamEditor stream, scoped ref Claiming claiming, in Arguments arguments)
    {
        var reply = context.Reply;
        var start = reply.Length;
        var next = arguments.First;
        var isAtEnd = false;
        var claimed = 0L;
        var left = arguments.Count;
        using var deleted = new DeletedIds(context);
        for (var looks = arguments.Count * LooksPerEntry; looks > 0 && left > 0 && !isAtEnd; looks--)
        {
            if (!TryPending(claiming.Group, next, out var entry))
            {
                isAtEnd = true;
                break;
            }

            isAtEnd = !entry.Id.TryNext(out next);
            if (!stream.Read().Contains(entry.Id))
            {
                claiming.Forget(ref stream, entry);
                deleted.Add(entry.Id);
                left--;
            }
            else if (arguments.MinIdleMs == 0 || context.NowMs - entry.DeliveredMs >= arguments.MinIdleMs)
            {
                var deliveries = entry.Deliveries + (arguments.IsJustId ? 0 : 1);
                claiming.Take(ref stream, entry.Id, context.NowMs, deliveries);
                claimed++;
                left--;
            }
        }

        var end = reply.Length;
        var goesOnAt = !isAtEnd && TryPending(claiming.Group, next, out var following) ? following.Id : StreamId.Min;
        reply.Array(3);
        StreamReply.Id(reply, goesOnAt);
        reply.Array(claimed);
        reply.MoveForward(start, end);
        deleted.Write(reply);
    }

    private static bool TryPending(StreamGroup group, StreamId from, out PendingEntry entry)
    {
        var cursor = group.PendingFrom(from);
        return cursor.TryNext(out entry);
    }

    private readonly record struct Arguments(long MinIdleMs, StreamId First, long Count, bool IsJustId);
}
