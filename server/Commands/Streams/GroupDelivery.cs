using Strata.Server.Commands.Model;
using Strata.Storage.Collections.Streams;
using Strata.Storage.Index;

namespace Strata.Server.Commands.Streams;

/// <summary>Entries on their way to a consumer of a group: they are answered, become pending, and the journal is told.
/// </summary>
/// <param name="context">The command.</param>
/// <param name="group">The group.</param>
/// <param name="consumer">The consumer.</param>
/// <param name="most">The most entries; 0 for any number.</param>
internal struct GroupDelivery(CommandContext context, StreamGroup group, StreamConsumer consumer, long most)
{
    /// <summary>Whether anything was given that is noted.</summary>
    public bool HasChanged { get; private set; }

    /// <summary>Gives the entries that the group has not read yet.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="key">Its key.</param>
    /// <param name="areAcknowledged">Whether they do not become pending.</param>
    public void GiveNew(scoped ref StreamEditor stream, scoped in Key key, bool areAcknowledged)
    {
        var reply = context.Reply;
        var start = reply.Length;
        var (last, read) = (group.LastId, group.EntriesRead);
        _ = last.TryNext(out var first);
        var reader = stream.Read();
        var cursor = reader.Walk(first, StreamId.Max);
        var given = 0L;
        while ((most == 0 || given < most) && cursor.TryNext())
        {
            last = cursor.Id;
            read = GroupProgress.Advance(reader, read, last);
            StreamReply.Entry(reply, ref cursor);
            given++;
            if (!areAcknowledged)
            {
                stream.SetPending(group, consumer, last, context.NowMs, deliveries: 1);
                TellPending(key, new PendingEntry(last, consumer, context.NowMs, Deliveries: 1), last);
            }
        }

        StreamReply.Head(reply, start, given);
        stream.SetGroup(group, last, read);
        if (!areAcknowledged)
        {
            stream.SetActive(consumer, context.NowMs);
        }

        if (context.Effects is { } effects)
        {
            StreamEffects.SetGroup(effects, key, group);
        }

        HasChanged = true;
    }

    /// <summary>Gives the entries again that are pending for the consumer; of those that were deleted since, their
    /// ids.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="key">Its key.</param>
    /// <param name="seen">The id behind which they are.</param>
    public void GivePending(scoped ref StreamEditor stream, scoped in Key key, StreamId seen)
    {
        var reply = context.Reply;
        var start = reply.Length;
        var reader = stream.Read();
        _ = seen.TryNext(out var first);
        var cursor = consumer.PendingFrom(first);
        var given = 0L;
        while ((most == 0 || given < most) && cursor.TryNext(out var entry))
        {
            given++;
            if (StreamReply.TryEntry(reply, reader, entry.Id))
            {
                entry = entry with { DeliveredMs = context.NowMs, Deliveries = entry.Deliveries + 1 };
                stream.SetPending(group, consumer, entry.Id, entry.DeliveredMs, entry.Deliveries);
                TellPending(key, entry, group.LastId);
                HasChanged = true;
            }
            else
            {
                reply.Array(2);
                StreamReply.Id(reply, entry.Id);
                reply.NullArray();
            }
        }

        StreamReply.Head(reply, start, given);
    }

    private readonly void TellPending(scoped in Key key, in PendingEntry entry, StreamId last)
    {
        if (context.Effects is { } effects)
        {
            StreamEffects.Claim(effects, key, group, entry, last);
        }
    }
}
