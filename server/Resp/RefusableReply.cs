namespace Strata.Server.Resp;

/// <summary>A part of a reply that may be refused for want of memory, whatever the command at work is
/// (<see cref="ReplyBuffer.Refusable"/>).</summary>
internal readonly ref struct RefusableReply
{
    private readonly ReplyBuffer _reply;

    public RefusableReply(ReplyBuffer reply)
    {
        _reply = reply;
        reply.IsRefusable = true;
    }

    /// <summary>The part has ended.</summary>
    public void Dispose() => _reply.IsRefusable = false;
}
