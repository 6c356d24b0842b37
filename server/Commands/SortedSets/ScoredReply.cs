using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections.SortedSets;

namespace Strata.Server.Commands.SortedSets;

/// <summary>A range of a large sorted set as a reply that is made in steps.</summary>
internal sealed class ScoredReply : ElementReply
{
    private readonly long _count;
    private readonly bool _withScores;
    private SortedSetCursor _cursor;
    private bool _hasHeader;

    /// <param name="cursor">Before the first element.</param>
    /// <param name="count">Elements.</param>
    /// <param name="withScores">Whether scores are given, too.</param>
    public ScoredReply(in SortedSetCursor cursor, long count, bool withScores)
    {
        _cursor = cursor;
        _count = count;
        _withScores = withScores;
    }

    /// <inheritdoc/>
    public override bool TryWrite(ReplyWriter reply)
    {
        if (!_hasHeader)
        {
            _hasHeader = true;
            SortedSetReply.WriteHeader(reply, _count, _withScores);
        }

        if (!_cursor.TryNext(out var element))
        {
            return false;
        }

        SortedSetReply.WriteElement(reply, element, _withScores, _withScores && reply.Protocol == 3);
        return true;
    }
}
