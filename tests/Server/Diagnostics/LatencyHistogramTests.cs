using NUnit.Framework;
using Strata.Server.Diagnostics;

namespace Strata.Tests.Server.Diagnostics;

[TestFixture]
internal sealed class LatencyHistogramTests
{
    [Test]
    public void Buckets_follow_each_other_without_gaps()
    {
        for (var bucket = 1; bucket < LatencyHistogram.Buckets; bucket++)
        {
            var largestBefore = LatencyHistogram.LargestOf(bucket - 1);

            Assert.That(LatencyHistogram.BucketOf(largestBefore), Is.EqualTo(bucket - 1));
            Assert.That(LatencyHistogram.BucketOf(largestBefore + 1), Is.EqualTo(bucket));
        }
    }

    [FsCheck.NUnit.Property]
    public void A_bucket_is_at_most_a_sixteenth_wide(int seed)
    {
        var nanoseconds = (long)(uint)seed * 200;

        var largest = LatencyHistogram.LargestOf(LatencyHistogram.BucketOf(nanoseconds));

        Assert.That(largest, Is.InRange(nanoseconds, nanoseconds + (nanoseconds / 16) + 1));
    }

    [TestCase(-5, 0)]
    [TestCase(long.MaxValue, LatencyHistogram.Buckets - 1)]
    public void What_is_out_of_range_falls_into_the_outermost_buckets(long nanoseconds, int bucket)
        => Assert.That(LatencyHistogram.BucketOf(nanoseconds), Is.EqualTo(bucket));

    [TestCase(50, 500_000)]
    [TestCase(99, 990_000)]
    [TestCase(100, 1_000_000)]
    [TestCase(0, 1_000)]
    public void Percentiles_are_right_within_a_bucket(double percentile, long expected)
    {
        var counts = new long[LatencyHistogram.Buckets];
        for (var nanoseconds = 1_000; nanoseconds <= 1_000_000; nanoseconds += 1_000)
        {
            counts[LatencyHistogram.BucketOf(nanoseconds)]++;
        }

        Assert.That(LatencyHistogram.Percentile(counts, percentile), Is.InRange(expected, expected * 17 / 16));
    }

    [Test]
    public void Without_calls_there_is_no_percentile()
        => Assert.That(LatencyHistogram.Percentile(new long[LatencyHistogram.Buckets], 50), Is.Zero);

    [Test]
    public void Calls_below_powers_of_two_are_counted_exactly()
    {
        var counts = new long[LatencyHistogram.Buckets];
        counts[LatencyHistogram.BucketOf(15)] = 1;
        counts[LatencyHistogram.BucketOf(1023)] = 3;
        counts[LatencyHistogram.BucketOf(1024)] = 4;
        counts[LatencyHistogram.BucketOf(1L << 50)] = 5;
        var below = new long[31];

        Assert.That(LatencyHistogram.CountBelow(counts, firstBits: 10, below), Is.EqualTo(13));
        Assert.That(below[..2], Is.EqualTo(new[] { 4, 8 }));
        Assert.That(below[2..^1], Has.All.EqualTo(8));
        Assert.That(below[^1], Is.EqualTo(13), "what took longer than can be told counts as the longest that can");
        Assert.That(LatencyHistogram.CountBelow(counts, firstBits: 4, below.AsSpan(0, 1)), Is.EqualTo(13));
        Assert.That(below[0], Is.EqualTo(1));
    }
}
