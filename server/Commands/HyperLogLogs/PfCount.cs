using Strata.Server.Commands.Model;
using Strata.Server.Commands.Shared;
using Strata.Storage.Changes;
using Strata.Storage.Log;
using Strata.Storage.Memory;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>PFCOUNT key [key ...]</summary>
internal static class PfCount
{
    public static readonly CommandRow Row = new("pfcount", -2,
        CommandFlags.ReadOnly | CommandFlags.MayReplicate,
        KeySpec.All(KeyAccess.ReadWrite | KeyAccess.Access), Execute)
    {
        HoldsOneByOne = true,
        ArgumentsAtOnce = ServerLimits.HyperLogLogsAtOnce,
        KeepsInValue = true,
        Group = CommandGroup.HyperLogLog,
        Categories = AclCategories.HyperLogLog,
        Since = "2.8.9",
        Summary = "Gives about how many different elements were added to HyperLogLogs.",
        Complexity = "O(1) for one key, O(N) for N keys",
        Syntax = "key [key ...]",
    };

    private static void Execute(CommandContext context)
    {
        if (context.Count > 2)
        {
            CountUnion(context);
            return;
        }

        var lookup = context.ReadString(context.Key, out var record);
        if (!HyperLogLogAccess.IsOneOrMissing(context, lookup, record))
        {
            return;
        }

        var cardinality = 0UL;
        if (lookup == Lookup.Missing || HyperLogLogFormat.TryGetCardinality(record.Value, out cardinality))
        {
            context.Reply.Integer((long)cardinality);
        }
        else if (HyperLogLogAccess.TryEstimate(record.Value, out cardinality))
        {
            Keep(context, record, cardinality);
            context.Reply.Integer((long)cardinality);
        }
        else
        {
            HyperLogLogAccess.RefuseCorrupted(context);
        }
    }

    private static void CountUnion(CommandContext context)
    {
        if (EachKeyPass.Executes(
            context, static context => new UnionPass(context, static (end, union) => Answer(end, union.Ranks))))
        {
            return;
        }

        Span<byte> ranks = stackalloc byte[HyperLogLogFormat.Registers];
        ranks.Clear();
        var isAnyDense = false;
        foreach (var key in context.KeysFrom(1))
        {
            if (!HyperLogLogAccess.TryRaise(context, key, ranks, ref isAnyDense, out _))
            {
                return;
            }
        }

        Answer(context, ranks);
    }

    private static void Answer(CommandContext context, ReadOnlySpan<byte> ranks)
    {
        Span<int> histogram = stackalloc int[CardinalityEstimator.HistogramSize];
        histogram.Clear();
        RankHistogram.Add(ranks, histogram);
        context.Reply.Integer((long)CardinalityEstimator.Estimate(histogram));
    }

    /// <summary>Keeps the number in the value, where the next who asks finds it.</summary>
    private static void Keep(CommandContext context, in Record record, ulong cardinality)
    {
        var edited = new StringEditor(context.Shard, context.Key, record);
        try
        {
            edited.Resize(record.ValueLength);
        }
        catch (MemoryExhaustedException)
        {
            return; // It is counted again next time; the reply is right.
        }

        HyperLogLogFormat.SetCardinality(edited.Value, cardinality);
        edited.End(context.Change(KeyEvent.Counted));
    }
}
