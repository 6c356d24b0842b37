using System.Globalization;
using Spectre.Console;
using static System.FormattableString;

namespace Strata.Bench.Top;

/// <summary>How figures are written. What cannot be known (no traffic, no measurement) is a dash.</summary>
internal static class TopText
{
    private const string Dash = "-";
    private const string Bars = "▁▂▃▄▅▆▇█";
    private const char Full = '█';

    /// <summary>An upper bound of a latency.</summary>
    public static string Bound(double micros) => double.IsFinite(micros) ? "≤ " + Micros(micros) : Dash;

    /// <summary>Microseconds.</summary>
    public static string Micros(double micros) => Scaled(micros, 1000, ["µs", "ms", "s"]);

    /// <summary>A number of things.</summary>
    public static string Count(double value) => Scaled(value, 1000, ["", "k", "M", "G"]);

    /// <summary>Bytes.</summary>
    public static string Bytes(double value) => Scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);

    /// <summary>A part of a hundred.</summary>
    public static string Percent(double value) => double.IsFinite(value) ? Invariant($"{value:F1} %") : Dash;

    /// <summary>How long something has been.</summary>
    public static string Duration(double seconds)
        => double.IsFinite(seconds) ? TimeSpan.FromSeconds(Math.Floor(seconds)).ToString("c") : Dash;

    /// <summary>A text of a client's as markup that shows it: without what would steer the terminal, and no longer than
    /// so many letters.</summary>
    public static string Foreign(string text, int most)
    {
        var shown = string.Concat(text.Take(most).Select(letter => char.IsControl(letter) ? '?' : letter));
        return Markup.Escape(text.Length > most ? shown[..^1] + "…" : shown);
    }

    /// <summary>A letter for each value, from nothing to the largest; the newest that have room.</summary>
    public static string Line(IReadOnlyCollection<double> values, int width)
    {
        var shown = values.Skip(values.Count - width).ToList();
        var most = shown.Where(double.IsFinite).DefaultIfEmpty(0).Max();
        return string.Concat(shown.Select(value =>
            double.IsFinite(value) && most > 0 ? Bars[(int)(Math.Max(0, value) / most * (Bars.Length - 1))] : ' '));
    }

    /// <summary>A bar for a part, 0 to 1.</summary>
    public static string Bar(double part, int width)
        => double.IsFinite(part) ? new string(Full, (int)Math.Round(Math.Clamp(part, 0, 1) * width)) : "";

    private static string Scaled(double value, int step, string[] units)
    {
        if (!double.IsFinite(value))
        {
            return Dash;
        }

        var unit = 0;
        while (value >= step && unit < units.Length - 1)
        {
            value /= step;
            unit++;
        }

        var digits = unit == 0 && value == Math.Floor(value) ? 0 : value < 10 ? 2 : value < 100 ? 1 : 0;
        var text = value.ToString("F" + digits, CultureInfo.InvariantCulture);
        return units[unit] is "" or "k" or "M" or "G" ? text + units[unit] : text + " " + units[unit];
    }
}
