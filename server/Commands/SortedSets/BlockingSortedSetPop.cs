using Strata.Server.Commands.Blocking;
using Strata.Server.Commands.Collections;
using Strata.Server.Commands.Model;
using Strata.Storage.Index;
using Strata.Storage.Log;

namespace Strata.Server.Commands.SortedSets;

/// <summary>What BZPOPMIN, BZPOPMAX and BZMPOP do.</summary>
internal static class BlockingSortedSetPop
{
    private static readonly PopAttempt<bool> s_popOne = PopOne;
    private static readonly PopAttempt<PopArguments> s_popSeveral = SortedSetPop.PopSeveral;

    /// <summary>Takes one element out of the first set that is there, or waits for one: <c>key [key ...] timeout</c>.
    /// </summary>
    public static void ExecuteOne(CommandContext context, bool isMax)
    {
        if (BlockingTimeout.TryRead(context, context.Count - 1, out var timeoutMs))
        {
            BlockingPop.Execute<bool>(
                context, new(RecordType.SortedSet, 1, context.Count - 2, timeoutMs, isMax, s_popOne));
        }
    }

    /// <summary>Takes several elements out of the first set that is there, or waits for one.</summary>
    public static void ExecuteSeveral(CommandContext context, in PopArguments arguments, long timeoutMs)
        => BlockingPop.Execute<PopArguments>(
            context,
            new(RecordType.SortedSet, arguments.FirstKey, arguments.KeyCount, timeoutMs, arguments, s_popSeveral));

    private static Lookup PopOne(CommandContext context, in Key key, in bool isMax)
        => SortedSetPop.TryPop(context, key, isMax, 1, PopShape.KeyAndFlat);
}
