using Strata.Server.Clients;
using Strata.Server.Clients.Waiting;
using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Server.Text;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Streams;

/// <summary>What XREADGROUP does.</summary>
internal static class GroupReading
{
    public static void Execute(CommandContext context)
    {
        if (KeyWait.TryEnd(context) || KeyPass.TryGoOn(context))
        {
            return;
        }

        if (!ReadArguments.TryParse(context, ofGroup: true, out var arguments))
        {
            KeyWait.End(context);
        }
        else if (!GroupReadPass.Executes(context, arguments))
        {
            Read(context, arguments);
        }
    }

    /// <summary>Reads all streams in one go, but for many entries.</summary>
    private static void Read(CommandContext context, in ReadArguments arguments)
    {
        if (!AreRight(context, arguments, out var entryBytes))
        {
            KeyWait.End(context);
        }
        else if (!MustLetPass(context, arguments))
        {
            AskForRoom(context, arguments);
            if (!ServesInSteps(context, arguments))
            {
                AskForReply(context, arguments, entryBytes);
                Serve(context, arguments);
            }
        }
    }

    /// <summary>Asks for memory where the command takes some. Who has waited has its consumers, and is given what there
    /// was memory for when it was added.</summary>
    private static void AskForRoom(CommandContext context, in ReadArguments arguments)
    {
        if (!GroupRoom.IsScarce(context) || context.Session.Blocked != null)
        {
            return;
        }

        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            _ = context.TryPeek(context.KeyAt(i), out var record);
            if (TakesRoom(context, arguments, i, new StreamView(record)))
            {
                GroupRoom.Ask(context);
                return;
            }
        }
    }

    /// <summary>Whether a stream's entries become pending, or a consumer is made.</summary>
    public static bool TakesRoom(CommandContext context, in ReadArguments arguments, int keyAt, in StreamView stream)
    {
        _ = stream.TryFindGroup(context.Argument(arguments.Group), out var group);
        return (!arguments.IsAcknowledged && HasNews(context, arguments, keyAt, stream))
            || !group.TryFindConsumer(context.Argument(arguments.Group + 1), out _);
    }

    /// <summary>Whether a stream has new entries, and is asked for them.</summary>
    public static bool HasNews(CommandContext context, in ReadArguments arguments, int keyAt, in StreamView stream)
        => stream.TryFindGroup(context.Argument(arguments.Group), out var group)
            && stream.TryLast(out var last) && last > group.LastId
            && XRead.IsSign(context.Argument(arguments.IdOf(keyAt)), (byte)'>');

    /// <summary>Asks for the memory of a large reply. Who has waited is given what has just been added.</summary>
    private static void AskForReply(CommandContext context, in ReadArguments arguments, long entryBytes)
    {
        if (entryBytes <= ServerLimits.FreeReplyBytes || context.Session.Blocked != null)
        {
            return;
        }

        var bytes = 0L;
        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            bytes += ReplyBytesIn(context, arguments, i);
        }

        context.Reply.Ask(bytes);
    }

    /// <summary>What a stream's entries take of the reply, bytes, about.</summary>
    public static long ReplyBytesIn(CommandContext context, in ReadArguments arguments, int keyAt)
        => TryFind(context, arguments, keyAt, out var record, out var group)
            ? DeliveryOf(context, arguments, keyAt).ReplyBytesIn(context, new StreamView(record), group)
            : 0;

    /// <summary>Whether all streams and groups are there, and all ids are ids. An error is answered.</summary>
    /// <param name="context">The command.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="entryBytes">What the entries of all the streams take.</param>
    private static bool AreRight(CommandContext context, in ReadArguments arguments, out long entryBytes)
    {
        entryBytes = 0;
        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            if (!IsRight(context, arguments, i, out var stream))
            {
                return false;
            }

            entryBytes += stream.EntryBytes;
        }

        return true;
    }

    /// <summary>Whether a stream and its group are there, and its id is one. An error is answered.</summary>
    public static bool IsRight(CommandContext context, in ReadArguments arguments, int keyAt, out StreamView stream)
    {
        var lookup = StreamAccess.Read(context, context.KeyAt(keyAt), out stream);
        if (lookup == Lookup.WrongType)
        {
            return false;
        }

        if (lookup == Lookup.Missing || !stream.TryFindGroup(context.Argument(arguments.Group), out _))
        {
            context.Reply.Error(
                $"NOGROUP No such key '{EchoedArgument.Of(context.Argument(keyAt))}' or consumer group "
                + $"'{EchoedArgument.Of(context.Argument(arguments.Group))}' in XREADGROUP with GROUP option");
            return false;
        }

        var text = context.Argument(arguments.IdOf(keyAt));
        if (XRead.IsSign(text, (byte)'$') || XRead.IsSign(text, (byte)'+'))
        {
            var sign = (char)text[0];
            context.Reply.Error(
                $"ERR The {sign} ID is meaningless in the context of XREADGROUP: you want to read the history of "
                + $"this consumer by specifying a proper ID, or use the > ID to get new messages. The {sign} ID "
                + "would just return an empty result set.");
            return false;
        }

        return XRead.IsSign(text, (byte)'>') || StreamArguments.TryId(context, text, 0, out _);
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

    /// <summary>Whether there is so much to be given that the command goes on in steps. One that has waited does all in
    /// one go.</summary>
    private static bool ServesInSteps(CommandContext context, in ReadArguments arguments)
    {
        if (context.Session.Blocked != null || arguments.KeyCount > PassSources.Most || !IsLong(context, arguments))
        {
            return false;
        }

        var parts = new GroupPart<GroupDelivery>[arguments.KeyCount];
        var keys = new Key[parts.Length];
        for (var i = 0; i < parts.Length; i++)
        {
            var keyAt = arguments.FirstKey + i;
            parts[i] = new GroupPart<GroupDelivery>(keyAt, DeliveryOf(context, arguments, keyAt));
            keys[i] = context.KeyAt(keyAt);
            if (IsAmong(keys.AsSpan(0, i), keys[i]))
            {
                return false; // What is read again depends on what was read first, which is not to be seen in steps.
            }
        }

        GroupPass<GroupDelivery>.Begin(context, parts, keys, arguments.Group, isMap: true);
        return true;
    }

    private static bool IsLong(CommandContext context, in ReadArguments arguments)
    {
        var (effort, copied) = (0L, 0L);
        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            _ = context.TryPeek(context.KeyAt(i), out var record);
            var stream = new StreamView(record);
            _ = stream.TryFindGroup(context.Argument(arguments.Group), out var group);
            var delivery = DeliveryOf(context, arguments, i);
            copied += delivery.ChangesPending ? GroupCopy.EffortOf(group) : 0;
            effort += delivery.EffortIn(
                context, stream, group, GroupPass<GroupDelivery>.MostAtOnce(context, copied) - effort);
        }

        return GroupPass<GroupDelivery>.IsLong(context, effort, copied);
    }

    private static bool IsAmong(ReadOnlySpan<Key> keys, in Key key)
    {
        foreach (ref readonly var other in keys)
        {
            if (other.Hash == key.Hash)
            {
                return true;
            }
        }

        return false;
    }

    private static GroupDelivery DeliveryOf(CommandContext context, in ReadArguments arguments, int keyAt)
    {
        var idAt = arguments.IdOf(keyAt);
        var seen = XRead.IsSign(context.Argument(idAt), (byte)'>') ? StreamId.Max : StreamArguments.IdAt(context, idAt);
        return new(arguments.Group + 1, seen, arguments.Count, arguments.IsAcknowledged);
    }

    private static void Serve(CommandContext context, in ReadArguments arguments)
    {
        var reply = context.Reply;
        var start = reply.Length;
        var served = 0;
        for (var i = arguments.FirstKey; i < arguments.FirstKey + arguments.KeyCount; i++)
        {
            served += TryServe(context, arguments, i, reply) ? 1 : 0;
        }

        if (served > 0)
        {
            StreamReply.HeadOfMap(reply, start, served);
            KeyWait.End(context);
        }
        else if (!arguments.Blocks || !context.MayBlock)
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
    /// <returns>False when there are no new ones, or no such group any more: nothing is answered.</returns>
    public static bool TryServe(CommandContext context, in ReadArguments arguments, int keyAt, ReplyWriter reply)
    {
        if (!TryFind(context, arguments, keyAt, out var record, out var group))
        {
            return false;
        }

        var key = context.KeyAt(keyAt);
        var stream = StreamAccess.Open(context, key, record);
        var delivery = DeliveryOf(context, arguments, keyAt);
        GroupWork.Do(context, key, ref stream, group, ref delivery, reply);
        return delivery.IsServed;
    }

    private static bool TryFind(
        CommandContext context, in ReadArguments arguments, int keyAt, out Record record, out StreamGroup group)
    {
        group = default;
        return context.TryPeek(context.KeyAt(keyAt), out record) && record.Type == RecordType.Stream
            && new StreamView(record).TryFindGroup(context.Argument(arguments.Group), out group);
    }
}
