using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>The consumers of a group on their way to a reply.</summary>
internal sealed class ConsumersReply : ElementReply
{
    private readonly StreamGroup _group;
    private readonly long _nowMs;
    private ConsumerCursor _consumers;
    private bool _hasHeader;

    /// <param name="group">The group.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public ConsumersReply(StreamGroup group, long nowMs)
    {
        _group = group;
        _consumers = group.Consumers;
        _nowMs = nowMs;
    }

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply)
    {
        if (!_hasHeader)
        {
            reply.Array(_group.ConsumerCount);
            _hasHeader = true;
        }

        if (!_consumers.TryNext(out var consumer))
        {
            return false;
        }

        reply.Map(4);
        reply.Bulk("name"u8);
        reply.Bulk(consumer.Name);
        reply.Bulk("pending"u8);
        reply.Integer(consumer.PendingCount);
        reply.Bulk("idle"u8);
        reply.Integer(Math.Max(0, _nowMs - consumer.SeenMs));
        reply.Bulk("inactive"u8);
        reply.Integer(consumer.ActiveMs < 0 ? -1 : _nowMs - consumer.ActiveMs);
        return true;
    }
}
