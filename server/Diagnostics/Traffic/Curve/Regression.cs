namespace Strata.Server.Diagnostics.Traffic.Curve;

/// <summary>
/// Corrects an estimate from a sample by what is known of all: of two other figures both the estimates are known and
/// the truth, and by as much as the first goes with them from part to part of the sample their errors are taken off it
/// (the regression estimator of survey sampling; Cochran, "Sampling Techniques", 1977).
/// </summary>
internal struct Regression
{
    // Where the two figures tell the same, one of them is enough.
    private const double LeastIndependent = 1e-6;

    // Of a normal distribution so many standard deviations hold 19 of 20.
    private const double Deviations = 2;

    // Figures that are fitted, with the mean.
    private const int Fitted = 3;

    /// <summary>Products of the figures of all parts: of the first known one, of both, of the second.</summary>
    public double FirstFirst;

    /// <inheritdoc cref="FirstFirst"/>
    public double FirstSecond;

    /// <inheritdoc cref="FirstFirst"/>
    public double SecondSecond;

    /// <summary>Products with the one that is corrected, and its square.</summary>
    public double FirstValue;

    /// <inheritdoc cref="FirstValue"/>
    public double SecondValue;

    /// <inheritdoc cref="FirstValue"/>
    public double ValueValue;

    /// <summary>Adds a part of the sample.</summary>
    /// <param name="first">The first figure that is known of all.</param>
    /// <param name="second">The second.</param>
    /// <param name="value">The one that is corrected.</param>
    public void Add(double first, double second, double value)
    {
        FirstFirst += first * first;
        FirstSecond += first * second;
        SecondSecond += second * second;
        FirstValue += first * value;
        SecondValue += second * value;
        ValueValue += value * value;
    }

    /// <summary>The corrected value, and how far chance may have it off.</summary>
    /// <param name="value">The value of the sample.</param>
    /// <param name="firstOff">By how much the sample has too little of the first figure.</param>
    /// <param name="secondOff">And of the second; not a number where that is not known.</param>
    /// <param name="parts">How many were added.</param>
    public readonly (double Value, double Error) Correct(double value, double firstOff, double secondOff, int parts)
    {
        var determinant = (FirstFirst * SecondSecond) - (FirstSecond * FirstSecond);
        var (first, second) = (0.0, 0.0);
        if (!double.IsNaN(secondOff) && determinant > LeastIndependent * FirstFirst * SecondSecond)
        {
            first = ((FirstValue * SecondSecond) - (SecondValue * FirstSecond)) / determinant;
            second = ((SecondValue * FirstFirst) - (FirstValue * FirstSecond)) / determinant;
        }
        else if (FirstFirst > 0)
        {
            first = FirstValue / FirstFirst;
        }

        var residual = Math.Max(0, ValueValue - (first * FirstValue) - (second * SecondValue));
        var corrected = value + (first * firstOff) + (second == 0 ? 0 : second * secondOff);
        return (corrected, Deviations * Math.Sqrt(residual * parts / Math.Max(1, parts - Fitted)));
    }
}
