using System.Xml.Linq;
using Strata.Bench.Reports;

namespace Strata.Bench.Charts;

/// <summary>
/// Draws one kind of figure as horizontal bars, grouped by load, one colour for each server, each bar with its value
/// and how it stands to the baseline.
/// </summary>
internal static class BarChart
{
    private const int LabelWidth = 150;
    private const int BarsWidth = 390;
    private const int BarHeight = 18;
    private const int BarStep = 22;
    private const int GroupGap = 14;
    private const int HeaderHeight = 76;
    private const int FooterHeight = 16;

    /// <summary>The chart as an SVG document.</summary>
    public static string Draw(BenchReport report, Metric metric)
    {
        var servers = report.Of(metric).Select(m => m.Server).Distinct().ToList();
        var scale = BarsWidth / Math.Max(report.Of(metric).Max(m => m.Value), double.Epsilon);
        var shapes = new List<XElement>();
        var y = HeaderHeight;
        foreach (var load in report.Loads(metric))
        {
            var bars = report.Of(metric).Where(m => m.Load == load).ToList();
            shapes.Add(Svg.Text(LabelWidth - 10, y + (bars.Count * BarStep / 2) + 3, load, "label", "end"));
            foreach (var bar in bars)
            {
                var colour = Svg.Colour(servers, bar.Server);
                shapes.AddRange(Bar(y, bar, metric, bar.Value * scale, colour, report.Compared(bar, metric)));
                y += BarStep;
            }

            y += GroupGap;
        }

        return Svg.Document(metric.Title, report, servers, y + FooterHeight, shapes);
    }

    private static IEnumerable<XElement> Bar(
        int y, Measurement bar, Metric metric, double width, string colour, string compared)
    {
        var value = metric.Write(bar.Value);
        yield return Svg.Bar(LabelWidth, y, width, BarHeight, colour, $"{bar.Server}, {bar.Load}: {value}");
        var label = Svg.Text(LabelWidth + width + 6, y + 13, value, "value", "start");
        if (compared.Length > 0)
        {
            label.Add(Svg.Span(compared, "ratio"));
        }

        yield return label;
    }
}
