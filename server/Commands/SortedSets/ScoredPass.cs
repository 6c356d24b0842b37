using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.SortedSets;

/// <summary>A sorted set that is made of others in steps: gathered by member, brought into order, and then answered or
/// stored.</summary>
internal abstract class ScoredPass : ResultPass
{
    private readonly KeyEvent? _stored;
    private SortedSetBuilder _result;
    private ElementWalk _walk;
    private ScoredReply? _answer;
    private Phase _phase;

    /// <summary>Begins with an empty one.</summary>
    /// <param name="context">The command.</param>
    /// <param name="shard">Where it lies.</param>
    /// <param name="stored">What is told when it is stored under the first key; null where it is answered.</param>
    private protected ScoredPass(CommandContext context, Shard shard, KeyEvent? stored)
        : base(context, shard)
    {
        _stored = stored;
        _result = new SortedSetBuilder(shard);
    }

    private enum Phase
    {
        Gathering,
        Ordering,
        Ending,
    }

    /// <summary>Whether scores are answered, too.</summary>
    private protected bool WithScores { get; set; }

    /// <summary>What was gathered.</summary>
    private protected ref SortedSetBuilder Result => ref _result;

    /// <summary>Goes on to gather.</summary>
    /// <param name="context">The command.</param>
    /// <param name="effort">How much more may be done in this step.</param>
    /// <returns>Whether all was gathered.</returns>
    private protected abstract bool TryGather(CommandContext context, ref int effort);

    /// <summary>Answers without a set, where none is wanted.</summary>
    private protected virtual bool TryEndWithout(CommandContext context) => false;

    /// <inheritdoc/>
    private protected override bool TryStep(CommandContext context)
    {
        var effort = EffortOverKeys(context);
        if (_phase == Phase.Gathering)
        {
            if (!TryGather(context, ref effort))
            {
                return false;
            }

            _phase = Phase.Ordering;
            _walk = _result.Walk();
        }

        if (TryEndWithout(context))
        {
            return true;
        }

        if (_phase == Phase.Ordering)
        {
            if (!_result.TryFinish(ref _walk, effort))
            {
                return false;
            }

            _phase = Phase.Ending;
        }

        if (_stored is { } what)
        {
            SortedSetAccess.Store(context, context.KeyAt(1), ref _result, what);
            return true;
        }

        var set = _result.Reader;
        _answer ??= new ScoredReply(set.Walk(set.All), set.Count, WithScores);
        return TryAnswer(context, _answer, effort);
    }

    /// <inheritdoc/>
    private protected override void Abandon() => _result.Dispose();
}
