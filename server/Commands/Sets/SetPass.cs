using Strata.Server.Clients;
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
    private readonly ReplyWriter _reply;
    private readonly bool _gathers;
    private DetachedSet _result;
    private ElementWalk _walk;
    private long _members;
    private bool _isGathered;
    private bool _hasHeader;

    private SetPass(
        CommandContext context, Shard shard, SetOperation operation, bool isByMember, PassSources sources, SetEnd end)
        : base(context, shard)
    {
        var worker = context.Session.Worker;
        _operation = operation;
        _isByMember = isByMember;
        _sources = sources;
        _count = sources.Records.Length;
        _end = end;
        _reply = new ReplyWriter(worker.Errors, worker.Budget, isSeldomUsed: true)
        {
            Protocol = context.Reply.Protocol,
            MayRefuse = worker.Reply.MayRefuse,
        };
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
        if (TryBegin(context, pass, end.Stored == null ? keys : [.. keys, context.KeyAt(1)]))
        {
            pass.GoOn(context);
        }
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        base.Dispose();
        _reply.Dispose();
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
            return TryWrite(context, effort);
        }
        else
        {
            var middle = _reply.Length;
            _reply.Set(_members);
            _reply.MoveForward(0, middle);
            context.Reply.TakeFrom(_reply);
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
            effort -= 1 + (element.Name.Length / ServerLimits.BytesPerEffort) + (_isByMember ? _count - 1 : 0);
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
        _walk = _gathers ? _result.Walk() : default;
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
            _reply.Bulk(member);
        }

        return !_end.IsNumber || _members != _end.Limit;
    }

    private unsafe bool TryWrite(CommandContext context, int effort)
    {
        if (!_hasHeader)
        {
            _hasHeader = true;
            _reply.Set(_result.Count);
        }

        while (_walk.TryNext(out var block))
        {
            var member = DetachedSet.MemberOf(block);
            _reply.Bulk(member);
            effort -= 1 + (member.Length / ServerLimits.BytesPerEffort);
            if (effort <= 0)
            {
                return false;
            }
        }

        context.Reply.TakeFrom(_reply);
        return true;
    }
}
