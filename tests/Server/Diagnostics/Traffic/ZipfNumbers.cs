namespace Strata.Tests.Server.Diagnostics.Traffic;

/// <summary>Numbers from zero on, of which the first comes most often: the n-th as often as n to the power of -skew
/// says.</summary>
internal sealed class ZipfNumbers
{
    private readonly double[] _cumulative;

    public ZipfNumbers(int count, double skew)
    {
        _cumulative = new double[count];
        var sum = 0.0;
        for (var i = 0; i < count; i++)
        {
            _cumulative[i] = sum += Math.Pow(i + 1, -skew);
        }
    }

    public int Next(Random random)
    {
        var at = Array.BinarySearch(_cumulative, random.NextDouble() * _cumulative[^1]);
        return at < 0 ? ~at : at;
    }

    /// <summary>The part of all that a number has.</summary>
    public double PartOf(int number)
        => (_cumulative[number] - (number == 0 ? 0 : _cumulative[number - 1])) / _cumulative[^1];
}
