namespace Strata.Bench.Keys;

/// <summary>
/// Draws ranks 1…n with probability proportional to rank^-theta, exactly, in O(1) time and without tables, for any
/// theta above 0. Source: W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates from monotone discrete
/// distributions", ACM TOMACS 6(3), 1996: a point under the curve x^-theta is drawn by inverting its integral, rounded
/// to the nearest rank, and drawn again in the rare case that it lies outside that rank's bar.
/// </summary>
internal sealed class ZipfSampler
{
    private readonly long _ranks;
    private readonly double _theta;
    private readonly double _exponent;
    private readonly bool _harmonic;
    private readonly double _lowest;
    private readonly double _highest;
    private readonly double _alwaysInside;

    public ZipfSampler(long ranks, double theta)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(ranks);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(theta);
        _ranks = ranks;
        _theta = theta;
        _exponent = 1 - theta;
        // Next to theta = 1 the power form divides two vanishing numbers; the logarithm is its limit.
        _harmonic = Math.Abs(_exponent) < 1e-9;
        _lowest = Integral(1.5) - 1;
        _highest = Integral(ranks + 0.5);
        _alwaysInside = 2 - InverseIntegral(Integral(2.5) - Height(2));
    }

    /// <summary>The next rank, from 1 (the most frequent) to n.</summary>
    public long Next(ref SplitMix64 random)
    {
        while (true)
        {
            var area = _highest + (random.NextDouble() * (_lowest - _highest));
            var point = InverseIntegral(area);
            var rank = Math.Clamp((long)(point + 0.5), 1, _ranks);
            if (rank - point <= _alwaysInside || area >= Integral(rank + 0.5) - Height(rank))
            {
                return rank;
            }
        }
    }

    private double Height(double x) => Math.Pow(x, -_theta);

    private double Integral(double x) => _harmonic ? Math.Log(x) : (Math.Pow(x, _exponent) - 1) / _exponent;

    private double InverseIntegral(double area) =>
        _harmonic ? Math.Exp(area) : Math.Pow(1 + (area * _exponent), 1 / _exponent);
}
