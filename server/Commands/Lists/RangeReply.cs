using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Lists;

namespace Strata.Server.Commands.Lists;

/// <summary>A range of a large list as a reply that is made in steps.</summary>
internal sealed class RangeReply : ElementReply
{
    private readonly long _count;
    private ListCursor _cursor;
    private long _written;

    /// <param name="cursor">At the first element.</param>
    /// <param name="count">Elements.</param>
    public RangeReply(in ListCursor cursor, long count)
    {
        _cursor = cursor;
        _count = count;
    }

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply)
    {
        if (_written == _count)
        {
            return false;
        }

        if (_written == 0)
        {
            reply.Array(_count);
        }
        else
        {
            _cursor.MoveNext();
        }

        reply.Bulk(_cursor.Current);
        _written++;
        return true;
    }
}
