namespace Strata.Bench.Statistics;

/// <summary>What figures are like when some of them were disturbed: where the undisturbed lie, and how far apart.
/// </summary>
internal static class Quartiles
{
    /// <summary>The figure that a quarter of all do not exceed, between two neighbours in proportion: of what costs,
    /// that of the quiet times.</summary>
    /// <param name="samples">One or more, in any order.</param>
    public static double Lower(IEnumerable<double> samples) => At([.. samples.Order()], 0.25);

    /// <summary>How far the middle half lies apart, as a part of the median.</summary>
    /// <param name="samples">One or more, in any order.</param>
    public static double Spread(IEnumerable<double> samples)
    {
        List<double> sorted = [.. samples.Order()];
        return (At(sorted, 0.75) - At(sorted, 0.25)) / At(sorted, 0.5);
    }

    /// <summary>The mean of the middle half: what lies far off on either side has no say.</summary>
    /// <param name="samples">One or more, in any order.</param>
    public static double MiddleMean(IEnumerable<double> samples)
    {
        List<double> sorted = [.. samples.Order()];
        var cut = sorted.Count / 4;
        return sorted.Skip(cut).Take(sorted.Count - (2 * cut)).Average();
    }

    private static double At(List<double> sorted, double part)
    {
        var place = part * (sorted.Count - 1);
        var below = (int)place;
        var above = Math.Min(below + 1, sorted.Count - 1);
        return sorted[below] + ((sorted[above] - sorted[below]) * (place - below));
    }
}
