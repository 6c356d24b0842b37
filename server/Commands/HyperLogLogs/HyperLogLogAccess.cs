using Strata.Server.Commands.Model;
using Strata.Storage.Collections;
using Strata.Storage.Index;
using Strata.Storage.Log;
using Strata.Storage.Strings;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>What the commands of HyperLogLogs have in common: their values, and Redis's errors for what is none.
/// </summary>
internal static class HyperLogLogAccess
{
    private static ReadOnlySpan<byte> NotOne => "WRONGTYPE Key is not a valid HyperLogLog string value."u8;

    private static ReadOnlySpan<byte> Corrupted => "INVALIDOBJ Corrupted HLL object detected"u8;

    /// <summary>The most bytes of a string that stays sparse.</summary>
    public static long MaxSparseBytes(CommandContext context)
        => context.Server.Configuration.Current.HllSparseMaxBytes;

    /// <summary>Looks at what was found for a key.</summary>
    /// <returns>Whether it is missing or may be a HyperLogLog; otherwise an error is answered.</returns>
    public static bool IsOneOrMissing(CommandContext context, Lookup lookup, in Record record)
    {
        if (lookup == Lookup.WrongType)
        {
            context.Reply.Error(Errors.WrongType);
            return false;
        }

        if (lookup == Lookup.Found && !HyperLogLogFormat.IsOne(record.Value))
        {
            context.Reply.Error(NotOne);
            return false;
        }

        return true;
    }

    /// <summary>Answers that a HyperLogLog's registers are none.</summary>
    public static void RefuseCorrupted(CommandContext context) => context.Reply.Error(Corrupted);

    /// <summary>Raises ranks, a byte each, to those of a HyperLogLog.</summary>
    /// <returns>Whether its registers are such.</returns>
    public static bool TryRaiseIn(ReadOnlySpan<byte> value, Span<byte> ranks)
    {
        var registers = HyperLogLogFormat.RegistersOf(value);
        if (!HyperLogLogFormat.IsDense(value))
        {
            return SparseRegisters.TryRaiseIn(registers, ranks);
        }

        DenseRegisters.RaiseIn(registers, ranks);
        return true;
    }

    /// <summary>Raises ranks, a byte each, to those of a key's HyperLogLog, if it has one.</summary>
    /// <param name="context">The command.</param>
    /// <param name="key">The key.</param>
    /// <param name="ranks">The ranks.</param>
    /// <param name="isAnyDense">Whether one of all is dense.</param>
    /// <param name="effort">What it has taken of a step.</param>
    /// <returns>Whether it is one, or missing; otherwise an error is answered.</returns>
    public static bool TryRaise(
        CommandContext context, in Key key, Span<byte> ranks, ref bool isAnyDense, out int effort)
    {
        var lookup = context.ReadString(key, out var record);
        effort = 0;
        if (!IsOneOrMissing(context, lookup, record))
        {
            return false;
        }

        if (lookup == Lookup.Missing)
        {
            return true;
        }

        isAnyDense |= HyperLogLogFormat.IsDense(record.Value);
        effort = StepEffort.Of(record.ValueLength);
        if (!TryRaiseIn(record.Value, ranks))
        {
            RefuseCorrupted(context);
            return false;
        }

        return true;
    }

    /// <summary>Counts the elements of a HyperLogLog.</summary>
    /// <returns>Whether its registers are such.</returns>
    public static bool TryEstimate(ReadOnlySpan<byte> value, out ulong cardinality)
    {
        Span<int> histogram = stackalloc int[CardinalityEstimator.HistogramSize];
        histogram.Clear();
        var registers = HyperLogLogFormat.RegistersOf(value);
        if (HyperLogLogFormat.IsDense(value))
        {
            DenseRegisters.Count(registers, histogram);
        }
        else if (!SparseRegisters.TryCount(registers, histogram))
        {
            cardinality = 0;
            return false;
        }

        cardinality = CardinalityEstimator.Estimate(histogram);
        return true;
    }

    /// <summary>Makes bytes the edited key's value.</summary>
    public static void Put(ref StringEditor edited, in Record record, scoped ReadOnlySpan<byte> bytes)
    {
        if (record.IsNull)
        {
            edited.Create(bytes.Length, expiryMs: -1, RecordFlags.Edited);
        }
        else
        {
            edited.Resize(bytes.Length);
        }

        bytes.CopyTo(edited.Value);
    }
}
