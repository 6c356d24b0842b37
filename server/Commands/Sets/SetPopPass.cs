using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;

namespace Strata.Server.Commands.Sets;

/// <summary>SPOP of many members of a large set, in steps.</summary>
internal sealed unsafe class SetPopPass : RewritePass
{
    private readonly long _count;
    private DetachedSet _rest;
    private ElementWalk _walk;
    private long _popped;
    private long _left;

    private SetPopPass(CommandContext context, in SetReader set, long count)
        : base(context, context.Shard)
    {
        _count = count;
        _left = set.Count;
        _walk = ElementTable.Walk(set.Table);
        _rest = new DetachedSet(context.Shard);
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="set">The set.</param>
    /// <param name="count">How many members are taken out, at most all.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context, in SetReader set, long count)
    {
        if (!IsLongChange(context, count, set.Count, set.LargeBytes))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            var pass = new SetPopPass(context, set, count);
            if (TryBegin(context, pass, context.Key))
            {
                pass.Reply.Set(count);
                pass.GoOn(context);
            }
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryRewrite(CommandContext context)
    {
        if (!context.TryWrite(context.Key, out var record))
        {
            return false; // It has gone, and the command begins anew.
        }

        for (var effort = EffortOfStep(context); _walk.TryNext(out var block); _left--)
        {
            // Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).
            var member = DetachedSet.MemberOf(block);
            if (context.Random.NextInt64(_left) < _count - _popped)
            {
                Reply.Bulk(member);
                _popped++;
            }
            else
            {
                _ = _rest.Add(member);
            }

            effort -= StepEffort.Of(member.Length);
            if (effort <= 0)
            {
                _left--;
                return false;
            }
        }

        var isAll = _rest.Count == 0;
        _rest.Exchange(context.Key, record, context.Change(KeyEvent.SPop));
        TellEffect(context, isAll);
        context.Reply.TakeFrom(Reply);
        return true;
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _rest.Dispose();

    /// <summary>Tells the journal which members were drawn: those in the reply.</summary>
    private void TellEffect(CommandContext context, bool isAll)
    {
        if (context.Effects is not { } effects)
        {
            return;
        }

        if (isAll)
        {
            effects.Tell("DEL"u8, context.Key.Span);
            return;
        }

        effects.Begin(2 + (int)_count, "SREM"u8);
        effects.Argument(context.Key.Span);
        var members = new BulkWalk(new ReadOnlySpan<byte>(Reply.Start, Reply.Length));
        members.SkipHeader();
        while (members.TryNext(out var member))
        {
            effects.Argument(member);
        }
    }
}
