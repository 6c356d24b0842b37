using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>All of a stream, as XINFO STREAM FULL tells it, on its way to a reply: its entries, its groups, and of each
/// what is pending, and its consumers, and of each of these again what is pending.</summary>
internal sealed class FullStreamReply : ElementReply
{
    private readonly StreamView _stream;
    private readonly long _most;
    private StreamCursor _entries;
    private GroupCursor _groups;
    private StreamGroup _group;
    private ConsumerCursor _consumers;
    private PendingCursor _pending;
    private Stage _stage;
    private long _left;

    /// <param name="stream">The stream.</param>
    /// <param name="most">The most entries, and the most pending ones of each group and consumer; 0 for all.</param>
    public FullStreamReply(in StreamView stream, long most)
    {
        _stream = stream;
        _most = most;
    }

    private enum Stage
    {
        Begin,
        Entries,
        Groups,
        GroupPending,
        Consumers,
        ConsumerPending,
    }

    /// <summary>What it takes, as steps count it, at the least, as far as that is more than <paramref name="enough"/>.
    /// </summary>
    public static long EffortOf(in StreamView stream, long most, long enough)
    {
        var entries = most == 0 ? stream.Count : Math.Min(most, stream.Count);
        var effort = StepEffort.Of(entries, stream.Count, stream.EntryBytes);
        for (var groups = stream.Groups; effort <= enough && groups.TryNext(out var group);)
        {
            var pending = most == 0 ? group.PendingCount : Math.Min(most, group.PendingCount);
            effort += 1 + group.ConsumerCount + (2 * pending);
        }

        return effort;
    }

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply)
    {
        switch (_stage)
        {
            case Stage.Begin:
                reply.Map(9);
                XInfoStream.WriteFigures(reply, _stream);
                reply.Bulk("entries"u8);
                _left = Most(_stream.Count);
                reply.Array(_left);
                _entries = _stream.Walk(StreamId.Min, StreamId.Max);
                _stage = Stage.Entries;
                return true;
            case Stage.Entries:
                WriteEntry(reply);
                return true;
            case Stage.Groups:
                return TryWriteGroup(reply);
            case Stage.GroupPending:
                WriteGroupPending(reply);
                return true;
            case Stage.Consumers:
                WriteConsumer(reply);
                return true;
            default:
                WriteConsumerPending(reply);
                return true;
        }
    }

    private long Most(long count) => _most == 0 ? count : Math.Min(_most, count);

    private void WriteEntry(ReplyWriter reply)
    {
        if (_left-- > 0 && _entries.TryNext())
        {
            StreamReply.Entry(reply, ref _entries);
            return;
        }

        reply.Bulk("groups"u8);
        reply.Array(_stream.GroupCount);
        _groups = _stream.Groups;
        _stage = Stage.Groups;
    }

    private bool TryWriteGroup(ReplyWriter reply)
    {
        if (!_groups.TryNext(out var group))
        {
            return false;
        }

        reply.Map(7);
        reply.Bulk("name"u8);
        reply.Bulk(group.Name);
        GroupsReply.WriteProgress(reply, _stream, group);
        reply.Bulk("pel-count"u8);
        reply.Integer(group.PendingCount);
        reply.Bulk("pending"u8);
        _left = Most(group.PendingCount);
        reply.Array(_left);
        _pending = group.PendingFrom(StreamId.Min);
        _group = group;
        _stage = Stage.GroupPending;
        return true;
    }

    private void WriteGroupPending(ReplyWriter reply)
    {
        if (_left-- > 0 && _pending.TryNext(out var entry))
        {
            reply.Array(4);
            StreamReply.Id(reply, entry.Id);
            reply.Bulk(entry.Consumer.Name);
            reply.Integer(entry.DeliveredMs);
            reply.Integer(entry.Deliveries);
            return;
        }

        reply.Bulk("consumers"u8);
        reply.Array(_group.ConsumerCount);
        _consumers = _group.Consumers;
        _stage = Stage.Consumers;
    }

    private void WriteConsumer(ReplyWriter reply)
    {
        if (!_consumers.TryNext(out var consumer))
        {
            _stage = Stage.Groups;
            return;
        }

        reply.Map(5);
        reply.Bulk("name"u8);
        reply.Bulk(consumer.Name);
        reply.Bulk("seen-time"u8);
        reply.Integer(consumer.SeenMs);
        reply.Bulk("active-time"u8);
        reply.Integer(consumer.ActiveMs);
        reply.Bulk("pel-count"u8);
        reply.Integer(consumer.PendingCount);
        reply.Bulk("pending"u8);
        _left = Most(consumer.PendingCount);
        reply.Array(_left);
        _pending = consumer.PendingFrom(StreamId.Min);
        _stage = Stage.ConsumerPending;
    }

    private void WriteConsumerPending(ReplyWriter reply)
    {
        if (_left-- > 0 && _pending.TryNext(out var entry))
        {
            reply.Array(3);
            StreamReply.Id(reply, entry.Id);
            reply.Integer(entry.DeliveredMs);
            reply.Integer(entry.Deliveries);
            return;
        }

        _stage = Stage.Consumers;
    }
}
