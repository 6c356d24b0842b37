using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Streams;

/// <summary>XREAD [COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]</summary>
internal static class XRead
{
    public static readonly CommandRow Row = new("xread", -4,
        CommandFlags.ReadOnly | CommandFlags.Blocking | CommandFlags.MovableKeys,
        KeySpec.FirstHalf(ReadArguments.Keys, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        HoldsOneByOne = true,
        BytesPerName = Limits.BytesPerInterest + Limits.BytesPerDueWait,
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Gives the entries of several streams behind an id of each, or waits for some.",
        Complexity = "O(log(N)+M) for each stream, with N entries in it and M given",
        Syntax = "[COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyWait.TryEnd(context) || KeyPass.TryGoOn(context))
        {
            return;
        }

        if (!ReadArguments.TryParse(context, ofGroup: false, out var arguments))
        {
            KeyWait.End(context);
        }
        else if (KeyWait.WaitsOnStreams(context))
        {
            Wait(context, arguments);
        }
        else if (!XReadPass.Executes(context, arguments))
        {
            Read(context, arguments);
        }
    }

    /// <summary>Reads all streams in one go, but for many entries.</summary>
    private static void Read(CommandContext context, in ReadArguments arguments)
    {
        if (!AreRight(context, arguments) || TryServe(context, arguments))
        {
            KeyWait.End(context);
        }
        else if (!arguments.Blocks || !context.MayBlock)
        {
            context.Reply.NullArray();
            KeyWait.End(context);
        }
        else
        {
            Wait(context, arguments);
        }
    }

    /// <summary>Whether all keys may be read, and all ids are ids. An error is answered.</summary>
    private static bool AreRight(CommandContext context, in ReadArguments arguments)
    {
        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            if (!IsRight(context, arguments, i))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether a key may be read, and its id is one. An error is answered.</summary>
    public static bool IsRight(CommandContext context, in ReadArguments arguments, int key)
    {
        if (StreamAccess.Read(context, context.KeyAt(key), out _) == Lookup.WrongType)
        {
            return false;
        }

        var text = context.Argument(arguments.IdOf(key));
        if (IsSign(text, (byte)'>'))
        {
            context.Reply.Error(
                "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> "u8
                + "option."u8);
            return false;
        }

        return IsSign(text, (byte)'$') || IsSign(text, (byte)'+') || StreamArguments.TryId(context, text, 0, out _);
    }

    /// <summary>The last id that a stream has had; the least where there is no stream.</summary>
    public static StreamId LastIdOf(CommandContext context, in Key key)
        => context.TryPeek(key, out var record) ? new StreamView(record).LastId : StreamId.Min;

    /// <summary>Answers the entries that there are; many in steps.</summary>
    /// <returns>False when there are none: nothing is answered.</returns>
    private static bool TryServe(CommandContext context, in ReadArguments arguments)
    {
        var reply = context.Reply;
        var start = reply.Length;
        var served = 0;
        var effort = 0L;
        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            if (!TryOpen(context, arguments, i, out var cursor, out _))
            {
                continue;
            }

            BeginStream(reply, context.Argument(i));
            var (first, count) = (reply.Length, 0L);
            for (; (arguments.Count == 0 || count < arguments.Count) && cursor.TryNext(); count++)
            {
                StreamReply.Entry(reply, ref cursor);
                effort += StepEffort.Of(cursor.EntryBytes);
                if (MayGoOnInSteps(context, arguments) && KeyPass.IsLong(context, effort))
                {
                    reply.Rewind(start);
                    XReadPass.Begin(context, arguments);
                    return true;
                }
            }

            StreamReply.Head(reply, first, count);
            served++;
        }

        if (served > 0)
        {
            StreamReply.HeadOfMap(reply, start, served);
        }

        return served > 0;
    }

    /// <summary>Opens a stream before the first entry that is asked for.</summary>
    /// <param name="context">The command.</param>
    /// <param name="arguments">What it is asked for.</param>
    /// <param name="key">Index of the stream's key.</param>
    /// <param name="cursor">Before the entry.</param>
    /// <param name="isLarge">Whether the stream lies where it does until it is changed.</param>
    /// <returns>False when there is none.</returns>
    public static bool TryOpen(
        CommandContext context, in ReadArguments arguments, int key, out StreamCursor cursor, out bool isLarge)
    {
        isLarge = false;
        if (context.TryPeek(context.KeyAt(key), out var record))
        {
            var stream = new StreamView(record);
            var seen = SeenId(context, arguments, key, stream);
            if (stream.TryLast(out var last) && last > seen && seen.TryNext(out var first))
            {
                isLarge = stream.LargeBytes > 0;
                cursor = stream.Walk(first, StreamId.Max);
                return true;
            }
        }

        cursor = default;
        return false;
    }

    /// <summary>Whether the command may go on in steps: one that has waited does all in one go.</summary>
    private static bool MayGoOnInSteps(CommandContext context, in ReadArguments arguments)
        => context.Session.Blocked == null && arguments.KeyCount <= PassSources.Most;

    /// <summary>The header of a stream's entries and its key.</summary>
    public static void BeginStream(Resp.ReplyWriter reply, ReadOnlySpan<byte> key)
    {
        if (reply.Protocol == 2)
        {
            reply.Array(2);
        }

        reply.Bulk(key);
    }

    /// <summary>Whether an argument is a sign that stands for an id.</summary>
    public static bool IsSign(ReadOnlySpan<byte> text, byte sign)
        => StreamIdText.Seen(text) is [var only] && only == sign;

    /// <summary>The id behind which a stream is to be read: $ is the last one when the command first waited.</summary>
    private static StreamId SeenId(CommandContext context, in ReadArguments arguments, int key, in StreamView stream)
    {
        var text = context.Argument(arguments.IdOf(key));
        if (IsSign(text, (byte)'$'))
        {
            return context.Session.Blocked?.Stream.LastIds is { } ids ? ids[key - arguments.FirstKey] : stream.LastId;
        }

        if (IsSign(text, (byte)'+'))
        {
            return stream.TryLast(out var last) && last.TryPrevious(out var before) ? before : StreamId.Max;
        }

        return StreamArguments.IdAt(context, arguments.IdOf(key));
    }

    private static void Wait(CommandContext context, in ReadArguments arguments)
    {
        StreamId[]? lastIds = null;
        for (var i = 0; i < arguments.KeyCount && context.Session.Blocked == null; i++)
        {
            if (IsSign(context.Argument(arguments.IdOf(arguments.FirstKey + i)), (byte)'$'))
            {
                lastIds ??= new StreamId[arguments.KeyCount];
                lastIds[i] = LastIdOf(context, context.KeyAt(arguments.FirstKey + i));
            }
        }

        KeyWait.Wait(
            context, RecordType.Stream, arguments.FirstKey, arguments.KeyCount, arguments.TimeoutMs, first: null,
            new StreamWait(Group: 0, lastIds));
    }
}
