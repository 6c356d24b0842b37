using System.Globalization;

namespace Strata.Server.Options.Syntax;

/// <summary>A list of percentiles from 0 to 100; a single empty word means none.</summary>
public sealed class PercentilesSyntax : IValueSyntax
{
    /// <inheritdoc/>
    public bool TakesSeveralWords => true;

    /// <inheritdoc/>
    public string Form => "percentiles 0..100";

    /// <inheritdoc/>
    public bool TryRead(IReadOnlyList<string> words, string current, out string text, out string error)
    {
        text = "";
        error = "";
        var given = words is [""] ? [] : words;
        var percentiles = new List<string>(given.Count);
        foreach (var word in given)
        {
            if (!double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out var percentile)
                || double.IsNaN(percentile))
            {
                error = "Invalid latency-tracking-info-percentiles parameters";
                return false;
            }

            if (percentile is < 0 or > 100)
            {
                error = "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]";
                return false;
            }

            percentiles.Add(percentile.ToString("0.######", CultureInfo.InvariantCulture));
        }

        text = string.Join(' ', percentiles);
        return true;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Write(string text) => [text.Length == 0 ? "\"\"" : text];

    /// <summary>The percentiles that a held text lists.</summary>
    internal static IReadOnlyList<double> ToPercentiles(string text) =>
    [
        .. text.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(word => double.Parse(word, CultureInfo.InvariantCulture)),
    ];
}
