using Strata.Server.Commands.Shared;
using Strata.Server.Resp;

namespace Strata.Server.Commands.Streams;

/// <summary>Pending entries as a reply that is made in steps.</summary>
/// <param name="walk">Before the first.</param>
internal sealed class PendingReply(PendingWalk walk) : ElementReply
{
    private PendingWalk _walk = walk;

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply) => _walk.TryStep(reply);

    /// <inheritdoc/>
    public override void WriteHeader(ReplyWriter reply) => StreamReply.Head(reply, 0, _walk.Written);
}
