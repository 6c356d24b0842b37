using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZUNION, ZINTER, ZDIFF, their storing forms and ZINTERCARD of large sets, in steps.</summary>
internal sealed class AlgebraPass : ScoredPass
{
    private readonly AlgebraOperation _operation;
    private readonly ScoreAggregate _aggregate;
    private readonly ScoredSource[] _sets;
    private readonly PassSources _sources;
    private readonly long _limit;
    private readonly bool _isNumber;
    private long _members;

    private AlgebraPass(
        CommandContext context,
        Shard shard,
        in AlgebraRequest request,
        AlgebraOperation operation,
        PassSources sources,
        KeyEvent? stored,
        bool isNumber)
        : base(context, shard, stored, request.WithScores)
    {
        _operation = operation;
        _aggregate = request.Aggregate;
        _sets = request.Sources.ToArray();
        _sources = sources;
        _limit = request.Limit;
        _isNumber = isNumber;
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="request">Its arguments; the sources in the order in which they are taken.</param>
    /// <param name="countAt">Index of the number of keys.</param>
    /// <param name="operation">What is made of them.</param>
    /// <param name="stored">What is told when the result is stored; null where it is answered.</param>
    /// <param name="isNumber">Whether the number of its members is answered.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(
        CommandContext context,
        in AlgebraRequest request,
        int countAt,
        AlgebraOperation operation,
        KeyEvent? stored,
        bool isNumber = false)
    {
        var sets = request.Sources;
        if (sets.Length > PassSources.Most || !KeyPass.IsLong(context, EffortOf(operation, sets)))
        {
            return false;
        }

        if (IsElsewhere(context))
        {
            return true;
        }

        var (arguments, areThere) = (new int[sets.Length], new bool[sets.Length]);
        for (var i = 0; i < sets.Length; i++)
        {
            (arguments[i], areThere[i]) = (countAt + 1 + sets[i].Position, sets[i].Count > 0);
        }

        var sources = new PassSources(arguments, areThere);
        var keys = sources.Keys(context);
        var shard = context.ShardOf(stored != null ? context.KeyAt(1) : keys[0]);
        var pass = new AlgebraPass(context, shard, request, operation, sources, stored, isNumber);
        Begin(context, pass, stored == null ? keys : [.. keys, context.KeyAt(1)]);

        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryGather(CommandContext context, ref int effort)
    {
        if (!_sources.TryOpen(context))
        {
            return false;
        }

        for (var i = 0; i < _sets.Length; i++)
        {
            _sets[i] = _sets[i].At(_sources.Records[i]);
        }

        var isUnion = _operation == AlgebraOperation.Union;
        while (_sources.TryNext(isUnion ? _sets.Length : 1, out var element))
        {
            ref readonly var set = ref _sets[_sources.Current];
            Take(element.Name, set.IsSet ? 1 : element.Score);
            if (_isNumber && _members == _limit && _members > 0)
            {
                return true;
            }

            effort -= StepEffort.Of(element.Name.Length) + (isUnion ? 0 : _sets.Length - 1);
            if (effort <= 0)
            {
                return false;
            }
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryEndWithout(CommandContext context)
    {
        if (_isNumber)
        {
            context.Reply.Integer(_members);
        }

        return _isNumber;
    }

    private static long EffortOf(AlgebraOperation operation, ReadOnlySpan<ScoredSource> sets)
    {
        if (operation != AlgebraOperation.Union)
        {
            return sets[0].Effort * sets.Length;
        }

        var effort = 0L;
        foreach (ref readonly var set in sets)
        {
            effort += set.Effort;
        }

        return effort;
    }

    private void Take(ReadOnlySpan<byte> member, double score)
    {
        switch (_operation)
        {
            case AlgebraOperation.Union:
                SetAlgebra.AddToUnion(ref Result, _sets[_sources.Current], member, score, _aggregate);
                break;
            case AlgebraOperation.Intersection:
                if (SetAlgebra.TryIntersect(_sets, member, score, _aggregate, out var combined))
                {
                    Add(member, combined);
                }

                break;
            default:
                if (!SetAlgebra.IsInOthers(_sets, member))
                {
                    Add(member, score);
                }

                break;
        }
    }

    private void Add(ReadOnlySpan<byte> member, double score)
    {
        _members++;
        if (!_isNumber)
        {
            Result.Add(member, score);
        }
    }
}
