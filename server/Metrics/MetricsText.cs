using System.Buffers;
using System.Buffers.Text;
using System.Text;
using Strata.Server.Diagnostics;

namespace Strata.Server.Metrics;

/// <summary>
/// Writes metrics as Prometheus reads them: in its own text format (version 0.0.4) or as OpenMetrics (1.0.0), which
/// names a counter's family without "_total" and has a mark at the end.
/// </summary>
internal sealed class MetricsText : MetricSeries
{
    /// <summary>The media type of Prometheus's own format.</summary>
    public const string PlainType = "text/plain; version=0.0.4; charset=utf-8";

    /// <summary>The media type of OpenMetrics.</summary>
    public const string OpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private const int LongestNumber = 32;

    // Asked for at a time: an output may take a lock each time, and its own memory comes in blocks of 4 KB, some of
    // which it needs itself.
    private const int ChunkBytes = 2048;

    private readonly IBufferWriter<byte> _output;
    private readonly bool _isOpenMetrics;
    private readonly ShortTurns? _turns;
    private Memory<byte> _chunk;
    private int _used;
    private string _name = "";
    private string _suffix = "";

    /// <summary>Writes to an output.</summary>
    /// <param name="output">The output.</param>
    /// <param name="isOpenMetrics">Whether as OpenMetrics.</param>
    /// <param name="turns">In what turns; null where nobody is held up by it.</param>
    public MetricsText(IBufferWriter<byte> output, bool isOpenMetrics, ShortTurns? turns = null)
    {
        _turns = turns;
        _output = output;
        _isOpenMetrics = isOpenMetrics;
    }

    /// <summary>Writes a metric's family under a name.</summary>
    /// <param name="metric">The metric.</param>
    /// <param name="name">The name, a counter's without "_total".</param>
    /// <param name="source">What it is read from.</param>
    public void Write(Metric metric, string name, MetricSource source)
    {
        _name = name;
        _suffix = metric.Kind == MetricKind.Counter ? "_total" : "";
        var family = _isOpenMetrics ? name : name + _suffix;
        Append("# HELP ");
        Append(family);
        Append(" ");
        Append(metric.Help);
        Append("\n# TYPE ");
        Append(family);
        Append(metric.Kind switch
        {
            MetricKind.Counter => " counter\n",
            MetricKind.Gauge => " gauge\n",
            _ => " histogram\n",
        });
        if (metric.Value is { } value)
        {
            Add(value(source));
        }
        else
        {
            metric.Series!(source, this);
        }
    }

    /// <summary>Nothing follows: the output has all from here on.</summary>
    public void End()
    {
        if (_isOpenMetrics)
        {
            Append("# EOF\n");
        }

        Advance();
        _chunk = default;
    }

    /// <inheritdoc/>
    public override void Add(double value, params ReadOnlySpan<string> labels) => Sample(_suffix, value, labels);

    /// <inheritdoc/>
    public override void AddHistogram(
        ReadOnlySpan<double> bounds,
        ReadOnlySpan<long> counts,
        long count,
        double sum,
        params ReadOnlySpan<string> labels)
    {
        for (var i = 0; i < bounds.Length; i++)
        {
            Sample("_bucket", counts[i], labels, bounds[i]);
        }

        Sample("_bucket", count, labels, double.PositiveInfinity);
        Sample("_sum", sum, labels);
        Sample("_count", count, labels);
    }

    private void Sample(string suffix, double value, ReadOnlySpan<string> labels, double? bound = null)
    {
        Append(_name);
        Append(suffix);
        var separator = "{";
        for (var i = 0; i < labels.Length; i += 2)
        {
            Append(separator);
            Append(labels[i]);
            Append("=\"");
            AppendEscaped(labels[i + 1]);
            Append("\"");
            separator = ",";
        }

        if (bound is { } upper)
        {
            Append(separator);
            Append("le=\"");
            Append(upper);
            Append("\"");
            separator = ",";
        }

        Append(separator == "," ? "} " : " ");
        Append(value);
        Append("\n");
    }

    private void Append(double value)
    {
        if (!double.IsFinite(value))
        {
            Append(double.IsNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
            return;
        }

        var target = Room(LongestNumber);
        int written;
        if (value == Math.Floor(value) && Math.Abs(value) < 1L << 53)
        {
            _ = Utf8Formatter.TryFormat((long)value, target, out written);
        }
        else
        {
            _ = Utf8Formatter.TryFormat(value, target, out written);
        }

        _used += written;
    }

    private void Append(string text)
    {
        var target = Room(Encoding.UTF8.GetMaxByteCount(text.Length));
        _used += Encoding.UTF8.GetBytes(text, target);
    }

    /// <summary>Where the next bytes go, at least so many.</summary>
    private Span<byte> Room(int bytes)
    {
        if (_chunk.Length - _used < bytes)
        {
            Advance();
            _turns?.EndIfLong();
            _chunk = _output.GetMemory(Math.Max(bytes, ChunkBytes));
        }

        return _chunk.Span[_used..];
    }

    private void Advance()
    {
        if (_used > 0)
        {
            _output.Advance(_used);
            _used = 0;
        }
    }

    private void AppendEscaped(string text)
        => Append(text.AsSpan().IndexOfAny('\\', '"', '\n') < 0
            ? text
            : text.Replace("\\", "\\\\", StringComparison.Ordinal)
                .Replace("\"", "\\\"", StringComparison.Ordinal)
                .Replace("\n", "\\n", StringComparison.Ordinal));
}
