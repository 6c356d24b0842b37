namespace Strata.Bench.Statistics;

/// <summary>The middle of a few figures.</summary>
internal static class Median
{
    /// <summary>The median; of an even number the mean of the two in the middle.</summary>
    /// <param name="samples">One or more, in any order.</param>
    public static double Of(IEnumerable<double> samples)
    {
        var sorted = samples.Order().ToList();
        return (sorted[(sorted.Count - 1) / 2] + sorted[sorted.Count / 2]) / 2;
    }
}
