using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>The groups of a stream on their way to a reply.</summary>
internal sealed class GroupsReply : ElementReply
{
    private readonly StreamView _stream;
    private GroupCursor _groups;
    private bool _hasHeader;

    /// <param name="stream">The stream.</param>
    public GroupsReply(in StreamView stream)
    {
        _stream = stream;
        _groups = stream.Groups;
    }

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply)
    {
        if (!_hasHeader)
        {
            reply.Array(_stream.GroupCount);
            _hasHeader = true;
        }

        if (!_groups.TryNext(out var group))
        {
            return false;
        }

        reply.Map(6);
        reply.Bulk("name"u8);
        reply.Bulk(group.Name);
        reply.Bulk("consumers"u8);
        reply.Integer(group.ConsumerCount);
        reply.Bulk("pending"u8);
        reply.Integer(group.PendingCount);
        WriteProgress(reply, _stream, group);
        return true;
    }

    /// <summary>Three pairs: what a group has read, and what it has not.</summary>
    public static void WriteProgress(ReplyWriter reply, in StreamView stream, StreamGroup group)
    {
        reply.Bulk("last-delivered-id"u8);
        StreamReply.Id(reply, group.LastId);
        reply.Bulk("entries-read"u8);
        WriteKnown(reply, group.EntriesRead != GroupProgress.Unknown, group.EntriesRead);
        reply.Bulk("lag"u8);
        WriteKnown(reply, GroupProgress.TryLag(stream, group, out var lag), lag);
    }

    private static void WriteKnown(ReplyWriter reply, bool isKnown, long count)
    {
        if (isKnown)
        {
            reply.Integer(count);
        }
        else
        {
            reply.Null();
        }
    }
}
