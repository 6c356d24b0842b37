using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Text;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Streams;

/// <summary>What XREADGROUP does.</summary>
internal static class GroupReading
{
    public static void Execute(CommandContext context)
    {
        if (KeyWait.TryEnd(context))
        {
            return;
        }

        if (!ReadArguments.TryParse(context, ofGroup: true, out var arguments) || !AreRight(context, arguments))
        {
            KeyWait.End(context);
        }
        else if (!MustLetPass(context, arguments))
        {
            Serve(context, arguments);
        }
    }

    /// <summary>Whether all streams and groups are there, and all ids are ids. An error is answered.</summary>
    private static bool AreRight(CommandContext context, in ReadArguments arguments)
    {
        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            var lookup = StreamAccess.Read(context, context.KeyAt(i), out var stream);
            if (lookup == Lookup.WrongType)
            {
                return false;
            }

            if (lookup == Lookup.Missing || !stream.TryFindGroup(context.Argument(arguments.Group), out _))
            {
                context.Reply.Error(
                    $"NOGROUP No such key '{EchoedArgument.Of(context.Argument(i))}' or consumer group "
                    + $"'{EchoedArgument.Of(context.Argument(arguments.Group))}' in XREADGROUP with GROUP option");
                return false;
            }

            var text = context.Argument(arguments.IdOf(i));
            if (XRead.IsSign(text, (byte)'$') || XRead.IsSign(text, (byte)'+'))
            {
                var sign = (char)text[0];
                context.Reply.Error(
                    $"ERR The {sign} ID is meaningless in the context of XREADGROUP: you want to read the history of "
                    + $"this consumer by specifying a proper ID, or use the > ID to get new messages. The {sign} ID "
                    + "would just return an empty result set.");
                return false;
            }

            if (!XRead.IsSign(text, (byte)'>') && !StreamArguments.TryId(context, text, 0, out _))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether others come first who wait for new entries of one of the groups, and may have some.</summary>
    private static bool MustLetPass(CommandContext context, in ReadArguments arguments)
    {
        var end = arguments.FirstKey + arguments.KeyCount;
        for (var i = arguments.FirstKey; i < end; i++)
        {
            if (KeyWait.FirstOfGroups(context, context.KeyAt(i)) is { } first)
            {
                KeyWait.LetPass(context, first);
                return true;
            }
        }

        return false;
    }

    private static void Serve(CommandContext context, in ReadArguments arguments)
    {
        var reply = context.Reply;
        var start = reply.Length;
        var served = 0;
        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            served += ServeStream(context, arguments, i) ? 1 : 0;
        }

        if (served > 0)
        {
            StreamReply.HeadOfMap(reply, start, served);
            KeyWait.End(context);
        }
        else if (!arguments.Blocks || context.IsInTransaction)
        {
            reply.NullArray();
            KeyWait.End(context);
        }
        else
        {
            var group = KeyWait.NumberOf(context.Argument(arguments.Group));
            KeyWait.Wait(
                context, RecordType.Stream, arguments.FirstKey, arguments.KeyCount, arguments.TimeoutMs, first: null,
                new StreamWait(group, LastIds: null));
        }
    }

    /// <summary>Answers a stream's entries: those pending for the consumer behind an id, be there any or not, or new
    /// ones.</summary>
    /// <returns>False when there are no new ones: nothing is answered.</returns>
    private static bool ServeStream(CommandContext context, in ReadArguments arguments, int keyAt)
    {
        var key = context.KeyAt(keyAt);
        _ = context.TryPeek(key, out var record);
        var stream = StreamAccess.Open(context, key, record);
        _ = stream.Read().TryFindGroup(context.Argument(arguments.Group), out var group);
        var consumer = StreamAccess.Seen(context, ref stream, key, group, context.Argument(arguments.Group + 1));
        var delivery = new GroupDelivery(context, group, consumer, arguments.Count);
        var text = context.Argument(arguments.IdOf(keyAt));
        var id = XRead.IsSign(text, (byte)'>') ? StreamId.Max : StreamArguments.IdAt(context, arguments.IdOf(keyAt));
        var isNew = id == StreamId.Max;
        var isServed = !isNew || (stream.Read().TryLast(out var last) && last > group.LastId);
        if (isServed)
        {
            XRead.BeginStream(context.Reply, key.Span);
            if (isNew)
            {
                delivery.GiveNew(ref stream, key, arguments.IsAcknowledged);
            }
            else
            {
                delivery.GivePending(ref stream, key, id);
            }
        }

        stream.End(delivery.HasChanged
            ? context.Change(KeyEvent.Pending)
            : new Change(KeyEvent.Seen, author: null));
        return isServed;
    }
}
