using System.Globalization;
using Strata.Server.Commands.Model;

namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>PFSELFTEST</summary>
internal static class PfSelfTest
{
    /// <summary>How many elements are counted at most. For the ten million that Redis counts, others would wait.
    /// </summary>
    private const int MaxElements = 10_000;

    /// <summary>How many standard errors an estimate may be off.</summary>
    private const double AllowedErrors = 6;

    public static readonly CommandRow Row = new("pfselftest", 1, CommandFlags.Admin, KeySpec.None, Execute)
    {
        Group = CommandGroup.HyperLogLog,
        Categories = AclCategories.HyperLogLog,
        Since = "2.8.9",
        IsSystemCommand = true,
        Summary = "Tests that HyperLogLogs keep and count what is added to them.",
        Differs = "Up to 10,000 elements are counted, for Redis's ten million others would wait.",
        Complexity = "N/A",
        Syntax = "",
    };

    private static void Execute(CommandContext context)
    {
        var failure = TestRegisters(context.Random)
            ?? TestEstimates((ulong)context.Random.NextInt64(), HyperLogLogAccess.MaxSparseBytes(context));
        if (failure == null)
        {
            context.Reply.Ok();
        }
        else
        {
            context.Reply.Error("TESTFAILED " + failure);
        }
    }

    /// <summary>Whether each register gives back what it was given, whatever its neighbours are.</summary>
    private static string? TestRegisters(Random random)
    {
        Span<byte> registers = stackalloc byte[DenseRegisters.Bytes];
        Span<byte> expected = stackalloc byte[HyperLogLogFormat.Registers];
        random.NextBytes(registers);
        for (var i = 0; i < expected.Length; i++)
        {
            expected[i] = (byte)random.Next(CardinalityEstimator.HistogramSize);
            DenseRegisters.Set(registers, i, expected[i]);
        }

        for (var i = 0; i < expected.Length; i++)
        {
            if (DenseRegisters.Get(registers, i) is var value && value != expected[i])
            {
                return string.Create(
                    CultureInfo.InvariantCulture, $"Register {i} should be {expected[i]} but is {value}");
            }
        }

        return null;
    }

    /// <summary>Whether dense and sparse registers count the same, and about what was added.</summary>
    private static string? TestEstimates(ulong seed, long maxSparseBytes)
    {
        Span<byte> denseBuffer = stackalloc byte[HyperLogLogDraft.BufferBytes];
        Span<byte> sparseBuffer = stackalloc byte[HyperLogLogDraft.BufferBytes];
        var dense = HyperLogLogDraft.Empty(denseBuffer);
        var sparse = HyperLogLogDraft.Empty(sparseBuffer);
        _ = dense.TryMakeDense();
        var standardError = 1.04 / Math.Sqrt(HyperLogLogFormat.Registers);
        var checkpoint = 1;
        for (var i = 1; i <= MaxElements; i++)
        {
            var (register, rank) = HyperLogLogFormat.Place(BitConverter.GetBytes((ulong)i ^ seed));
            _ = dense.Raise(register, rank, maxSparseBytes);
            _ = sparse.Raise(register, rank, maxSparseBytes);
            if (i != checkpoint)
            {
                continue;
            }

            checkpoint *= 10;
            _ = HyperLogLogAccess.TryEstimate(dense.Bytes, out var cardinality);
            if (!HyperLogLogAccess.TryEstimate(sparse.Bytes, out var sparsely) || sparsely != cardinality)
            {
                return "dense/sparse disagree";
            }

            var error = Math.Abs(i - (long)cardinality);
            if (error > Math.Max(1, Math.Ceiling(standardError * AllowedErrors * i)))
            {
                return string.Create(CultureInfo.InvariantCulture, $"Too big error. card:{i} abserr:{error}");
            }
        }

        return null;
    }
}
