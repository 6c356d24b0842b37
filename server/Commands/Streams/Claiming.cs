using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>Entries of a group that become the third argument's, a consumer's, one by one: each is answered, and told
/// to the journal.</summary>
/// <param name="isJustId">Whether ids alone are answered.</param>
internal struct Claiming(bool isJustId)
{
    /// <summary>What an entry takes that is looked for, and becomes another consumer's.</summary>
    public const int LookEffort = 3;

    private StreamConsumer _consumer;
    private EntrySeeker _seeker;
    private StreamId _lastId;

    /// <summary>Whether it has begun.</summary>
    public bool HasBegun { get; private set; }

    /// <summary>Whether the consumer was made.</summary>
    public bool HasNewConsumer { get; private set; }

    /// <summary>Whether anything has become of an entry.</summary>
    public bool HasChanged { get; private set; }

    /// <summary>Entries that have become the consumer's.</summary>
    public long Claimed { get; private set; }

    /// <summary>The consumer is seen, or made.</summary>
    /// <param name="stage">Where the command works.</param>
    /// <param name="lastId">The last entry that the group has read then.</param>
    public void Begin(ref GroupStage stage, StreamId lastId)
    {
        _consumer = stage.See(stage.Context.Argument(3), out var isNew);
        _lastId = lastId;
        HasNewConsumer = isNew;
        HasBegun = true;
    }

    /// <summary>Whether there is an entry of an id.</summary>
    public bool TryFind(in GroupStage stage, StreamId id) => _seeker.TryFind(stage.Stream, id);

    /// <summary>The entry that was found becomes the consumer's, and is answered.</summary>
    /// <param name="stage">Where the command works.</param>
    /// <param name="id">The entry.</param>
    /// <param name="deliveredMs">When it was given, milliseconds since 1970.</param>
    /// <param name="deliveries">How often it was.</param>
    public void Take(in GroupStage stage, StreamId id, long deliveredMs, long deliveries)
    {
        stage.SetPending(new PendingEntry(id, _consumer, deliveredMs, deliveries), _lastId);
        stage.Group.SetActive(_consumer, stage.NowMs);
        if (isJustId)
        {
            StreamReply.Id(stage.Reply, id);
        }
        else
        {
            _seeker.Write(stage.Reply);
        }

        Claimed++;
        HasChanged = true;
    }

    /// <summary>A pending entry that was deleted from the stream is nobody's any more.</summary>
    public void Forget(in GroupStage stage, in PendingEntry entry)
    {
        stage.Tell(entry, _lastId);
        _ = stage.Group.RemovePending(entry.Id);
        HasChanged = true;
    }
}
