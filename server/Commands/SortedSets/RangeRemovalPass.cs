using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Index;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.SortedSets;

/// <summary>Takes many neighbouring elements out of a large sorted set in steps, and answers them, or how many they
/// are.</summary>
internal sealed class RangeRemovalPass : RewritePass
{
    private readonly Removal _removal;
    private SortedSetBuilder _rest;
    private SortedSetCursor _removed;
    private SortedSetCursor _below;
    private SortedSetCursor _above;

    private RangeRemovalPass(CommandContext context, Shard shard, in SortedSetReader set, in Removal removal)
        : base(context, shard)
    {
        var range = removal.Range;
        _removal = removal;
        _removed = set.Walk(removal.Shape == null ? RankRange.Empty : range, removal.IsReverse);
        _below = set.Walk(new RankRange(0, range.First));
        _above = set.Walk(RankRange.Between(range.First + range.Count, set.Count));
        _rest = new SortedSetBuilder(shard);
    }

    /// <summary>Begins, if it takes long.</summary>
    /// <param name="context">The command.</param>
    /// <param name="key">The set's key.</param>
    /// <param name="set">The set.</param>
    /// <param name="removal">What is taken out.</param>
    /// <returns>Whether the command goes on in steps.</returns>
    public static bool Begins(CommandContext context, in Key key, in SortedSetReader set, in Removal removal)
    {
        if (!IsLongChange(context, removal.Range.Count, set.Count, set.LargeBytes))
        {
            return false;
        }

        if (!IsElsewhere(context))
        {
            var pass = new RangeRemovalPass(context, context.ShardOf(key), set, removal);
            if (TryBegin(context, pass, key))
            {
                if (removal.Shape is { } shape)
                {
                    SortedSetPop.WriteHeader(pass.Reply, key, removal.Range.Count, shape);
                }

                pass.GoOn(context);
            }
        }

        return true;
    }

    /// <inheritdoc/>
    private protected override bool TryRewrite(CommandContext context)
    {
        var key = FirstHeld;
        if (!context.TryWrite(key, out var record))
        {
            return false; // It has gone, and the command begins anew.
        }

        var effort = EffortOfStep(context);
        if (!TryAnswer(ref effort) || !TryKeep(ref _below, ref effort) || !TryKeep(ref _above, ref effort))
        {
            return false;
        }

        _rest.Exchange(key, record, context.Change(_removal.What));
        if (_removal.Shape == null)
        {
            context.Reply.Integer(_removal.Range.Count);
            return true;
        }

        context.Effects?.Tell(SortedSetPop.VerbOf(_removal.IsReverse), key.Span, _removal.Range.Count);
        context.Reply.TakeFrom(Reply);
        return true;
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _rest.Dispose();

    private bool TryAnswer(ref int effort)
    {
        var isNested = _removal.Shape is PopShape.Pairs or PopShape.KeyAndPairs;
        while (effort > 0)
        {
            if (!_removed.TryNext(out var element))
            {
                return true;
            }

            SortedSetReply.WriteElement(Reply, element, withScores: true, isNested);
            effort -= StepEffort.Of(element.Member.Length);
        }

        return false;
    }

    private bool TryKeep(ref SortedSetCursor cursor, ref int effort)
    {
        while (effort > 0)
        {
            if (!cursor.TryNext(out var element))
            {
                return true;
            }

            _rest.Append(element.Member, element.Score);
            effort -= StepEffort.Of(element.Member.Length);
        }

        return false;
    }

    /// <summary>What is taken out.</summary>
    /// <param name="Range">The elements.</param>
    /// <param name="What">What is told of it.</param>
    /// <param name="Shape">How they are answered; null where their number is.</param>
    /// <param name="IsReverse">Whether the highest is the first in the answer.</param>
    internal readonly record struct Removal(RankRange Range, KeyEvent What, PopShape? Shape, bool IsReverse);
}
