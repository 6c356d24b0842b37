namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>How much a key was read that is hot, or was.</summary>
/// <param name="key">The key.</param>
internal sealed class HotKeyReads(HotKey key)
{
    private readonly long[] _spans = new long[2 * TrafficLimits.CurveSpans];
    private readonly double[] _reads = new double[2 * TrafficLimits.CurveSpans];
    private readonly double[] _missed = new double[2 * TrafficLimits.CurveSpans];

    /// <summary>Memory of one, bytes, about.</summary>
    public static int Bytes => 256 + TrafficLimits.HotKeyBytes + (6 * TrafficLimits.CurveSpans * sizeof(double));

    /// <summary>The key's hash.</summary>
    public ulong Hash => key.Hash;

    /// <summary>The key.</summary>
    public HotKey Key => key;

    /// <summary>The part of all reads that it has now.</summary>
    public double Share { get; set; }

    /// <summary>Whether it is not there.</summary>
    public bool IsMissed { get; set; }

    /// <summary>How often it was read.</summary>
    public double Total { get; private set; }

    /// <summary>Counts reads.</summary>
    public void Count(double reads, KeyReads spans)
    {
        Total += reads;
        Count(reads, spans.Hour, 0);
        Count(reads, spans.Day, TrafficLimits.CurveSpans);
    }

    /// <summary>How often it was read in a span, and how often it was not there.</summary>
    /// <param name="number">The number of the span since 1970.</param>
    /// <param name="isDay">Whether the span is one of a day.</param>
    public (double Reads, double Missed) Of(long number, bool isDay)
    {
        var at = (isDay ? TrafficLimits.CurveSpans : 0) + (int)(number % TrafficLimits.CurveSpans);
        return _spans[at] == number ? (_reads[at], _missed[at]) : (0, 0);
    }

    private void Count(double reads, ReadOnlySpan<KeySpan> spans, int first)
    {
        var number = KeyReads.Newest(spans).Number;
        var at = first + (int)(number % TrafficLimits.CurveSpans);
        if (_spans[at] != number)
        {
            (_spans[at], _reads[at], _missed[at]) = (number, 0, 0);
        }

        _reads[at] += reads;
        _missed[at] += IsMissed ? reads : 0;
    }
}
