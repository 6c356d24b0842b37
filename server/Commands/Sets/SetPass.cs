using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Sets;

/// <summary>A combination of large sets, which is made in steps, as a reply, as a number, or for a key.</summary>
internal sealed class SetPass : ResultPass
{
    private readonly SetOperation _operation;
    private readonly PassSources _sources;
    private readonly int _count;
    private readonly bool _isByMember;
    private readonly SetEnd _end;
    private readonly bool _gathers;
    private DetachedSet _result;
    private GatheredReply? _answer;
    private long _members;
    private bool _isGathered;

    private SetPass(
        CommandContext context, Shard shard, SetOperation operation, bool isByMember, PassSources sources, SetEnd end)
        : base(context, shard)
    {
        _operation = operation;
        _isByMember = isByMember;
        _sources = sources;
        _count = sources.Records.Length;
        _end = end;
        _gathers = end.Stored != null || (!isByMember && !end.IsNumber);
        _result = _gathers ? new DetachedSet(shard) : default;
    }

    /// <summary>Begins.</summary>
    /// <param name="context">The command.</param>
    /// <param name="operation">What is made of the sources.</param>
    /// <param name="isByMember">Whether each member of the first one is looked for in the others.</param>
    /// <param name="sources">The sets; of an intersection the smallest first.</param>
    /// <param name="end">What becomes of the result.</param>
    public static void Begin(
        CommandContext context, SetOperation operation, bool isByMember, PassSources sources, SetEnd end)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        var keys = sources.Keys(context);
        var shard = context.ShardOf(end.Stored != null ? context.KeyAt(1) : keys[0]);
        var pass = new SetPass(context, shard, operation, isByMember, sources, end);
        Begin(context, pass, end.Stored == null ? keys : [.. keys, context.KeyAt(1)]);
    }

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        var effort = EffortOfStep(context);
        if (!_isGathered && !TryGather(context, ref effort))
        {
            return false;
        }

        if (_end.Stored is { } what)
        {
            SetCombination.Store(context, ref _result, what);
        }
        else if (_end.IsNumber)
        {
            context.Reply.Integer(_members);
        }
        else if (_gathers)
        {
            _answer ??= new GatheredReply(_result);
            return TryAnswer(context, _answer, effort);
        }
        else
        {
            var middle = Reply.Length;
            Reply.Set(_members);
            Reply.MoveForward(0, middle);
            context.Reply.TakeFrom(Reply);
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void Abandon()
    {
        if (_gathers)
        {
            _result.Dispose();
        }
    }

    private bool TryGather(CommandContext context, ref int effort)
    {
        if (!_sources.TryOpen(context))
        {
            return false;
        }

        while (_sources.TryNext(_isByMember ? 1 : _count, out var element))
        {
            effort -= StepEffort.Of(element.Name.Length) + (_isByMember ? _count - 1 : 0);
            if (!TryTake(element.Name))
            {
                break;
            }

            if (effort <= 0)
            {
                return false;
            }
        }

        _isGathered = true;
        return true;
    }

    /// <returns>Whether more are wanted.</returns>
    private bool TryTake(ReadOnlySpan<byte> member)
    {
        if (!_isByMember)
        {
            var isAdded = _operation == SetOperation.Union || _sources.Current == 0;
            _ = isAdded ? _result.Add(member) : _result.Remove(member);
            return true;
        }

        var wanted = _operation == SetOperation.Intersection;
        for (var i = 1; i < _count; i++)
        {
            if (new SetReader(_sources.Records[i]).Contains(member) != wanted)
            {
                return true;
            }
        }

        _members++;
        if (_gathers)
        {
            _ = _result.Add(member);
        }
        else if (!_end.IsNumber)
        {
            Reply.Bulk(member);
        }

        return !_end.IsNumber || _members != _end.Limit;
    }

    /// <summary>The members of a result that is whole.</summary>
    private sealed unsafe class GatheredReply(in DetachedSet result) : ElementReply
    {
        private readonly long _count = result.Count;
        private ElementWalk _walk = result.Walk();
        private bool _hasHeader;

        /// <inheritdoc/>
        public override bool TryWrite(ReplyWriter reply)
        {
            if (!_hasHeader)
            {
                _hasHeader = true;
                reply.Set(_count);
            }

            if (!_walk.TryNext(out var block))
            {
                return false;
            }

            reply.Bulk(DetachedSet.MemberOf(block));
            return true;
        }
    }
}
