using System.Diagnostics.CodeAnalysis;
using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Memory;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZUNION, ZINTER, ZDIFF, their storing forms and ZINTERCARD of large sets, or of many, in steps.</summary>
internal sealed class AlgebraPass : ScoredPass
{
    // What it takes to hold a key and look at it, beside its name.
    private const int EffortOfKey = 2;

    private readonly AlgebraOperation _operation;
    private readonly int _countAt;
    private readonly int _count;
    private readonly AlgebraWords _words;
    private readonly bool _isStored;
    private readonly bool _isNumber;

    [SuppressMessage("Usage", "CA2213", Justification = "Free disposes of it, which Dispose leads to.")]
    private readonly PassSources _sources;

    private ScoreAggregate _aggregate;
    private long _limit;
    private long _members;
    private int _compared = 1; // The set in which the member at hand is looked for next.
    private double _score; // What that has by now.
    private bool _isOpen;
    private bool _isOrdered;
    private bool _isRefused;

    private AlgebraPass(
        CommandContext context,
        Shard shard,
        AlgebraOperation operation,
        int countAt,
        int count,
        AlgebraWords words,
        KeyEvent? stored,
        bool isNumber)
        : base(context, shard, stored)
    {
        _operation = operation;
        _countAt = countAt;
        _count = count;
        _words = words;
        _isStored = stored != null;
        _isNumber = isNumber;
        _isOrdered = operation == AlgebraOperation.Difference;
        _sources = new PassSources(context.Server.Shards.Budget, count);
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
        if (!KeyPass.IsLong(context, EffortOf(operation, sets)))
        {
            return false;
        }

        if (IsElsewhere(context))
        {
            return true;
        }

        var pass = Create(context, operation, countAt, sets.Length, AlgebraWords.None, stored, isNumber);
        using var held = new ScratchSpan<Key>(context.Server.Shards.Budget, sets.Length + (stored == null ? 0 : 1));
        var keys = held.Span;
        for (var i = 0; i < sets.Length; i++)
        {
            var argument = countAt + 1 + sets[i].Position;
            keys[i] = context.KeyAt(argument);
            pass._sources.Add(argument, keys[i], sets[i].Count, sets[i].Weight);
        }

        if (stored != null)
        {
            keys[^1] = context.KeyAt(1);
        }

        pass.Take(request);
        (pass._isOpen, pass._isOrdered) = (true, true);
        Begin(context, pass, keys);
        return true;
    }

    /// <summary>Begins with many keys, none of which was looked at, and arguments behind them.</summary>
    /// <param name="context">The command.</param>
    /// <param name="countAt">Index of the number of keys.</param>
    /// <param name="operation">What is made of them.</param>
    /// <param name="words">The words allowed behind them.</param>
    /// <param name="stored">What is told when the result is stored; null where it is answered.</param>
    /// <param name="isNumber">Whether the number of its members is answered.</param>
    /// <returns>Whether they are so many; otherwise nothing was answered.</returns>
    public static bool BeginsOneByOne(
        CommandContext context,
        int countAt,
        AlgebraOperation operation,
        AlgebraWords words,
        KeyEvent? stored,
        bool isNumber = false)
    {
        if (!GoesOneByOne(context))
        {
            return false;
        }

        if (AlgebraRequest.TryCount(context, countAt, out var count))
        {
            BeginOneByOne(context, Create(context, operation, countAt, count, words, stored, isNumber));
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryGather(CommandContext context, ref int effort)
    {
        if (!_isOpen)
        {
            _isOpen = TryOpenAll(context, ref effort);
            if (!_isOpen || _isRefused)
            {
                return _isOpen;
            }
        }

        if (!_isOrdered)
        {
            _isOrdered = _sources.TrySort(ref effort);
            if (!_isOrdered)
            {
                return false;
            }
        }

        _sources.BeginStep();
        var isUnion = _operation == AlgebraOperation.Union;
        while (_sources.TryNext(context, isUnion ? _count : 1, ref effort, out var element))
        {
            effort -= StepEffort.Of(element.Name.Length);
            var set = ScoredSource.Of(_sources[_sources.Current]);
            var score = set.IsSet ? 1 : element.Score;
            if (isUnion)
            {
                SetAlgebra.AddToUnion(ref Result, set, element.Name, score, _aggregate);
                continue;
            }

            if (!TryJudge(context, set, element.Name, score, ref effort, out var isWanted))
            {
                _sources.Repeat();
                return false;
            }

            if (isWanted && !Add(element.Name, _operation == AlgebraOperation.Intersection ? _score : score))
            {
                return true;
            }
        }

        return _sources.IsAtEnd;
    }

    /// <inheritdoc/>
    private protected override bool TryEndWithout(CommandContext context)
    {
        if (_isNumber && !_isRefused)
        {
            context.Reply.Integer(_members);
        }

        return _isNumber || _isRefused;
    }

    /// <inheritdoc/>
    private protected override void Free() => _sources.Dispose();

    private static AlgebraPass Create(
        CommandContext context,
        AlgebraOperation operation,
        int countAt,
        int count,
        AlgebraWords words,
        KeyEvent? stored,
        bool isNumber)
    {
        var shard = context.ShardOf(context.KeyAt(stored != null ? 1 : countAt + 1));
        return new AlgebraPass(context, shard, operation, countAt, count, words, stored, isNumber);
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

    /// <summary>Goes on to hold and look at the keys; reads what stands behind them.</summary>
    private bool TryOpenAll(CommandContext context, ref int effort)
    {
        while (_sources.Count < _count)
        {
            if (effort <= 0)
            {
                return false;
            }

            var argument = _countAt + 1 + _sources.Count;
            var key = context.KeyAt(argument);
            effort -= EffortOfKey + StepEffort.Of(key.Length);
            if (!TryHold(context, key))
            {
                return false;
            }

            _isRefused = !ScoredSource.TryOpen(context, key, _sources.Count, out var source);
            if (_isRefused)
            {
                return true;
            }

            _sources.Add(argument, key, source.Count);
        }

        if (_isStored && !TryHold(context, context.KeyAt(1)))
        {
            return false;
        }

        _isRefused = !AlgebraRequest.TryParseWords(context, _countAt + 1 + _count, _words, _sources, out var request);
        Take(request);
        return true;
    }

    private void Take(in AlgebraRequest request)
    {
        _aggregate = request.Aggregate;
        _limit = request.Limit;
        WithScores = request.WithScores;
    }

    /// <summary>Goes on to look a member of the first set up in the others.</summary>
    /// <returns>False when that is not at its end.</returns>
    private bool TryJudge(
        CommandContext context,
        in ScoredSource first,
        ReadOnlySpan<byte> member,
        double score,
        ref int effort,
        out bool isWanted)
    {
        var isIntersection = _operation == AlgebraOperation.Intersection;
        _score = _compared == 1 ? SetAlgebra.Weigh(first, score) : _score;
        isWanted = true;
        while (isWanted && _compared < _count)
        {
            if (!_sources.TryOpen(context, _compared, ref effort, out _))
            {
                return false;
            }

            var set = ScoredSource.Of(_sources[_compared]);
            isWanted = set.TryGetScore(member, out var other) == isIntersection;
            if (isWanted && isIntersection)
            {
                _score = SetAlgebra.Combine(_score, other * set.Weight, _aggregate);
            }

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
    private bool Add(ReadOnlySpan<byte> member, double score)
    {
        _members++;
        if (!_isNumber)
        {
            Result.Add(member, score);
        }

        return !_isNumber || _members != _limit;
    }
}
