namespace Strata.Bench.Top;

/// <summary>The last minute of the figures that have a line, if looks are a second apart.</summary>
internal sealed class TopHistory
{
    private const int Kept = 60;

    private readonly Dictionary<string, Queue<double>> _values = new(StringComparer.Ordinal);

    /// <summary>Takes in what happened last.</summary>
    public void Add(TopInterval interval)
    {
        Keep("operations", interval.PerSecond("total_commands_processed"));
        Keep("latency", interval.Percentile(99));
        Keep("hits", interval.HitRatio);
        Keep("network",
            interval.PerSecond("total_net_input_bytes") + interval.PerSecond("total_net_output_bytes"));
        Keep("cpu", interval.PerSecond("used_cpu_user") + interval.PerSecond("used_cpu_sys"));
        Keep("reads", interval.PerSecond("tier_reads"));
        Keep("syncs", interval.PerSecond("aof_fsyncs"));
    }

    /// <summary>A figure as a line of letters.</summary>
    public string Line(string figure, int width)
        => _values.TryGetValue(figure, out var values) ? TopText.Line(values, width) : "";

    private void Keep(string figure, double value)
    {
        if (!_values.TryGetValue(figure, out var values))
        {
            values = _values[figure] = new Queue<double>(Kept);
        }

        if (values.Count == Kept)
        {
            _ = values.Dequeue();
        }

        values.Enqueue(value);
    }
}
