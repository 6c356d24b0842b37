using System.Text.Json;

namespace Strata.Bench.Reports;

/// <summary>What a benchmark of several servers found; the file that charts are made from.</summary>
public sealed record BenchReport
{
    /// <summary>The verb that made it, for example <c>versus</c>.</summary>
    public required string Benchmark { get; init; }

    /// <summary>When it was finished.</summary>
    public required DateTimeOffset At { get; init; }

    public required MachineInfo Machine { get; init; }

    /// <summary>The settings that the figures depend on, by name.</summary>
    public required IReadOnlyDictionary<string, string> Settings { get; init; }

    /// <summary>The servers the others are compared with: per load, with the one of them that has the most of a
    /// points metric or else the first.</summary>
    public required IReadOnlyList<string> Baselines { get; init; }

    public required IReadOnlyList<Measurement> Measurements { get; init; }

    /// <exception cref="BenchException">The file cannot be read or is no such report.</exception>
    public static BenchReport Load(string path)
    {
        try
        {
            return JsonSerializer.Deserialize<BenchReport>(File.ReadAllText(path), BenchJson.Options)
                ?? throw new BenchException($"{path} holds no report: make one with the --json flag of a benchmark.");
        }
        catch (JsonException e)
        {
            throw new BenchException(
                $"{path} holds no report ({e.Message}): make one with the --json flag of a benchmark.", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BenchException($"Cannot read {path}: {e.Message}", e);
        }
    }

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

    /// <summary>The loads in the order in which they were measured.</summary>
    public IEnumerable<string> Loads(Metric metric) => Of(metric).Select(m => m.Load).Distinct();

    /// <summary>All figures of one kind, in order.</summary>
    public IEnumerable<Measurement> Of(Metric metric)
    {
        ArgumentNullException.ThrowIfNull(metric);
        return Measurements.Where(m => m.Metric == metric.Id);
    }

    /// <summary>One server's figure; null when it was not measured.</summary>
    public double? Value(string load, string server, Metric metric) =>
        Of(metric).FirstOrDefault(m => m.Load == load && m.Server == server)?.Value;

    /// <summary>What a load's figures are compared with; null when no baseline was measured.</summary>
    public double? Baseline(string load, Metric metric)
    {
        ArgumentNullException.ThrowIfNull(metric);
        var values = Baselines.Select(server => Value(load, server, metric)).OfType<double>().ToList();
        return values.Count == 0 ? null : metric.Comparison == Comparison.Points ? values.Max() : values[0];
    }

    /// <summary>How a figure stands to the baseline; empty for a baseline itself and where there is none.</summary>
    public string Compared(Measurement measurement, Metric metric)
    {
        ArgumentNullException.ThrowIfNull(measurement);
        ArgumentNullException.ThrowIfNull(metric);
        return Baselines.Contains(measurement.Server) || Baseline(measurement.Load, metric) is not { } baseline
            ? ""
            : metric.Compare(measurement.Value, baseline);
    }
}
