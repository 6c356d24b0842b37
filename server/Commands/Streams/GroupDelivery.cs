using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>Entries of a stream on their way to a consumer of a group: new ones, or, again, those pending for it behind
/// an id. They are answered, become pending, and the journal is told.</summary>
/// <param name="consumer">Index of the consumer's name among the arguments.</param>
/// <param name="seen">The id behind which they are; the highest there is for those that the group has not read yet.
/// </param>
/// <param name="most">The most entries; 0 for any number.</param>
/// <param name="areAcknowledged">Whether new ones do not become pending.</param>
internal struct GroupDelivery(int consumer, StreamId seen, long most, bool areAcknowledged) : IGroupWork
{
    // What an entry that was given before takes more than a new one: it is looked for.
    private const int LookEffort = 3;

    private readonly bool _isNew = seen == StreamId.Max;
    private StreamConsumer _consumer;
    private bool _hasBegun;
    private StreamCursor _entries;
    private PendingCursor _pending;
    private EntrySeeker _seeker;
    private StreamId _last;
    private long _read;
    private long _given;
    private int _start;
    private bool _hasChanged;

    /// <inheritdoc/>
    /// <remarks>Not where there are no new entries.</remarks>
    public bool IsServed { get; private set; }

    /// <inheritdoc/>
    public readonly bool ChangesPending => !_isNew || !areAcknowledged;

    /// <inheritdoc/>
    public bool HasNewConsumer { get; private set; }

    /// <inheritdoc/>
    public readonly int LeftOut => 0;

    /// <inheritdoc/>
    public readonly KeyEvent? What => _hasChanged ? KeyEvent.Pending : KeyEvent.Seen;

    /// <summary>What it takes, as steps count it, as far as that is more than <paramref name="most"/>.</summary>
    public readonly long EffortIn(CommandContext context, in StreamView stream, StreamGroup group, long most)
        => _isNew ? EffortOfNew(stream, group, most) : EffortOfPending(context, stream, group, most);

    /// <summary>What its entries take of the reply, bytes, about.</summary>
    public readonly long ReplyBytesIn(CommandContext context, in StreamView stream, StreamGroup group)
        => _isNew ? ReplyBytesOfNew(stream, group) : ReplyBytesOfPending(context, stream, group);

    /// <inheritdoc/>
    public bool TryGoOn(ref GroupStage stage)
    {
        if (!_hasBegun)
        {
            Begin(ref stage);
        }

        if (!IsServed)
        {
            return true;
        }

        var isDone = _isNew ? TryGiveNew(ref stage) : TryGivePending(ref stage);
        if (isDone)
        {
            StreamReply.Head(stage.Reply, _start, _given);
        }

        return isDone;
    }

    /// <inheritdoc/>
    public void End(ref GroupStage stage)
    {
        if (!ChangesPending)
        {
            See(ref stage);
        }

        if (IsServed && _isNew)
        {
            _hasChanged = true;
            stage.Group.SetRead(_last, _read);
            if (!areAcknowledged)
            {
                stage.Group.SetActive(_consumer, stage.NowMs);
            }

            stage.TellRead();
        }
    }

    /// <inheritdoc/>
    public readonly void Dispose()
    {
        // It has nothing of its own.
    }

    private void See(ref GroupStage stage)
    {
        _consumer = stage.See(stage.Context.Argument(consumer), out var isNew);
        HasNewConsumer = isNew;
    }

    private void Begin(ref GroupStage stage)
    {
        _hasBegun = true;
        if (ChangesPending)
        {
            See(ref stage);
        }

        var group = stage.Source;
        (_last, _read) = (group.LastId, group.EntriesRead);
        IsServed = !_isNew || (stage.Stream.TryLast(out var last) && last > _last);
        if (!IsServed)
        {
            return;
        }

        XRead.BeginStream(stage.Reply, stage.Key.Span);
        _start = stage.Reply.Length;
        _ = (_isNew ? _last : seen).TryNext(out var first);
        if (_isNew)
        {
            _entries = stage.Stream.Walk(first, StreamId.Max);
        }
        else
        {
            _pending = _consumer.PendingFrom(first);
        }
    }

