using Strata.Server.Resp;

namespace Strata.Server.Commands.Sets;

/// <summary>Members become the elements of a reply.</summary>
internal ref struct ReplySink : ISetSink
{
    private readonly ReplyWriter _reply;

    public ReplySink(ReplyWriter reply)
    {
        _reply = reply;
    }

    /// <summary>Members taken.</summary>
    public long Count { get; private set; }

    /// <inheritdoc/>
    public bool Take(ReadOnlySpan<byte> member)
    {
        _reply.Bulk(member);
        Count++;
        return true;
    }
}
