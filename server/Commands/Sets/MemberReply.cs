using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Sets;

/// <summary>The members of a large set as a reply that is made in steps.</summary>
internal sealed class MemberReply : ElementReply
{
    private readonly CollectionWalk _walk = new();
    private readonly long _count;
    private bool _hasHeader;

    /// <param name="set">The set.</param>
    public MemberReply(in Record set)
    {
        _walk.Begin(set);
        _count = ShardCollections.CountOf(set);
    }

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply)
    {
        if (!_hasHeader)
        {
            _hasHeader = true;
            reply.Set(_count);
        }

        if (!_walk.TryNextLarge(out var member))
        {
            return false;
        }

        reply.Bulk(member.Name);
        return true;
    }
}
