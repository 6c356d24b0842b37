using Strata.Server.Commands.Model;
using Strata.Storage.Changes;
using Strata.Storage.Collections;
using Strata.Storage.Collections.SortedSets;
using Strata.Storage.Sharding;

namespace Strata.Server.Commands.SortedSets;

/// <summary>ZRANGESTORE of a long range of a large set, in steps.</summary>
internal sealed class RangeStorePass : ScoredPass
{
    private SortedSetCursor _cursor;

    private RangeStorePass(CommandContext context, Shard shard, in SortedSetCursor cursor)
        : base(context, shard, KeyEvent.ZRangeStore)
    {
        _cursor = cursor;
    }

    /// <summary>Begins.</summary>
    /// <param name="context">The command.</param>
    /// <param name="cursor">Before the first element of the range.</param>
    public static void Begin(CommandContext context, in SortedSetCursor cursor)
    {
        var (destination, source) = (context.KeyAt(1), context.KeyAt(2));
        Begin(context, new RangeStorePass(context, context.ShardOf(destination), cursor), destination, source);
    }

    /// <inheritdoc/>
    private protected override bool TryGather(CommandContext context, ref int effort)
    {
        while (_cursor.TryNext(out var element))
        {
            Result.Add(element.Member, element.Score);
            effort -= StepEffort.Of(element.Member.Length);
            if (effort <= 0)
            {
                return false;
            }
        }

        return true;
    }
}
