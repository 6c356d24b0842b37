using System.Xml.Linq;
using Strata.Bench.Reports;

namespace Strata.Bench.Charts;

/// <summary>
/// Draws what every operation and every kind of data costs a server, as a quotient to what it costs the baseline: one
/// bar for each load and server, below a heading for each kind of cost. A line marks 1: bars that end before it cost
/// less than the baseline.
/// </summary>
internal static class RatioChart
{
    private const int LabelWidth = 190;
    private const int BarsWidth = 330;
    private const int BarHeight = 14;
    private const int BarStep = 18;
    private const int GroupGap = 4;
    private const int HeadingHeight = 30;
    private const int HeaderHeight = 76;
    private const int FooterHeight = 16;

    /// <summary>The chart as an SVG document; null when the report has nothing to compare.</summary>
    public static string? Draw(BenchReport report)
    {
        var quotients = Quotients(report).ToList();
        if (quotients.Count == 0)
        {
            return null;
        }

        var servers = quotients.Select(q => q.Figure.Server).Distinct().ToList();
        var scale = BarsWidth / Math.Max(1, quotients.Max(q => q.Value));
        var shapes = new List<XElement>();
        var y = HeaderHeight;
        foreach (var cost in quotients.GroupBy(q => q.Metric))
        {
            shapes.Add(Svg.Text(20, y + 18, cost.Key.Title, "heading", "start"));
            y += HeadingHeight;
            var top = y;
            foreach (var load in cost.GroupBy(q => q.Figure.Load))
            {
                shapes.Add(Svg.Text(
                    LabelWidth - 10, y + (load.Count() * BarStep / 2) + 2, load.Key, "label", "end"));
                foreach (var quotient in load)
                {
                    shapes.AddRange(Bar(y, quotient, scale, Svg.Colour(servers, quotient.Figure.Server)));
                    y += BarStep;
                }

                y += GroupGap;
            }

            shapes.Add(Svg.VerticalLine(LabelWidth + scale, top - GroupGap, y, "one"));
        }

        return Svg.Document($"Cost, with {report.Baselines[0]} as 1 (less is better)", report, servers,
            y + FooterHeight, shapes);
    }

    private static IEnumerable<Quotient> Quotients(BenchReport report) =>
        from metric in Metric.Costs
        from figure in report.Of(metric)
        where !report.Baselines.Contains(figure.Server)
        let baseline = report.Baseline(figure.Load, metric)
        where baseline > 0
        select new Quotient(metric, figure, baseline.Value);

    private static IEnumerable<XElement> Bar(int y, Quotient quotient, double scale, string colour)
    {
        var (metric, figure, baseline) = quotient;
        var written = $"{metric.Write(figure.Value)} to {metric.Write(baseline)}";
        var width = quotient.Value * scale;
        yield return Svg.Bar(LabelWidth, y, width, BarHeight, colour, $"{figure.Server}, {figure.Load}: {written}");
        // Behind the line at 1, too, so that it does not run through the text.
        var label = Svg.Text(LabelWidth + Math.Max(width, scale) + 6, y + 11, "", "value", "start");
        label.Add(Svg.Span(metric.Compare(figure.Value, baseline), "ratio"), Svg.Span(written, "small"));
        yield return label;
    }

    private readonly record struct Quotient(Metric Metric, Measurement Figure, double Baseline)
    {
        public double Value => Figure.Value / Baseline;
    }
}
