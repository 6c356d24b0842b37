using Strata.Bench.Statistics;

namespace Strata.Bench.Disk;

/// <summary>One line of the table: what was measured, by which backend, and what came of it.</summary>
public sealed record DiskRow
{
    /// <summary>What read the disk, and how.</summary>
    public required string What { get; init; }

    /// <summary>The same in a word or two.</summary>
    public string Layer => What switch
    {
        _ when What.StartsWith("fio", StringComparison.Ordinal)
            => What.Replace("randread ", "", StringComparison.Ordinal),
        _ when What.StartsWith("kv", StringComparison.Ordinal) => "kv",
        _ when What.StartsWith("server", StringComparison.Ordinal) => "server" + What[What.LastIndexOf(',')..],
        _ => What,
    };

    public required string Backend { get; init; }

    /// <summary>Operations a second: requests of fio and device, operations of kv and of the server.</summary>
    public required double OpsPerSecond { get; init; }

    /// <summary>Reads of the disk a second; null where they are not told apart.</summary>
    public double? DiskReadsPerSecond { get; init; }

    /// <summary>User and system time of the process per operation, microseconds.</summary>
    public required double CpuUsPerOp { get; init; }

    public required double P99Us { get; init; }

    /// <summary>The row that this one's disk reads a second are divided by; null where that was not measured.</summary>
    public string? ComparedWith { get; init; }

    /// <summary>The quotient; of several rounds the median of their quotients.</summary>
    public double? Ratio { get; init; }

    /// <summary>What each round gave, in order; empty for one round's own row.</summary>
    public IReadOnlyList<DiskRow> Rounds { get; init; } = [];

    /// <summary>The medians of what the rounds gave for one layer and backend.</summary>
    public static DiskRow MedianOf(IReadOnlyList<DiskRow> rounds)
    {
        ArgumentNullException.ThrowIfNull(rounds);
        return rounds[0] with
        {
            OpsPerSecond = Median.Of(rounds.Select(row => row.OpsPerSecond)),
            DiskReadsPerSecond = MedianOrNull(rounds.Select(row => row.DiskReadsPerSecond)),
            CpuUsPerOp = Median.Of(rounds.Select(row => row.CpuUsPerOp)),
            P99Us = Median.Of(rounds.Select(row => row.P99Us)),
            Ratio = MedianOrNull(rounds.Select(row => row.Ratio)),
            Rounds = rounds,
        };
    }

    private static double? MedianOrNull(IEnumerable<double?> samples)
    {
        var known = samples.OfType<double>().ToList();
        return known.Count == 0 ? null : Median.Of(known);
    }
}
