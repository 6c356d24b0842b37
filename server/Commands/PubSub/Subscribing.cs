using Strata.Server.Clients;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Messaging;
using Strata.Storage.Memory;

namespace Strata.Server.Commands.PubSub;

/// <summary>What SUBSCRIBE, UNSUBSCRIBE and their like for patterns and shard channels share: one reply for each
/// channel, in RESP3 as a push. CLIENT REPLY OFF does not hold these back.</summary>
internal static class Subscribing
{
    public const CommandFlags Flags =
        CommandFlags.PubSub | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale
            | CommandFlags.Divisible;

    public const CommandFlags SubscribeFlags = Flags | CommandFlags.HoldsMemory;

    /// <summary>Subscribes to every argument.</summary>
    /// <param name="context">The command.</param>
    /// <param name="kind">What the arguments are.</param>
    /// <param name="word">The first element of the replies.</param>
    /// <exception cref="MemoryExhaustedException">There is no memory for the subscriptions.</exception>
    public static void Subscribe(CommandContext context, ChannelKind kind, ReadOnlySpan<byte> word)
    {
        HeldRoom.Ask(context);
        if (!DeliveryWait.TrySettle(context))
        {
            context.Postponed = Postponement.GoesOn;
            return;
        }

        var start = context.Reply.Length;
        var subscriptions = context.Session.Subscriptions;
        for (var i = 1; i < context.Count; i++)
        {
            subscriptions.Add(kind, context.Argument(i));
            Reply(context, kind, word, context.Argument(i));
        }

        End(context, start);
    }

    /// <summary>Ends the subscriptions to the arguments, or without any to all of that kind.</summary>
    /// <inheritdoc cref="Subscribe"/>
    public static void Unsubscribe(CommandContext context, ChannelKind kind, ReadOnlySpan<byte> word)
    {
        if (!DeliveryWait.TrySettle(context))
        {
            context.Postponed = Postponement.GoesOn;
            return;
        }

        var start = context.Reply.Length;
        var subscriptions = context.Session.Subscriptions;
        for (var i = 1; i < context.Count; i++)
        {
            subscriptions.Remove(kind, context.Argument(i));
            Reply(context, kind, word, context.Argument(i));
        }

        if (context.Count == 1)
        {
            UnsubscribeAll(context, kind, word);
        }

        End(context, start);
    }

    private static void UnsubscribeAll(CommandContext context, ChannelKind kind, ReadOnlySpan<byte> word)
    {
        var subscriptions = context.Session.Subscriptions;
        var atOnce = context.IsInTransaction ? int.MaxValue : ServerLimits.NamesAtOnce;
        var channels = subscriptions.Some(kind, atOnce);
        foreach (var channel in channels)
        {
            subscriptions.Remove(kind, channel);
            Reply(context, kind, word, channel.Name);
        }

        context.HasMore = subscriptions.Count(kind) > 0;
        if (channels.Length == 0 && !context.IsContinued)
        {
            context.Reply.Push(3);
            context.Reply.Bulk(word);
            context.Reply.Null();
            context.Reply.Integer(subscriptions.CountTold(kind));
        }
    }

    private static void Reply(
        CommandContext context, ChannelKind kind, ReadOnlySpan<byte> word, ReadOnlySpan<byte> channel)
    {
        context.Reply.Push(3);
        context.Reply.Bulk(word);
        context.Reply.Bulk(channel);
        context.Reply.Integer(context.Session.Subscriptions.CountTold(kind));
    }

    private static unsafe void End(CommandContext context, int start)
    {
        var (session, reply) = (context.Session, context.Reply);
        session.OnSubscriptionsChanged();
        if (session.IsMuted)
        {
            if (!session.Connection.IsClosed) // A transaction is executed although its client has gone.
            {
                session.Connection.Output.Append(new ReadOnlySpan<byte>(reply.Start + start, reply.Length - start));
            }

            reply.Rewind(start);
        }
    }
}
