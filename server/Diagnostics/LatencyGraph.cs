using System.Globalization;
using System.Text;

namespace Strata.Server.Diagnostics;

/// <summary>Draws a series of the latency monitor with characters: a column a sample, under each how long ago it was.
/// </summary>
internal static class LatencyGraph
{
    private const int MaxColumns = 80;
    private const int Rows = 4;
    private const string Levels = " ▁▂▃▄▅▆▇█";

    public static string Draw(LatencySeries series, long nowSeconds)
    {
        var samples = series.Samples.Skip(Math.Max(0, series.Samples.Count - MaxColumns)).ToList();
        var high = samples.Max(sample => sample.Milliseconds);
        var low = samples.Min(sample => sample.Milliseconds);
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture,
            $"{series.Event} - high {high} ms, low {low} ms (all time high {series.LongestMs} ms)\n");
        text.Append('-', MaxColumns).Append('\n');
        var steps = Levels.Length - 1;
        for (var row = Rows - 1; row >= 0; row--)
        {
            foreach (var sample in samples)
            {
                // The lowest sample fills one step of the lowest row, the highest fills all rows.
                var filled = 1 + (high == low ? 0 : (sample.Milliseconds - low) * ((Rows * steps) - 1) / (high - low));
                text.Append(Levels[(int)Math.Clamp(filled - (row * steps), 0, steps)]);
            }

            text.Append('\n');
        }

        AppendAges(text, samples, nowSeconds);
        return text.ToString();
    }

    /// <summary>Writes the ages downwards, one column each.</summary>
    private static void AppendAges(StringBuilder text, List<LatencySample> samples, long nowSeconds)
    {
        var ages = samples.ConvertAll(sample => Age(nowSeconds - sample.UnixSeconds));
        for (var line = 0; line < ages.Max(age => age.Length); line++)
        {
            foreach (var age in ages)
            {
                text.Append(line < age.Length ? age[line] : ' ');
            }

            text.Append('\n');
        }
    }

    private static string Age(long seconds) => seconds switch
    {
        < 60 => string.Create(CultureInfo.InvariantCulture, $"{seconds}s"),
        < 3600 => string.Create(CultureInfo.InvariantCulture, $"{seconds / 60}m"),
        < 24 * 3600 => string.Create(CultureInfo.InvariantCulture, $"{seconds / 3600}h"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{seconds / (24 * 3600)}d"),
    };
}
