using NUnit.Framework;
using Strata.Server.Commands.HyperLogLogs;

namespace Strata.Tests.Server.Commands.HyperLogLogs;

/// <summary>Estimates at their ends, as Redis 7.0.15 gives them.</summary>
internal sealed class CardinalityEstimatorTests
{
    [TestCase(0, 0UL)]
    [TestCase(1, 23_637UL)]
    [TestCase(51, 1UL << 63)]
    [TestCase(52, 1UL << 63)]
    [TestCase(63, 1UL << 63)]
    public void Registers_that_are_all_alike_have_their_estimate(int rank, ulong expected)
    {
        var histogram = new int[CardinalityEstimator.HistogramSize];
        histogram[rank] = HyperLogLogFormat.Registers;
        Assert.That(CardinalityEstimator.Estimate(histogram), Is.EqualTo(expected));
    }
}
