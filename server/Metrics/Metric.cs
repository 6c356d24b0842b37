namespace Strata.Server.Metrics;

/// <summary>A figure of the server, under all the names it goes by, and how it is read. Reading takes no lock, and
/// nothing from the workers: it adds up what each of them counts for itself. Any thread.</summary>
/// <param name="Name">Its name for Prometheus and OpenTelemetry, with its unit; a counter's without "_total".</param>
/// <param name="Kind">What its figures mean.</param>
/// <param name="Help">What it counts, a sentence.</param>
public sealed record Metric(string Name, MetricKind Kind, string Help)
{
    /// <summary>INFO's field with the same figure; null where INFO has none, or several.</summary>
    public string? InfoField { get; init; }

    /// <summary>The one figure; null where it has several.</summary>
    public Func<MetricSource, double>? Value { get; init; }

    /// <summary>Writes its figures, each with its labels; null where it has one.</summary>
    public Action<MetricSource, MetricSeries>? Series { get; init; }

    /// <summary>A counter of one figure.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="help">What it counts.</param>
    /// <param name="value">Reads it.</param>
    /// <param name="info">INFO's field.</param>
    public static Metric Counter(string name, string help, Func<MetricSource, double> value, string? info = null)
        => new(name, MetricKind.Counter, help) { Value = value, InfoField = info };

    /// <summary>A gauge of one figure.</summary>
    /// <inheritdoc cref="Counter"/>
    public static Metric Gauge(string name, string help, Func<MetricSource, double> value, string? info = null)
        => new(name, MetricKind.Gauge, help) { Value = value, InfoField = info };

    /// <summary>A metric of several figures, told apart by labels.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="kind">What they mean.</param>
    /// <param name="help">What it counts.</param>
    /// <param name="series">Writes them.</param>
    public static Metric Several(string name, MetricKind kind, string help, Action<MetricSource, MetricSeries> series)
        => new(name, kind, help) { Series = series };
}
