using System.Buffers;
using System.Text;
using System.Text.Json;
using Strata.Server.Clients;
using Strata.Server.Diagnostics;
using Strata.Server.Lifecycle;
using Strata.Server.Metrics;

namespace Strata.Server.Reports;

/// <summary>
/// What the live page shows: every figure of the catalogue as it is, counted since the start, and from what the
/// commands have counted since the last look their latencies in between. Of slow commands it has no argument but the
/// verb: who may execute INFO may not see keys.
/// </summary>
/// <param name="services">The server.</param>
internal sealed class LiveFigures(ServerServices services) : ILiveFigures
{
    private const double MicrosecondsPerNanosecond = 1e-3;
    private const double MicrosecondsPerSecond = 1e6;

    private static readonly (string Name, double Percentile)[] s_percentiles =
        [("p50", 50), ("p99", 99), ("p999", 99.9), ("longest", 100)];

    private readonly long[] _all = new long[LatencyHistogram.Buckets];
    private ServerTotals? _previous;
    private DiskTimes? _previousTimes;
    private long _previousAt;

    /// <inheritdoc/>
    public void Write(IBufferWriter<byte> output)
    {
        var clock = services.Diagnostics.Clock;
        var source = MetricSource.SinceStart(services);
        var now = clock.GetTimestamp();
        using var writer = new Utf8JsonWriter(output);
        writer.WriteStartObject();
        writer.WriteNumber("at", clock.GetUtcNow().ToUnixTimeMilliseconds());
        writer.WriteString("run", services.Diagnostics.RunId);
        writer.WriteNumber("clock", (double)now / clock.TimestampFrequency);
        writer.WriteNumber("seconds", _previous == null ? 0 : clock.GetElapsedTime(_previousAt, now).TotalSeconds);
        WriteFigures(writer, source);
        WriteCommands(writer, source.Totals);
        WriteDiskLatencies(writer, DiskTimes.Of(source));
        WriteSlowCommands(writer);
        WriteCurve(writer);
        WriteFindings(writer, source);
        writer.WriteEndObject();
        _previous = source.Totals;
        _previousAt = now;
    }

    private static void WriteFigures(Utf8JsonWriter writer, MetricSource source)
    {
        writer.WriteStartObject("figures");
        foreach (var metric in MetricCatalogue.Of(source))
        {
            if (metric.Value is { } value && value(source) is var figure && double.IsFinite(figure))
            {
                writer.WriteNumber(metric.Name, figure);
            }
        }

        writer.WriteEndObject();
        writer.WriteStartObject("parts");
        var series = new JsonSeries(writer);
        foreach (var metric in WorkMetrics.All)
        {
            writer.WriteStartArray(metric.Name);
            metric.Series!(source, series);
            writer.WriteEndArray();
        }

        writer.WriteEndObject();
    }

    private void WriteCommands(Utf8JsonWriter writer, ServerTotals totals)
    {
        Array.Clear(_all);
        List<CommandTotals> used = [];
        foreach (var command in _previous == null ? [] : totals.UsedCommands)
        {
            var since = command.Since(_previous!.Of(command.Row));
            if (since.Calls > 0)
            {
                used.Add(since);
                for (var bucket = 0; bucket < _all.Length; bucket++)
                {
                    _all[bucket] += since.Histogram[bucket];
                }
            }
        }

        writer.WriteStartObject("latency");
        WriteLatencies(writer, _all);
        writer.WriteEndObject();
        used.Sort(static (a, b) => b.Nanoseconds.CompareTo(a.Nanoseconds));
        writer.WriteStartArray("commands");
        foreach (var command in used.Take(ObservationLimits.LiveCommands))
        {
            writer.WriteStartObject();
            writer.WriteString("name", command.Row.FullName);
            writer.WriteNumber("calls", command.Calls);
            writer.WriteNumber("microseconds", command.Nanoseconds * MicrosecondsPerNanosecond);
            WriteLatencies(writer, command.Histogram);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    /// <summary>Microseconds; nothing where nothing was measured.</summary>
    private static void WriteLatencies(Utf8JsonWriter writer, long[] counts)
    {
        if (!counts.AsSpan().ContainsAnyExcept(0))
        {
            return;
        }

        foreach (var (name, percentile) in s_percentiles)
        {
            writer.WriteNumber(name, LatencyHistogram.Percentile(counts, percentile) * MicrosecondsPerNanosecond);
        }
    }

    private void WriteDiskLatencies(Utf8JsonWriter writer, DiskTimes times)
    {
        writer.WriteStartObject("disk");
        Write("read", times.Reads, _previousTimes?.Reads);
        Write("write", times.Writes, _previousTimes?.Writes);
        Write("sync", times.Syncs, _previousTimes?.Syncs);
        writer.WriteEndObject();
        _previousTimes = times;

        // Microseconds; nothing where nothing was asked for.
        void Write(string name, RequestTimes? now, RequestTimes? before)
        {
            if (before != null && now!.Percentile(50, before) is var median && double.IsFinite(median))
            {
                writer.WriteStartObject(name);
                writer.WriteNumber("p50", median * MicrosecondsPerSecond);
                writer.WriteNumber("p99", now.Percentile(99, before) * MicrosecondsPerSecond);
                writer.WriteEndObject();
            }
        }
    }

    private void WriteSlowCommands(Utf8JsonWriter writer)
    {
        var options = services.Context.Configuration.Current;
        writer.WriteStartArray("slow");
        var newest = services.Diagnostics.SlowLog.Newest(ObservationLimits.LiveSlowCommands, options.SlowlogMaxLength);
        foreach (var entry in newest)
        {
            writer.WriteStartObject();
            writer.WriteNumber("id", entry.Id);
            writer.WriteNumber("at", entry.UnixMs);
            writer.WriteNumber("microseconds", entry.Microseconds);
            writer.WriteString("verb", Encoding.UTF8.GetString(entry.Arguments[0]));
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    private void WriteCurve(Utf8JsonWriter writer)
    {
        var curve = services.Curve;
        writer.WriteStartArray("curve");
        foreach (var (hour, day) in curve.Hour.Zip(curve.Day))
        {
            if (double.IsFinite(hour.HitRatio))
            {
                writer.WriteStartObject();
                writer.WriteNumber("factor", hour.Factor);
                writer.WriteNumber("bytes", hour.Factor * curve.MemoryBytes);
                writer.WriteNumber("hour", hour.HitRatio);
                writer.WriteNumber("error", hour.Error);
                writer.WriteNumber("day", double.IsFinite(day.HitRatio) ? day.HitRatio : hour.HitRatio);
                writer.WriteEndObject();
            }
        }

        writer.WriteEndArray();
    }

    private static void WriteFindings(Utf8JsonWriter writer, MetricSource source)
    {
        writer.WriteStartArray("findings");
        foreach (var finding in ServerFindings.Of(source))
        {
            writer.WriteStringValue(finding);
        }

        writer.WriteEndArray();
    }

    /// <summary>The figures of one metric behind each other, of worker or shard 0 first.</summary>
    private sealed class JsonSeries(Utf8JsonWriter writer) : MetricSeries
    {
        public override void Add(double value, params ReadOnlySpan<string> labels) => writer.WriteNumberValue(value);

        public override void AddHistogram(
            ReadOnlySpan<double> bounds,
            ReadOnlySpan<long> counts,
            long count,
            double sum,
            params ReadOnlySpan<string> labels)
            => throw new NotSupportedException("workers and shards have no histograms");
    }
}
