using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>Entries of a group that become the third argument's, a consumer's, one by one: each is answered, and told
/// to
/// the journal.</summary>
/// <param name="context">The command, of the first key.</param>
/// <param name="group">The group.</param>
internal struct Claiming(CommandContext context, StreamGroup group)
{
    private StreamConsumer _consumer;

    /// <summary>The group.</summary>
    public readonly StreamGroup Group => group;

    /// <summary>Whether ids alone are answered.</summary>
    public bool IsJustId { get; init; }

    /// <summary>Whether anything has become of an entry.</summary>
    public bool HasChanged { get; private set; }

    /// <summary>The consumer is seen, or made.</summary>
    public void Begin(scoped ref StreamEditor stream)
        => _consumer = StreamAccess.Seen(context, ref stream, context.Key, group, context.Argument(3));

    /// <summary>An entry that is there becomes the consumer's, and is answered.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="id">The entry.</param>
    /// <param name="deliveredMs">When it was given, milliseconds since 1970.</param>
    /// <param name="deliveries">How often it was.</param>
    public void Take(scoped ref StreamEditor stream, StreamId id, long deliveredMs, long deliveries)
    {
        stream.SetPending(group, _consumer, id, deliveredMs, deliveries);
        if (IsJustId)
        {
            StreamReply.Id(context.Reply, id);
        }
        else
        {
            _ = StreamReply.TryEntry(context.Reply, stream.Read(), id);
        }

        stream.SetActive(_consumer, context.NowMs);
        Tell(new PendingEntry(id, _consumer, deliveredMs, deliveries));
    }

    /// <summary>A pending entry that was deleted from the stream is nobody's any more.</summary>
    public void Forget(scoped ref StreamEditor stream, in PendingEntry entry)
    {
        Tell(entry);
        _ = stream.RemovePending(group, entry.Id);
    }

    /// <summary>The command has done what it does.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="hasRead">Whether the group counts as having read more.</param>
    public readonly void End(scoped ref StreamEditor stream, bool hasRead)
        => stream.End(HasChanged || hasRead
            ? context.Change(KeyEvent.Pending)
            : new Change(KeyEvent.Seen, author: null));

    private void Tell(in PendingEntry entry)
    {
        HasChanged = true;
        if (context.Effects is { } effects)
        {
            StreamEffects.Claim(effects, context.Key, group, entry, group.LastId);
        }
    }
}
