using System.Diagnostics.Metrics;
using Strata.Server.Clients;
using Strata.Server.Lifecycle;
using Strata.Server.Versions;

namespace Strata.Server.Metrics;

/// <summary>
/// The metrics as instruments of a meter, for OpenTelemetry and whatever else listens to meters. They have their names
/// from /metrics. A histogram is three counters, as there are no instruments for one that is read and not recorded:
/// name_bucket with the label "le", name_sum and name_count. Slow commands are activities (<see cref="SlowCommandSpans"
/// />).
/// </summary>
internal sealed class ServerTelemetry : IDisposable
{
    // All figures of one collection are read at once.
    private static readonly TimeSpan s_freshness = TimeSpan.FromMilliseconds(200);

    private readonly ServerServices _services;
    private readonly Meter _meter = new(IServerObserver.TelemetryName, ProductVersion.Text);
    private readonly SlowCommandSpans _spans;
    private readonly Lock _lock = new();
    private MetricSource _source;
    private long _readAt;

    /// <summary>Publishes the instruments.</summary>
    /// <param name="services">The server.</param>
    public ServerTelemetry(ServerServices services)
    {
        _services = services;
        _spans = new SlowCommandSpans(services.Diagnostics.SlowLog, services.Context.WorkerCount);
        _source = MetricSource.SinceStart(services);
        _readAt = Clock.GetTimestamp();
        foreach (var metric in MetricCatalogue.Of(_source))
        {
            Publish(metric, MetricCatalogue.Prefix + metric.Name);
        }
    }

    private TimeProvider Clock => _services.Context.Platform.Clock;

    /// <inheritdoc/>
    public void Dispose()
    {
        _spans.Dispose();
        _meter.Dispose();
    }

    private void Publish(Metric metric, string name)
    {
        if (metric.Kind == MetricKind.Gauge)
        {
            _ = _meter.CreateObservableGauge(name, () => Measure(metric, HistogramPart.None), null, metric.Help);
            return;
        }

        ReadOnlySpan<(string Suffix, HistogramPart Part)> counters = metric.Kind == MetricKind.Counter
            ? [("", HistogramPart.None)]
            : [("_bucket", HistogramPart.Buckets), ("_sum", HistogramPart.Sum), ("_count", HistogramPart.Count)];
        foreach (var (suffix, part) in counters)
        {
            _ = _meter.CreateObservableCounter(name + suffix, () => Measure(metric, part), null, metric.Help);
        }
    }

    private IReadOnlyList<Measurement<double>> Measure(Metric metric, HistogramPart part)
    {
        var source = Read();
        if (metric.Value is { } value)
        {
            return [new Measurement<double>(value(source))];
        }

        var series = new MeasuredSeries(part);
        metric.Series!(source, series);
        return series.Measurements;
    }

    private MetricSource Read()
    {
        lock (_lock)
        {
            if (Clock.GetElapsedTime(_readAt) > s_freshness)
            {
                _source = MetricSource.SinceStart(_services);
                _readAt = Clock.GetTimestamp();
            }

            return _source;
        }
    }
}
