using System.Globalization;
using System.Xml.Linq;
using Strata.Bench.Reports;

namespace Strata.Bench.Charts;

/// <summary>What the charts are drawn with. A chart brings its own light ground, so that it reads the same on a dark
/// page, and uses the reader's fonts.</summary>
internal static class Svg
{
    public const int Width = 760;

    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";
    // Distinguishable also with colour-blind eyes: P. Tol, "Colour Schemes", 2021, bright.
    private static readonly string[] s_colours = ["#4477AA", "#BBBBBB", "#CCBB44", "#EE6677", "#228833", "#AA3377"];

    /// <summary>A chart as a document: its heads and the legend of servers, which take 76 pixels, and its shapes.
    /// </summary>
    public static string Document(
        string title, BenchReport report, IReadOnlyList<string> servers, int height, IEnumerable<XElement> shapes)
    {
        var root = new XElement(s_svg + "svg",
            new XAttribute("viewBox", Invariant($"0 0 {Width} {height}")),
            new XAttribute("width", Width), new XAttribute("height", height), new XAttribute("role", "img"),
            new XElement(s_svg + "title", title),
            Style(),
            Rectangle(0.5, 0.5, Width - 1, height - 1, "ground"),
            Text(20, 28, title, "title", "start"),
            Text(20, 46, Subtitle(report), "small", "start"),
            Legend(servers),
            shapes);
        return new XDocument(root).ToString();
    }

    /// <summary>A bar that tells more when it is pointed at.</summary>
    public static XElement Bar(double x, double y, double width, double height, string colour, string? tooltip = null)
    {
        var bar = Rectangle(x, y, Math.Max(1, width), height, "bar");
        bar.Add(new XAttribute("fill", colour));
        if (tooltip is not null)
        {
            bar.Add(new XElement(s_svg + "title", tooltip));
        }

        return bar;
    }

    public static XElement Text(double x, double y, string text, string style, string anchor) =>
        new(s_svg + "text", new XAttribute("class", style), new XAttribute("text-anchor", anchor),
            new XAttribute("x", Number(x)), new XAttribute("y", Number(y)), text);

    /// <summary>A part of a text in a style of its own.</summary>
    public static XElement Span(string text, string style) =>
        new(s_svg + "tspan", new XAttribute("class", style), new XAttribute("dx", 6), text);

    public static XElement VerticalLine(double x, double y1, double y2, string style) =>
        new(s_svg + "line", new XAttribute("class", style),
            new XAttribute("x1", Number(x)), new XAttribute("x2", Number(x)),
            new XAttribute("y1", Number(y1)), new XAttribute("y2", Number(y2)));

    public static string Colour(IReadOnlyList<string> servers, string server) =>
        s_colours[servers.Index().First(s => s.Item == server).Index % s_colours.Length];

    private static XElement Rectangle(double x, double y, double width, double height, string style) =>
        new(s_svg + "rect", new XAttribute("class", style),
            new XAttribute("x", Number(x)), new XAttribute("y", Number(y)),
            new XAttribute("width", Number(width)), new XAttribute("height", Number(height)), new XAttribute("rx", 2));

    private static IEnumerable<XElement> Legend(IReadOnlyList<string> servers)
    {
        var x = 20.0;
        foreach (var server in servers)
        {
            yield return Bar(x, 56, 11, 11, Colour(servers, server));
            yield return Text(x + 16, 66, server, "small", "start");
            // There is no measuring of text here: 7 is a wide guess at a letter's width at this size.
            x += 36 + (7 * server.Length);
        }
    }

    private static XElement Style() => new(s_svg + "style", """
        text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #24292f; }
        .ground { fill: #ffffff; stroke: #d0d7de; }
        .title { font-size: 16px; font-weight: 600; }
        .heading { font-size: 13px; font-weight: 600; }
        .label, .value { font-size: 12px; }
        .small { font-size: 11px; fill: #57606a; }
        .ratio { font-weight: 600; }
        .one { stroke: #57606a; stroke-dasharray: 3 3; }
        """);

    private static string Subtitle(BenchReport report) =>
        Invariant($"{report.Machine.Processor}, {report.Machine.Cores} cores, {report.At:yyyy-MM-dd}");

    private static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