    private bool TryGiveNew(ref GroupStage stage)
    {
        for (; stage.Effort > 0; stage.Effort -= StepEffort.Of(_entries.EntryBytes))
        {
            if ((most > 0 && _given == most) || !_entries.TryNext())
            {
                return true;
            }

            _last = _entries.Id;
            _read = GroupProgress.Advance(stage.Stream, _read, _last);
            StreamReply.Entry(stage.Reply, ref _entries);
            _given++;
            if (!areAcknowledged)
            {
                stage.SetPending(new PendingEntry(_last, _consumer, stage.NowMs, Deliveries: 1), _last);
            }
        }

        return false;
    }

    /// <summary>Gives entries again; of those that were deleted since, their ids.</summary>
    private bool TryGivePending(ref GroupStage stage)
    {
        while (stage.Effort > 0)
        {
            if ((most > 0 && _given == most) || !_pending.TryNext(out var entry))
            {
                return true;
            }

            _given++;
            var before = stage.Reply.Length;
            if (_seeker.TryFind(stage.Stream, entry.Id))
            {
                _seeker.Write(stage.Reply);
                entry = entry with { DeliveredMs = stage.NowMs, Deliveries = entry.Deliveries + 1 };
                stage.SetPending(entry, _last);
                _hasChanged = true;
            }
            else
            {
                stage.Reply.Array(2);
                StreamReply.Id(stage.Reply, entry.Id);
                stage.Reply.NullArray();
            }

            stage.Effort -= LookEffort + StepEffort.Of(stage.Reply.Length - before);
        }

        return false;
    }

    private readonly long ReplyBytesOfNew(in StreamView stream, StreamGroup group)
    {
        var bytes = 0L;
        var count = most == 0 ? stream.Count : most;
        if (group.LastId.TryNext(out var first))
        {
            for (var cursor = stream.Walk(first, StreamId.Max); count > 0 && cursor.TryNext(); count--)
            {
                bytes += StreamReply.BytesOf(cursor);
            }
        }

        return bytes;
    }

    private readonly long ReplyBytesOfPending(CommandContext context, in StreamView stream, StreamGroup group)
    {
        var bytes = 0L;
        if (group.TryFindConsumer(context.Argument(consumer), out var given) && seen.TryNext(out var first))
        {
            var count = most == 0 ? given.PendingCount : most;
            var seeker = default(EntrySeeker);
            for (var cursor = given.PendingFrom(first); count > 0 && cursor.TryNext(out var entry); count--)
            {
                bytes += seeker.TryFind(stream, entry.Id) ? seeker.ReplyBytes : 0;
            }
        }

        return bytes;
    }

    private readonly long EffortOfNew(in StreamView stream, StreamGroup group, long enough)
    {
        var count = most == 0 ? stream.Count : Math.Min(most, stream.Count);
        if (StepEffort.Of(count, stream.Count, stream.EntryBytes) <= enough || !group.LastId.TryNext(out var first))
        {
            return 0;
        }

        var effort = 0L;
        for (var cursor = stream.Walk(first, StreamId.Max); count > 0 && effort <= enough && cursor.TryNext(); count--)
        {
            effort += StepEffort.Of(cursor.EntryBytes);
        }

        return effort;
    }

    private readonly long EffortOfPending(
        CommandContext context, in StreamView stream, StreamGroup group, long enough)
    {
        if (!group.TryFindConsumer(context.Argument(consumer), out var given) || !seen.TryNext(out var first))
        {
            return 0;
        }

        var count = most == 0 ? given.PendingCount : Math.Min(most, given.PendingCount);
        var effortOfEach = LookEffort + StreamReply.EffortOfEntry(stream);
        var effort = 0L;
        for (var cursor = given.PendingFrom(first); count > 0 && effort <= enough && cursor.TryNext(out _); count--)
        {
            effort += effortOfEach;
        }

        return effort;
    }
}
