using System.Numerics;

namespace Strata.Bench.Statistics;

/// <summary>
/// Counts of non-negative values (latencies in nanoseconds) in logarithmic buckets. Values below 2048 are kept exactly,
/// larger ones to within one part in 1024, which is three significant digits, over the whole range of a long. Recording
/// is O(1) and allocates nothing. One thread owns a histogram; <see cref="Add"/> merges those of several.
/// The bucket layout is the one of HdrHistogram (G. Tene): a power of two split into 1024 equal steps.
/// </summary>
public sealed class LatencyHistogram
{
    private const int StepBits = 10;
    private const int StepsPerPower = 1 << StepBits;
    private const int BucketCount = (64 - StepBits) * StepsPerPower;

    private readonly long[] _counts = new long[BucketCount];
    private double _sum;

    /// <summary>How many values were recorded.</summary>
    public long Count { get; private set; }

    /// <summary>The largest value recorded, exactly; 0 when there is none.</summary>
    public long Max { get; private set; }

    /// <summary>The mean of the recorded values; 0 when there is none.</summary>
    public double Mean => Count == 0 ? 0 : _sum / Count;

    /// <summary>Counts one value; negative ones (a clock that stepped) count as 0.</summary>
    public void Record(long value)
    {
        value = Math.Max(value, 0);
        _counts[BucketOf(value)]++;
        _sum += value;
        Count++;
        Max = Math.Max(Max, value);
    }

    /// <summary>Adds all of another histogram's counts to this one.</summary>
    public void Add(LatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        for (var bucket = 0; bucket < BucketCount; bucket++)
        {
            _counts[bucket] += other._counts[bucket];
        }

        _sum += other._sum;
        Count += other.Count;
        Max = Math.Max(Max, other.Max);
    }

    /// <summary>
    /// The value that <paramref name="percent"/> (0 to 100) of all recorded values do not exceed, by nearest rank,
    /// rounded up to the end of its bucket but never above <see cref="Max"/>; 0 when nothing was recorded.
    /// </summary>
    public long Percentile(double percent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(percent);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(percent, 100);
        var rank = Math.Max(1, (long)Math.Ceiling(percent / 100 * Count));
        var seen = 0L;
        for (var bucket = 0; bucket < BucketCount; bucket++)
        {
            seen += _counts[bucket];
            if (seen >= rank)
            {
                return Math.Min(LastValueOf(bucket), Max);
            }
        }

        return Max;
    }

    private static int BucketOf(long value)
    {
        var shift = Math.Max(0, BitOperations.Log2((ulong)value) - StepBits);
        return (shift << StepBits) + (int)(value >> shift);
    }

    private static long LastValueOf(int bucket)
    {
        // The buckets of shift s begin at (s + 1) * 1024, those of shift 0 at 0.
        var shift = Math.Max(0, (bucket >> StepBits) - 1);
        var step = (ulong)(bucket - (shift << StepBits));
        return (long)(((step + 1) << shift) - 1);
    }
}
