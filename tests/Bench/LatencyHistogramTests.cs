using NUnit.Framework;
using Strata.Bench.Statistics;

namespace Strata.Tests.Bench;

public sealed class LatencyHistogramTests
{
    [FsCheck.NUnit.Property(MaxTest = 200)]
    public bool Percentiles_are_within_a_thousandth_of_the_exact_ones(long[] values, byte percent, byte shift)
    {
        var histogram = new LatencyHistogram();
        var kept = Array.ConvertAll(values, v => Math.Abs(v % long.MaxValue) >> (shift % 63));
        Array.ForEach(kept, histogram.Record);
        Array.Sort(kept);
        var asked = percent % 101;
        var measured = histogram.Percentile(asked);
        if (kept.Length == 0)
        {
            return measured == 0;
        }

        var exact = kept[Math.Max(1, (int)Math.Ceiling(asked / 100.0 * kept.Length)) - 1];
        return measured >= exact && measured - exact <= exact / 1024;
    }

    [FsCheck.NUnit.Property(MaxTest = 50)]
    public bool Merged_histograms_say_the_same_as_one(uint[] some, uint[] others)
    {
        var first = new LatencyHistogram();
        var second = new LatencyHistogram();
        var both = new LatencyHistogram();
        Array.ForEach(some, v => first.Record(v));
        Array.ForEach(others, v => second.Record(v));
        Array.ForEach([.. some, .. others], v => both.Record(v));
        first.Add(second);
        return first.Count == both.Count && first.Max == both.Max
            && new[] { 0.0, 50, 99, 99.9, 100 }.All(p => first.Percentile(p) == both.Percentile(p));
    }

    [TestCase(0)]
    [TestCase(2047)]
    [TestCase(2048)]
    [TestCase(long.MaxValue)]
    public void The_largest_value_is_exact(long value)
    {
        var histogram = new LatencyHistogram();
        histogram.Record(0);
        histogram.Record(value);
        Assert.Multiple(() =>
        {
            Assert.That(histogram.Max, Is.EqualTo(value));
            Assert.That(histogram.Percentile(100), Is.EqualTo(value));
            Assert.That(histogram.Count, Is.EqualTo(2));
        });
    }

    [Test]
    public void A_clock_that_went_back_counts_as_nothing()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(-5);
        Assert.That((histogram.Count, histogram.Max), Is.EqualTo((1L, 0L)));
    }
}
