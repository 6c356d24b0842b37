using NUnit.Framework;
using Strata.Bench.Statistics;

namespace Strata.Tests.Bench;

public sealed class QuartilesTests
{
    [TestCase(new double[] { 3 }, ExpectedResult = 3)]
    [TestCase(new double[] { 5, 1, 4, 2, 3 }, ExpectedResult = 2)]
    [TestCase(new double[] { 4, 1, 3, 2 }, ExpectedResult = 1.75)]
    public double The_lower_quartile_lies_between_its_neighbours(double[] samples) => Quartiles.Lower(samples);

    /// <summary>However far off some are, they have no say.</summary>
    [TestCase(new double[] { 7 }, ExpectedResult = 7)]
    [TestCase(new double[] { 1, 2, 3, 1e9 }, ExpectedResult = 2.5)]
    [TestCase(new double[] { -1e9, 1, 2, 3, 4, 5, 6, 1e9 }, ExpectedResult = 3.5)]
    public double The_mean_is_of_the_middle_half(double[] samples) => Quartiles.MiddleMean(samples);

    [TestCase(new double[] { 5, 5, 5 }, ExpectedResult = 0)]
    [TestCase(new double[] { 1, 2, 3, 4, 5 }, ExpectedResult = 2.0 / 3)]
    public double The_spread_is_a_part_of_the_median(double[] samples) => Quartiles.Spread(samples);
}
