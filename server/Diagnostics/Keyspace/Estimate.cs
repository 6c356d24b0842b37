namespace Strata.Server.Diagnostics.Keyspace;

/// <summary>A sum over all keys, of which some were drawn: the most likely, and in 19 of 20 cases the bounds.</summary>
/// <param name="Value">The most likely.</param>
/// <param name="AtLeast">With chance taken off.</param>
/// <param name="AtMost">With chance added.</param>
internal readonly record struct Estimate(double Value, double AtLeast, double AtMost)
{
    // Of a normal distribution so many standard deviations hold 19 of 20.
    private const double Deviations = 2;

    /// <summary>What is known exactly, and what was estimated.</summary>
    /// <param name="known">The one.</param>
    /// <param name="value">The other.</param>
    /// <param name="variance">Of that.</param>
    /// <remarks>A sum that varies as that of n equal parts does, of which each came by chance, has the bounds of their
    /// number (the score interval of Poisson's distribution: Rao 1948), which are right also for few.</remarks>
    public static Estimate Of(double known, double value, double variance)
    {
        if (variance <= 0 || value <= 0)
        {
            return new Estimate(known + value, known + value, known + value);
        }

        var part = variance / value;
        var middle = (value / part) + (Deviations * Deviations / 2);
        var around = Deviations * Math.Sqrt((value / part) + (Deviations * Deviations / 4));
        return new Estimate(known + value, known + (part * (middle - around)), known + (part * (middle + around)));
    }
}
