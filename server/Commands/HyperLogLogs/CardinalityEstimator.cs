namespace Strata.Server.Commands.HyperLogLogs;

/// <summary>How many different elements registers have seen, by the improved raw estimator of Otmar Ertl ("New
/// cardinality estimation algorithms for HyperLogLog sketches", arXiv:1702.01284, algorithm 6).</summary>
internal static class CardinalityEstimator
{
    /// <summary>Numbers in a histogram: one for each value that six bits can have.</summary>
    public const int HistogramSize = 64;

    /// <summary>The constant of the harmonic mean for infinitely many registers, 1 / (2 ln 2).</summary>
    private const double Alpha = 0.721347520444481703680;

    /// <summary>The cardinality.</summary>
    /// <param name="histogram">How many registers have which value; values above 51 are not looked at. Where they are
    /// all there are, there is no end of elements: the least number that is too large for Redis's integers.</param>
    public static ulong Estimate(ReadOnlySpan<int> histogram)
    {
        const double Registers = HyperLogLogFormat.Registers;
        var sum = Registers * Tau((Registers - histogram[HyperLogLogFormat.MaxRank]) / Registers);
        for (var rank = HyperLogLogFormat.RankBits; rank >= 1; rank--)
        {
            sum = (sum + histogram[rank]) * 0.5;
        }

        sum += Registers * Sigma(histogram[0] / Registers);
        var estimate = Math.Round(Alpha * Registers * Registers / sum, MidpointRounding.AwayFromZero);
        return estimate < long.MaxValue ? (ulong)estimate : 1UL << 63;
    }

    private static double Sigma(double x)
    {
        if (x == 1)
        {
            return double.PositiveInfinity;
        }

        var (y, z) = (1.0, x);
        for (var before = double.NaN; before != z;)
        {
            before = z;
            x *= x;
            z += x * y;
            y += y;
        }

        return z;
    }

    private static double Tau(double x)
    {
        if (x is 0 or 1)
        {
            return 0;
        }

        var (y, z) = (1.0, 1 - x);
        for (var before = double.NaN; before != z;)
        {
            before = z;
            x = Math.Sqrt(x);
            y *= 0.5;
            z -= Math.Pow(1 - x, 2) * y;
        }

        return z / 3;
    }
}
