using System.Diagnostics.CodeAnalysis;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Server.Resp;
using Strata.Storage.Collections;
using Strata.Storage.Collections.Sets;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.Sets;

/// <summary>A combination of large sets, or of many, which is made in steps, as a reply, as a number, or for a key.
/// </summary>
internal sealed class SetPass : ResultPass
{
    // What it takes to hold a key and look at it, beside its name.
    private const int EffortOfKey = 2;

    private readonly Shard _shard;
    private readonly SetOperation _operation;

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private readonly PassSources _sources;

    private readonly int _first;
    private readonly int _count;
    private readonly SetEnd _end;
    private bool _isByMember;
    private bool _gathers;
    private DetachedSet _result;
    private GatheredReply? _answer;
    private long _members;
    private int _compared = 1; // The set in which the member at hand is looked for next.
    private Phase _phase;

    private SetPass(CommandContext context, Shard shard, SetOperation operation, int first, int count, SetEnd end)
        : base(context, shard)
    {
        _shard = shard;
        _operation = operation;
        _first = first;
        _count = count;
        _end = end;
        _sources = new PassSources(context.Server.Shards.Budget, count);
    }

    private enum Phase
    {
        Opening,
        Ordering,
        Gathering,
        Ending,
    }

    private bool IsIntersection => _operation == SetOperation.Intersection;

    /// <summary>Begins with sets that were looked at.</summary>
    /// <param name="context">The command.</param>
    /// <param name="operation">What is made of them.</param>
    /// <param name="first">The argument that is the first one's key.</param>
    /// <param name="sets">The sets.</param>
    /// <param name="end">What becomes of the result.</param>
    public static void Begin(
        CommandContext context, SetOperation operation, int first, ReadOnlySpan<SetReader> sets, SetEnd end)
    {
        if (IsElsewhere(context))
        {
            return;
        }

        var pass = Create(context, operation, first, sets.Length, end);
        using var held = new ScratchSpan<Key>(
            context.Server.Shards.Budget, sets.Length + (end.Stored == null ? 0 : 1));
        var keys = held.Span;
        for (var i = 0; i < sets.Length; i++)
        {
            keys[i] = context.KeyAt(first + i);
            pass._sources.Add(first + i, keys[i], sets[i].Count);
        }

        if (end.Stored != null)
        {
            keys[^1] = context.KeyAt(1);
        }

        pass.Prepare();
        Begin(context, pass, keys);
    }

    /// <summary>Begins with many keys, none of which was looked at.</summary>
    /// <inheritdoc cref="Begin"/>
    public static bool BeginsOneByOne(
        CommandContext context, SetOperation operation, int first, int count, SetEnd end)
    {
        if (!GoesOneByOne(context))
        {
            return false;
        }

        BeginOneByOne(context, Create(context, operation, first, count, end));
        return true;
    }

    /// <summary>Whether each member of one set can be judged by looking it up in the others, at no greater cost than
    /// adding and removing all members of all.</summary>
    /// <param name="operation">What is made of the sets.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="first">Members of the first one.</param>
    /// <param name="all">Members of all.</param>
    public static bool IsByMember(SetOperation operation, int count, long first, long all)
        => operation == SetOperation.Intersection || count == 1

            // A look-up may end early, hence the half (as Redis estimates it).
            || (operation == SetOperation.Difference && first * count / 2 <= all);

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        var effort = EffortOverKeys(context);
        if (_phase == Phase.Opening)
        {
            if (!TryOpenAll(context, ref effort, out var areSets))
            {
                return false;
            }

            if (!areSets)
            {
                context.Reply.Error(Errors.WrongType);
                return true;
            }

            Prepare();
        }

        if (_phase == Phase.Ordering)
        {
            if (!_sources.TrySort(ref effort))
            {
                return false;
            }

            _phase = Phase.Gathering;
        }

        return (_phase == Phase.Ending || TryGather(context, ref effort)) && TryFinish(context, effort);
    }

    /// <inheritdoc/>
    private protected override void Abandon()
    {
        if (_gathers)
        {
            _result.Dispose();
        }
    }

    /// <inheritdoc/>
    private protected override void Free() => _sources.Dispose();

    private static SetPass Create(CommandContext context, SetOperation operation, int first, int count, SetEnd end)
    {
        var shard = context.ShardOf(context.KeyAt(end.Stored != null ? 1 : first));
        return new SetPass(context, shard, operation, first, count, end);
    }

    /// <summary>Goes on to hold and look at the keys.</summary>
    private bool TryOpenAll(CommandContext context, ref int effort, out bool areSets)
    {
        areSets = true;
        while (_sources.Count < _count)
        {
            if (effort <= 0)
            {
                return false;
            }

            var argument = _first + _sources.Count;
            var key = context.KeyAt(argument);
            effort -= EffortOfKey + StepEffort.Of(key.Length);
            if (!TryHold(context, key))
            {
                return false;
            }

            if (context.ReadCollection(key, RecordType.Set, out var record) == Lookup.WrongType)
            {
                areSets = false;
                return true;
            }

            _sources.Add(argument, key, new SetReader(record).Count);
        }

        return _end.Stored == null || TryHold(context, context.KeyAt(1));
    }

    /// <summary>All sources are known.</summary>
    private void Prepare()
    {
        _isByMember = IsByMember(_operation, _count, _sources[0].Count, _sources.Elements);
        _gathers = _end.Stored != null || (!_isByMember && !_end.IsNumber);
        _result = _gathers ? new DetachedSet(_shard) : default;
        _phase = IsIntersection ? Phase.Ordering : Phase.Gathering;
    }

    private bool TryGather(CommandContext context, ref int effort)
    {
        _sources.BeginStep();
        while (_sources.TryNext(context, _isByMember ? 1 : _count, ref effort, out var element))
        {
            effort -= StepEffort.Of(element.Name.Length);
            if (_isByMember)
            {
                if (!TryJudge(context, element.Name, ref effort, out var isWanted))
                {
                    _sources.Repeat();
                    return false;
                }

                if (isWanted && !Take(element.Name))
                {
                    _phase = Phase.Ending;
                    return true;
                }
            }
            else
            {
                var isAdded = _operation == SetOperation.Union || _sources.Current == 0;
                _ = isAdded ? _result.Add(element.Name) : _result.Remove(element.Name);
            }
        }

        _phase = _sources.IsAtEnd ? Phase.Ending : _phase;
        return _sources.IsAtEnd;
    }

    /// <summary>Goes on to look a member of the first set up in the others.</summary>
    /// <returns>False when that is not at its end.</returns>
    private bool TryJudge(CommandContext context, ReadOnlySpan<byte> member, ref int effort, out bool isWanted)
    {
        isWanted = true;
        while (isWanted && _compared < _count)
        {
            if (!_sources.TryOpen(context, _compared, ref effort, out var record))
            {
                return false;
            }

            isWanted = new SetReader(record).Contains(member) == IsIntersection;
            effort -= StepEffort.Of(member.Length);
            _compared++;
            if (effort <= 0 && isWanted && _compared < _count)
            {
                return false;
            }
        }

        _compared = 1;
        return true;
    }

    /// <returns>Whether more are wanted.</returns>
    private bool Take(ReadOnlySpan<byte> member)
    {
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

    private bool TryFinish(CommandContext context, int effort)
    {
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
