using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>Entries of a large stream as a reply that is made in steps.</summary>
internal sealed class EntriesReply : ElementReply
{
    private readonly long _most;
    private StreamCursor _cursor;
    private long _written;

    /// <param name="cursor">Before the first entry.</param>
    /// <param name="most">The most there may be; 0 for any number.</param>
    public EntriesReply(in StreamCursor cursor, long most)
    {
        _cursor = cursor;
        _most = most;
    }

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply)
    {
        if ((_most > 0 && _written == _most) || !_cursor.TryNext())
        {
            return false;
        }

        StreamReply.Entry(reply, ref _cursor);
        _written++;
        return true;
    }

    /// <inheritdoc/>
    public override void WriteHeader(ReplyWriter reply) => StreamReply.Head(reply, 0, _written);
}
