using Strata.Server.Clients;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Streams;

namespace Strata.Server.Commands.Streams;

/// <summary>What XAUTOCLAIM does with a group.</summary>
/// <param name="arguments">What it is asked for.</param>
internal struct AutoClaimWork(AutoClaimArguments arguments) : IGroupWork
{
    private const long LooksPerEntry = 10;

    private Claiming _claiming = new(arguments.IsJustId);
    private StreamId _next = arguments.First;
    private PendingCursor _pending;
    private bool _isAtEnd;
    private long _left = arguments.Count;
    private long _looks = arguments.Count * LooksPerEntry;
    private ReplyWriter? _deleted; // Mostly there are none.
    private long _deletedCount;
    private int _start;

    /// <inheritdoc/>
    public readonly bool ChangesPending => true;

    /// <inheritdoc/>
    public readonly int LeftOut => 0;

    /// <inheritdoc/>
    public readonly bool HasNewConsumer => _claiming.HasNewConsumer;

    /// <inheritdoc/>
    public readonly bool IsServed => true;

    /// <inheritdoc/>
    public readonly KeyEvent? What => _claiming.HasChanged ? KeyEvent.Pending : KeyEvent.Seen;

    /// <summary>What it takes, as steps count it, as far as that is more than <paramref name="enough"/>.</summary>
    /// <param name="group">The group.</param>
    /// <param name="nowMs">Milliseconds since 1970.</param>
    /// <param name="effortOfEntry">What an entry takes that is answered.</param>
    /// <param name="enough">How much is long.</param>
    public readonly long EffortIn(StreamGroup group, long nowMs, long effortOfEntry, long enough)
    {
        var effort = 0L;
        var (left, looks) = (_left, _looks);
        var cursor = group.PendingFrom(_next);
        for (; left > 0 && looks > 0 && effort <= enough && cursor.TryNext(out var entry); looks--)
        {
            effort++;
            if (entry.IsIdle(arguments.MinIdleMs, nowMs))
            {
                effort += Claiming.LookEffort + effortOfEntry;
                left--;
            }
        }

        return effort;
    }

    /// <summary>What its entries take of the reply, bytes, about.</summary>
    public readonly long ReplyBytesIn(in StreamView stream, StreamGroup group, long nowMs)
    {
        var bytes = 0L;
        var seeker = default(EntrySeeker);
        var (left, looks) = (arguments.IsJustId ? 0 : _left, _looks);
        var cursor = group.PendingFrom(_next);
        for (; left > 0 && looks > 0 && cursor.TryNext(out var entry); looks--)
        {
            if (!seeker.TryFind(stream, entry.Id))
            {
                left--;
            }
            else if (entry.IsIdle(arguments.MinIdleMs, nowMs))
            {
                bytes += seeker.ReplyBytes;
                left--;
            }
        }

        return bytes;
    }

    /// <inheritdoc/>
    public bool TryGoOn(ref GroupStage stage)
    {
        if (!_claiming.HasBegun)
        {
            _start = stage.Reply.Length;
            _claiming.Begin(ref stage, stage.Source.LastId);
            _pending = stage.Group.Group.PendingFrom(_next);
        }

        for (; _looks > 0 && _left > 0 && !_isAtEnd; _looks--)
        {
            if (stage.Effort <= 0)
            {
                return false;
            }

            if (!_pending.TryNext(out var entry))
            {
                _isAtEnd = true;
                break;
            }

            _isAtEnd = !entry.Id.TryNext(out _next);
            var before = stage.Reply.Length;
            Claim(ref stage, entry);
            stage.Effort -= Claiming.LookEffort + StepEffort.Of(stage.Reply.Length - before);
        }

        return true;
    }

    /// <inheritdoc/>
    /// <remarks>Answers where to go on, what was claimed, and what was forgotten since it was deleted.</remarks>
    public readonly void End(ref GroupStage stage)
    {
        var reply = stage.Reply;
        var goesOnAt = StreamId.Min;
        if (!_isAtEnd && stage.Group.Group.PendingFrom(_next) is var cursor && cursor.TryNext(out var following))
        {
            goesOnAt = following.Id;
        }

        var end = reply.Length;
        reply.Array(3);
        StreamReply.Id(reply, goesOnAt);
        reply.Array(_claiming.Claimed);
        reply.MoveForward(_start, end);
        reply.Array(_deletedCount);
        if (_deleted != null)
        {
            reply.Copy(_deleted, 0, _deleted.Length);
        }
    }

    /// <inheritdoc/>
    public readonly void Dispose() => _deleted?.Dispose();

    private void Claim(ref GroupStage stage, in PendingEntry entry)
    {
        if (!_claiming.TryFind(stage, entry.Id))
        {
            _claiming.Forget(stage, entry);
            _deleted ??= stage.Context.Session.Worker.CreateReply(stage.Reply.Protocol);
            StreamReply.Id(_deleted, entry.Id);
            _deletedCount++;
            _left--;
            _pending = stage.Group.Group.PendingFrom(_next);
        }
        else if (entry.IsIdle(arguments.MinIdleMs, stage.NowMs))
        {
            _claiming.Take(stage, entry.Id, stage.NowMs, entry.Deliveries + (arguments.IsJustId ? 0 : 1));
            _left--;
        }
    }
}
