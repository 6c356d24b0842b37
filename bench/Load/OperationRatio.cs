using System.Globalization;

namespace Strata.Bench.Load;

/// <summary>How many SETs and GETs a mixed load sends in turn: 1:10 is one SET, then ten GETs.</summary>
internal readonly record struct OperationRatio(int Sets, int Gets)
{
    /// <exception cref="BenchException">The text is not two whole numbers, or both are 0.</exception>
    public static OperationRatio Parse(string text)
    {
        var parts = text.Split(':');
        if (parts.Length == 2
            && int.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out var sets)
            && int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out var gets)
            && (long)sets + gets is > 0 and <= int.MaxValue)
        {
            return new OperationRatio(sets, gets);
        }

        throw new BenchException($"--ratio {text} is not SETS:GETS: give two whole numbers, such as 1:10.");
    }
}
