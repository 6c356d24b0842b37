using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>How many entries of a group are pending, the first and the last, and how many each consumer has, on their
/// way
/// to a reply.</summary>
/// <param name="group">The group.</param>
internal sealed class PendingSummaryReply(StreamGroup group) : ElementReply
{
    private ConsumerCursor _consumers = group.Consumers;
    private int _headBytes = -1;
    private long _written;

    /// <summary>Writes all of it.</summary>
    public void WriteAll(ReplyWriter reply)
    {
        var start = reply.Length;
        while (TryWrite(reply))
        {
        }

        WriteHeader(reply, start);
    }

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply)
    {
        if (_headBytes < 0)
        {
            WriteHead(reply);
            return group.PendingCount > 0;
        }

        if (!_consumers.TryNext(out var consumer))
        {
            return false;
        }

        if (consumer.PendingCount > 0)
        {
            reply.Array(2);
            reply.Bulk(consumer.Name);
            reply.BulkInteger(consumer.PendingCount);
            _written++;
        }

        return true;
    }

    /// <inheritdoc/>
    public override void WriteHeader(ReplyWriter reply) => WriteHeader(reply, 0);

    private void WriteHead(ReplyWriter reply)
    {
        var start = reply.Length;
        reply.Array(4);
        reply.Integer(group.PendingCount);
        if (group.TryFirstPending(out var first) && group.TryLastPending(out var last))
        {
            StreamReply.Id(reply, first);
            StreamReply.Id(reply, last);
        }
        else
        {
            reply.Null();
            reply.Null();
            reply.NullArray();
        }

        _headBytes = reply.Length - start;
    }

    /// <summary>Of how many consumers something is pending is known when all were looked at.</summary>
    private void WriteHeader(ReplyWriter reply, int start)
    {
        if (group.PendingCount > 0)
        {
            StreamReply.Head(reply, start + _headBytes, _written);
        }
    }
}
