using System.Numerics;

namespace Strata.Server.Diagnostics;

/// <summary>
/// Latencies in nanoseconds, counted in 16 buckets for every doubling, so that a bucket is at most a sixteenth wide
/// (log-linear buckets, as in G. Tene's HdrHistogram). The counts are plain arrays of <see cref="Buckets"/>; these are
/// the functions on them.
/// </summary>
public static class LatencyHistogram
{
    /// <summary>Number of buckets: 2^40 ns, some 18 minutes, and everything longer fall into the last.</summary>
    public const int Buckets = (LargestBits - SubBits + 1) << SubBits;

    private const int SubBits = 4;
    private const int LargestBits = 40;

    /// <summary>The bucket that counts a latency.</summary>
    public static int BucketOf(long nanoseconds)
    {
        var value = (ulong)Math.Max(nanoseconds, 0);
        var bits = BitOperations.Log2(value | 1);
        if (bits < SubBits)
        {
            return (int)value;
        }

        var bucket = ((bits - SubBits + 1) << SubBits) + (int)((value >> (bits - SubBits)) & ((1 << SubBits) - 1));
        return Math.Min(bucket, Buckets - 1);
    }

    /// <summary>The largest latency a bucket counts, nanoseconds.</summary>
    public static long LargestOf(int bucket)
    {
        var octave = (bucket >> SubBits) - 1;
        if (octave < 0)
        {
            return bucket;
        }

        var start = (long)((1 << SubBits) + (bucket & ((1 << SubBits) - 1))) << octave;
        return start + (1L << octave) - 1;
    }

    /// <summary>The latency that <paramref name="percentile"/> per cent of the calls did not exceed, nanoseconds, to
    /// the precision of a bucket; 0 when nothing was counted.</summary>
    public static long Percentile(ReadOnlySpan<long> counts, double percentile)
    {
        var total = 0L;
        foreach (var count in counts)
        {
            total += count;
        }

        var wanted = Math.Max(1, (long)Math.Ceiling(Math.Min(percentile, 100) / 100 * total));
        var seen = 0L;
        for (var bucket = 0; bucket < counts.Length; bucket++)
        {
            seen += counts[bucket];
            if (seen >= wanted)
            {
                return LargestOf(bucket);
            }
        }

        return 0;
    }

    /// <summary>Counts the calls that took less than each of some powers of two, of nanoseconds.</summary>
    /// <param name="counts">The histogram.</param>
    /// <param name="firstBits">The first power, at least 4; the others follow it one by one.</param>
    /// <param name="below">How many took less than each. The last power may be 40, as which all that took longer count,
    /// too.</param>
    /// <returns>All calls.</returns>
    public static long CountBelow(ReadOnlySpan<long> counts, int firstBits, Span<long> below)
    {
        var (seen, bucket) = (0L, 0);
        for (var i = 0; i < below.Length; i++)
        {
            var end = (firstBits + i - SubBits + 1) << SubBits; // The first bucket of what is not less.
            for (; bucket < end; bucket++)
            {
                seen += counts[bucket];
            }

            below[i] = seen;
        }

        for (; bucket < counts.Length; bucket++)
        {
            seen += counts[bucket];
        }

        return seen;
    }
}
