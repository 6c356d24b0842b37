using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>What XCLAIM does with a group.</summary>
/// <param name="claim">What it is asked for.</param>
internal struct ClaimWork(ClaimArguments claim) : IGroupWork
{
    private Claiming _claiming = new(claim.IsJustId);
    private int _next = ClaimArguments.FirstId;
    private int _start;
    private bool _hasRead;
    private StreamId _lastId;

    /// <inheritdoc/>
    public readonly bool ChangesPending => true;

    /// <inheritdoc/>
    public readonly int LeftOut => 0;

    /// <inheritdoc/>
    public readonly bool HasNewConsumer => _claiming.HasNewConsumer;

    /// <inheritdoc/>
    public readonly bool IsServed => true;

    /// <inheritdoc/>
    public readonly KeyEvent? What => _claiming.HasChanged || _hasRead ? KeyEvent.Pending : KeyEvent.Seen;

    /// <summary>What its entries take of the reply, bytes, about and at most.</summary>
    public readonly long ReplyBytesIn(CommandContext context, in StreamView stream)
    {
        var bytes = 0L;
        var seeker = default(EntrySeeker);
        for (var i = ClaimArguments.FirstId; i < claim.End && !claim.IsJustId; i++)
        {
            bytes += seeker.TryFind(stream, StreamArguments.IdAt(context, i)) ? seeker.ReplyBytes : 0;
        }

        return bytes;
    }

    /// <inheritdoc/>
    public bool TryGoOn(ref GroupStage stage)
    {
        if (!_claiming.HasBegun)
        {
            _start = stage.Reply.Length;
            _hasRead = claim.LastId > stage.Source.LastId;
            _lastId = _hasRead ? claim.LastId : stage.Source.LastId;
            _claiming.Begin(ref stage, _lastId);
        }

        for (; _next < claim.End; _next++)
        {
            if (stage.Effort <= 0)
            {
                return false;
            }

            var before = stage.Reply.Length;
            Claim(ref stage, StreamArguments.IdAt(stage.Context, _next));
            stage.Effort -= Claiming.LookEffort + StepEffort.Of(stage.Reply.Length - before);
        }

        return true;
    }

    /// <inheritdoc/>
    public readonly void End(ref GroupStage stage)
    {
        StreamReply.Head(stage.Reply, _start, _claiming.Claimed);
        if (_hasRead)
        {
            stage.Group.SetRead(_lastId, stage.Source.EntriesRead);
            if (!_claiming.HasChanged)
            {
                stage.TellRead();
            }
        }
    }

    /// <inheritdoc/>
    public readonly void Dispose()
    {
        // It has nothing of its own.
    }

    private void Claim(ref GroupStage stage, StreamId id)
    {
        var isPending = stage.Group.Group.TryFindPending(id, out var entry);
        if (!_claiming.TryFind(stage, id))
        {
            if (isPending)
            {
                _claiming.Forget(stage, entry);
            }
        }
        else if (isPending
            ? entry.IsIdle(claim.MinIdleMs, stage.NowMs)
            : claim.Forces)
        {
            var deliveries = claim.Deliveries >= 0 ? claim.Deliveries
                : (isPending ? entry.Deliveries : 1) + (claim.IsJustId ? 0 : 1);
            _claiming.Take(stage, id, claim.DeliveredMs, deliveries);
        }
    }
}
