using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Storage;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Streams;

/// <summary>XREAD [COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]</summary>
internal static class XRead
{
    public static readonly CommandRow Row = new("xread", -4,
        CommandFlags.ReadOnly | CommandFlags.Blocking | CommandFlags.MovableKeys,
        KeySpec.FirstHalf(ReadArguments.Keys, KeyAccess.ReadOnly | KeyAccess.Access), Execute)
    {
        BytesPerName = Limits.BytesPerInterest,
        Group = CommandGroup.Stream,
        Categories = AclCategories.Stream,
        Since = "5.0.0",
        Summary = "Gives the entries of several streams behind an id of each, or waits for some.",
        Complexity = "O(log(N)+M) for each stream, with N entries in it and M given",
        Syntax = "[COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (KeyWait.TryEnd(context))
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
        else if (!AreRight(context, arguments) || TryServe(context, arguments))
        {
            KeyWait.End(context);
        }
        else if (!arguments.Blocks || context.IsInTransaction)
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
            if (StreamAccess.Read(context, context.KeyAt(i), out _) == Lookup.WrongType)
            {
                return false;
            }

            var text = context.Argument(arguments.IdOf(i));
            if (IsSign(text, (byte)'>'))
            {
                context.Reply.Error(
                    "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> "u8
                    + "option."u8);
                return false;
            }

            if (!IsSign(text, (byte)'$') && !IsSign(text, (byte)'+') && !StreamArguments.TryId(context, text, 0, out _))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Answers the entries that there are.</summary>
    /// <returns>False when there are none: nothing is answered.</returns>
    private static bool TryServe(CommandContext context, in ReadArguments arguments)
    {
        var reply = context.Reply;
        var start = reply.Length;
        var served = 0;
        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            var key = context.KeyAt(i);
            if (!context.TryPeek(key, out var record))
            {
                continue;
            }

            var stream = new StreamView(record);
            var seen = SeenId(context, arguments, i, stream);
            if (stream.TryLast(out var last) && last > seen && seen.TryNext(out var first))
            {
                BeginStream(reply, key.Span);
                var cursor = stream.Walk(first, StreamId.Max);
                StreamReply.Entries(reply, ref cursor, arguments.Count);
                served++;
            }
        }

        if (served > 0)
        {
            StreamReply.HeadOfMap(reply, start, served);
        }

        return served > 0;
    }

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
                lastIds[i] = context.TryPeek(context.KeyAt(arguments.FirstKey + i), out var record)
                    ? new StreamView(record).LastId
                    : StreamId.Min;
            }
        }

        KeyWait.Wait(
            context, RecordType.Stream, arguments.FirstKey, arguments.KeyCount, arguments.TimeoutMs, first: null,
            new StreamWait(Group: 0, lastIds));
    }
}
