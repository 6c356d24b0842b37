using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Log;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZADD and GEOADD of many members, in steps: first the members, which are brought into order at the end.
/// </summary>
/// <typeparam name="TScore">What the arguments before a member are.</typeparam>
internal sealed class ScoreUpdatePass<TScore> : AdditionPass
    where TScore : IScoreArguments
{
    private static readonly int s_stride = TScore.Count + 1;

    private readonly ScoreFlags _flags;
    private SortedSetBuilder _result;
    private ElementWalk _unordered;
    private bool _isWhole;
    private int _next;
    private long _added;
    private long _updated;

    private ScoreUpdatePass(CommandContext context, in Record record, ScoreFlags flags, int first)
        : base(context, record)
    {
        _flags = flags;
        _next = first;
        _result = new SortedSetBuilder(context.Shard);
    }

    /// <summary>Begins, or goes on, if it takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="flags">How members are given their scores.</param>
    /// <param name="first">The first argument of the first score.</param>
    /// <returns>Whether the command goes on in steps, or has come to its end.</returns>
    public static bool GoesOn(CommandContext context, ScoreFlags flags, int first)
    {
        if (TryGoOn(context))
        {
            return true;
        }

        var members = (context.Count - first) / s_stride;
        var lookup = context.WriteCollection(context.Key, RecordType.SortedSet, out var record);
        if (lookup == Lookup.WrongType || members <= SortedSetAccess.LimitsOf(context).Elements
            || !IsLongAddition(context, members, record))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            Begin(context, new ScoreUpdatePass<TScore>(context, record, flags, first), context.Key);
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override void Copy(in WalkedElement element) => _result.Add(element.Name, element.Score);

    /// <inheritdoc/>
    private protected override bool TryAdd(CommandContext context, ref int effort)
    {
        for (; _next < context.Count && effort > 0; _next += s_stride)
        {
            if (!TScore.TryRead(context, _next, out var score))
            {
                AbandonNow();
                return true; // It is answered, and nothing was changed.
            }

            var member = context.Argument(_next + TScore.Count);
            var change = ScoreUpdate.Apply(ref _result, _flags, member, ref score);
            _added += change == ScoreChange.Added ? 1 : 0;
            _updated += change == ScoreChange.Updated ? 1 : 0;
            effort -= StepEffort.Of(member.Length);
        }

        return _next >= context.Count;
    }

    /// <inheritdoc/>
    private protected override bool TryPut(CommandContext context, in Record record, ref int effort)
    {
        if (_next < context.Count)
        {
            return true;
        }

        if (_added + _updated > 0 && !TryOrder(ref effort))
        {
            return false;
        }

        if (_added + _updated > 0)
        {
            _result.Replace(
                context.Key, record, SortedSetAccess.LimitsOf(context), context.Change(KeyEvent.ZAdd));
        }

        context.Reply.Integer(_flags.HasFlag(ScoreFlags.Ch) ? _added + _updated : _added);
        return true;
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _result.Dispose();

    private bool TryOrder(ref int effort)
    {
        if (!_isWhole)
        {
            _isWhole = true;
            _unordered = _result.Walk();
        }

        var elements = effort;
        effort = 0;
        return elements > 0 && _result.TryFinish(ref _unordered, elements);
    }
}
