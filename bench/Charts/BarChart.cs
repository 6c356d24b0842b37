using System.Globalization;
using System.Xml.Linq;
using Strata.Bench.Reports;

namespace Strata.Bench.Charts;

/// <summary>
/// Draws one kind of figure as horizontal bars, grouped by load, one colour for each server, each bar with its value
/// and how it stands to the baseline. The chart brings its own light ground, so that it reads the same on a dark page,
/// and uses the reader's fonts.
/// </summary>
internal static class BarChart
{
    private const int Width = 760;
    private const int LabelWidth = 150;
    private const int BarsWidth = 390;
    private const int BarHeight = 18;
    private const int BarStep = 22;
    private const int GroupGap = 14;
    private const int HeaderHeight = 76;
    private const int FooterHeight = 16;

    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";
    // Distinguishable also with colour-blind eyes: P. Tol, "Colour Schemes", 2021, bright.
    private static readonly string[] s_colours = ["#4477AA", "#BBBBBB", "#CCBB44", "#EE6677", "#228833", "#AA3377"];

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
            shapes.Add(Text(LabelWidth - 10, y + (bars.Count * BarStep / 2) + 3, load, "label", "end"));
            foreach (var bar in bars)
            {
                shapes.AddRange(Bar(y, bar, metric, bar.Value * scale, Colour(servers, bar.Server),
                    report.Compared(bar, metric)));
                y += BarStep;
            }

            y += GroupGap;
        }

        var height = y + FooterHeight;
        var root = new XElement(s_svg + "svg",
            new XAttribute("viewBox", Invariant($"0 0 {Width} {height}")),
            new XAttribute("width", Width), new XAttribute("height", height), new XAttribute("role", "img"),
            new XElement(s_svg + "title", metric.Title),
            Style(),
            Rectangle(0.5, 0.5, Width - 1, height - 1, "ground"),
            Text(20, 28, metric.Title, "title", "start"),
            Text(20, 46, Subtitle(report), "small", "start"),
            Legend(servers),
            shapes);
        return new XDocument(root).ToString();
    }

    private static IEnumerable<XElement> Bar(
        int y, Measurement bar, Metric metric, double width, string colour, string compared)
    {
        var rectangle = Rectangle(LabelWidth, y, Math.Max(1, width), BarHeight, "bar");
        rectangle.Add(new XAttribute("fill", colour));
        rectangle.Add(new XElement(s_svg + "title", $"{bar.Server}, {bar.Load}: {metric.Write(bar.Value)}"));
        yield return rectangle;
        var label = Text(LabelWidth + width + 6, y + 13, metric.Write(bar.Value), "value", "start");
        if (compared.Length > 0)
        {
            label.Add(new XElement(
                s_svg + "tspan", new XAttribute("class", "ratio"), new XAttribute("dx", 6), compared));
        }

        yield return label;
    }

    private static IEnumerable<XElement> Legend(List<string> servers)
    {
        var x = 20.0;
        foreach (var server in servers)
        {
            var box = Rectangle(x, 56, 11, 11, "bar");
            box.Add(new XAttribute("fill", Colour(servers, server)));
            yield return box;
            yield return Text(x + 16, 66, server, "small", "start");
            // There is no measuring of text here: 7 is a wide guess at a letter's width at this size.
            x += 36 + (7 * server.Length);
        }
    }

    private static XElement Style() => new(s_svg + "style", """
        text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #24292f; }
        .ground { fill: #ffffff; stroke: #d0d7de; }
        .title { font-size: 16px; font-weight: 600; }
        .label, .value { font-size: 12px; }
        .small { font-size: 11px; fill: #57606a; }
        .ratio { font-weight: 600; }
        """);

    private static XElement Rectangle(double x, double y, double width, double height, string style) =>
        new(s_svg + "rect", new XAttribute("class", style),
            new XAttribute("x", Number(x)), new XAttribute("y", Number(y)),
            new XAttribute("width", Number(width)), new XAttribute("height", Number(height)), new XAttribute("rx", 2));

    private static XElement Text(double x, double y, string text, string style, string anchor) =>
        new(s_svg + "text", new XAttribute("class", style), new XAttribute("text-anchor", anchor),
            new XAttribute("x", Number(x)), new XAttribute("y", Number(y)), text);

    private static string Subtitle(BenchReport report) =>
        Invariant($"{report.Machine.Processor}, {report.Machine.Cores} cores, {report.At:yyyy-MM-dd}");

    private static string Colour(List<string> servers, string server) =>
        s_colours[servers.IndexOf(server) % s_colours.Length];

    private static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
