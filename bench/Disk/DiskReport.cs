using System.Text.Json;
using Strata.Bench.Reports;

namespace Strata.Bench.Disk;

/// <summary>What one run over all layers of one file system found.</summary>
public sealed record DiskReport
{
    public required string Benchmark { get; init; }

    /// <summary>When it was finished.</summary>
    public required DateTimeOffset At { get; init; }

    public required MachineInfo Machine { get; init; }

    /// <summary>The settings that the figures depend on, by name.</summary>
    public required IReadOnlyDictionary<string, string> Settings { get; init; }

    public required IReadOnlyList<DiskRow> Rows { get; init; }

    /// <summary>What was not measured, and why.</summary>
    public required IReadOnlyList<string> LeftOut { get; init; }

    /// <summary>The rows as charts are made from them (<see cref="BenchReport"/>): a load for each layer, a server for
    /// each backend.</summary>
    public IReadOnlyList<Measurement> Measurements =>
    [
        .. Rows.Select(row => Of(row, Metric.OpsPerSecond, round => round.OpsPerSecond)),
        .. Rows.Select(row => Of(row, Metric.CpuPerOp, round => round.CpuUsPerOp)),
        .. Rows.Select(row => Of(row, Metric.P99Ms, round => round.P99Us / 1000)),
    ];

    /// <summary>No backend is compared with another.</summary>
    public IReadOnlyList<string> Baselines { get; } = [];

    /// <exception cref="BenchException">The file cannot be written.</exception>
    public void Save(string path)
    {
        try
        {
            File.WriteAllText(path, JsonSerializer.Serialize(this, BenchJson.Options) + "\n");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BenchException($"Cannot write {path}: {e.Message}", e);
        }
    }

    private static Measurement Of(DiskRow row, Metric metric, Func<DiskRow, double> value)
        => Measurement.Of(row.Layer, row.Backend, metric, [.. row.Rounds.Select(value)]);
}
