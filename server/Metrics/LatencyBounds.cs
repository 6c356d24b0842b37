namespace Strata.Server.Metrics;

/// <summary>The upper bounds of latency histograms: powers of two of nanoseconds, from a microsecond to 17 seconds,
/// about.</summary>
internal static class LatencyBounds
{
    /// <summary>How many they are.</summary>
    public const int Count = 25;

    /// <summary>For figures that are measured in nanoseconds and told in seconds.</summary>
    public const double SecondsPerNanosecond = 1e-9;

    private const int FirstBits = 10;

    /// <summary>The bounds in seconds.</summary>
    public static readonly double[] Seconds =
        [.. Enumerable.Range(FirstBits, Count).Select(bits => (1L << bits) * SecondsPerNanosecond)];

    /// <summary>The power of two that a bound is, of nanoseconds.</summary>
    public static int BitsOf(int bound) => FirstBits + bound;
}
