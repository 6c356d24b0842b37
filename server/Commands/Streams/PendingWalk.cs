using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>The pending entries that are asked for, on their way to a reply.</summary>
internal struct PendingWalk
{
    private readonly StreamId _last;
    private readonly long _count;
    private readonly long _minIdleMs;
    private readonly long _nowMs;
    private PendingCursor _cursor;

    /// <param name="group">The group.</param>
    /// <param name="consumer">Whose they are, if it is asked for one's.</param>
    /// <param name="query">What is asked for.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    public PendingWalk(StreamGroup group, StreamConsumer consumer, in PendingQuery query, long nowMs)
    {
        _cursor = query.Consumer > 0 ? consumer.PendingFrom(query.Range.From) : group.PendingFrom(query.Range.From);
        _last = query.Range.To;
        _count = query.Count;
        _minIdleMs = query.MinIdleMs;
        _nowMs = nowMs;
    }

    /// <summary>Entries written.</summary>
    public long Written { get; private set; }

    /// <summary>Looks at the next entry, and writes it if it is asked for.</summary>
    /// <returns>False when there is no more.</returns>
    public bool TryStep(ReplyWriter reply)
    {
        if (Written == _count || !_cursor.TryNext(out var entry) || entry.Id > _last)
        {
            return false;
        }

        if (entry.IsIdle(_minIdleMs, _nowMs))
        {
            reply.Array(4);
            StreamReply.Id(reply, entry.Id);
            reply.Bulk(entry.Consumer.Name);
            reply.Integer(Math.Max(0, _nowMs - entry.DeliveredMs));
            reply.Integer(entry.Deliveries);
            Written++;
        }

        return true;
    }
}
