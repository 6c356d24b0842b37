using System.Xml.Linq;
using NUnit.Framework;
using Strata.Bench.Charts;
using Strata.Bench.Reports;

namespace Strata.Tests.Bench;

public sealed class ChartTests
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    private static readonly string[] s_chartNames = ["versus-cpu-us-per-op.svg", "versus-hit-percent.svg"];

    private static readonly BenchReport s_report = new()
    {
        Benchmark = "versus",
        At = new DateTimeOffset(2025, 1, 2, 3, 4, 5, TimeSpan.Zero),
        Machine = new MachineInfo("A <fast> & small processor", 2, "Linux"),
        Settings = new Dictionary<string, string> { ["rounds"] = "3" },
        Baselines = ["redis"],
        Measurements =
        [
            Measurement.Of("get-p30", "strata", Metric.CpuPerOp, [1.2, 0.9, 1.0]),
            Measurement.Of("get-p30", "redis", Metric.CpuPerOp, [2.0]),
            Measurement.Of("set-p30", "strata", Metric.CpuPerOp, [1.0, 2.0]),
            Measurement.Of("zipf", "strata", Metric.HitPercent, [81]),
            Measurement.Of("zipf", "redis", Metric.HitPercent, [78.5]),
        ],
    };

    [Test]
    public void A_chart_is_well_formed_and_has_a_bar_for_every_figure()
    {
        var root = XDocument.Parse(BarChart.Draw(s_report, Metric.CpuPerOp)).Root!;
        var texts = root.Descendants(s_svg + "text").Select(text => text.Value).ToList();
        var bars = root.Descendants(s_svg + "rect").Where(r => r.Element(s_svg + "title") is not null).ToList();
        var widths = bars.ConvertAll(bar => (double)bar.Attribute("width")!);
        Assert.Multiple(() =>
        {
            Assert.That(root.Name, Is.EqualTo(s_svg + "svg"));
            Assert.That(bars, Has.Count.EqualTo(3));
            Assert.That(widths[0], Is.EqualTo(widths[1] / 2).Within(0.1));
            Assert.That(texts, Does.Contain("1.00 µs0.50×").And.Contain("2.00 µs").And.Contain("set-p30"));
            Assert.That(texts, Has.Some.StartWith("A <fast> & small processor, 2 cores"));
            // A load without the baseline gets no comparison.
            Assert.That(texts, Does.Contain("1.50 µs"));
        });
    }

    [Test]
    public void Hit_ratios_are_compared_in_points_with_the_best_baseline()
    {
        var report = s_report with
        {
            Baselines = ["redis", "other"],
            Measurements = [.. s_report.Measurements, Measurement.Of("zipf", "other", Metric.HitPercent, [79.25])],
        };
        Assert.That(BarChart.Draw(report, Metric.HitPercent), Does.Contain("+1.75 points"));
    }

    [Test]
    public void The_verb_writes_one_chart_for_every_kind_of_figure()
    {
        var folder = Directory.CreateTempSubdirectory("strata-chart-");
        var input = Path.Combine(folder.FullName, "report.json");
        s_report.Save(input);
        BenchRun.Succeed("chart", "--input", input, "--output", Path.Combine(folder.FullName, "charts"));
        var charts = Directory.GetFiles(Path.Combine(folder.FullName, "charts"));
        Assert.Multiple(() =>
        {
            Assert.That(charts.Select(Path.GetFileName).Order(), Is.EqualTo(s_chartNames));
            Assert.That(charts.Select(XDocument.Load), Has.All.Not.Null);
        });
        folder.Delete(recursive: true);
    }

    [Test]
    public void Costs_are_drawn_as_ratios_to_the_baseline()
    {
        var report = s_report with
        {
            Measurements =
            [
                .. s_report.Measurements,
                Measurement.Of("memory", "strata", Metric.BytesPerItem, [150]),
                Measurement.Of("memory", "redis", Metric.BytesPerItem, [100]),
            ],
        };
        var root = XDocument.Parse(RatioChart.Draw(report)!).Root!;
        var texts = root.Descendants(s_svg + "text").Select(text => text.Value).ToList();
        var bars = root.Descendants(s_svg + "rect").Where(r => r.Element(s_svg + "title") is not null).ToList();
        var widths = bars.ConvertAll(bar => (double)bar.Attribute("width")!);
        var left = (double)bars[0].Attribute("x")!;
        Assert.Multiple(() =>
        {
            // Not set-p30, which has no baseline, and not the hit ratio, which is no cost.
            Assert.That(bars.ConvertAll(bar => bar.Value), Is.EqualTo(
                new[] { "strata, get-p30: 1.00 µs to 2.00 µs", "strata, memory: 150 B to 100 B" }));
            Assert.That(widths[1], Is.EqualTo(3 * widths[0]).Within(0.2));
            Assert.That(root.Descendants(s_svg + "line").Select(line => (double)line.Attribute("x1")! - left),
                Has.All.EqualTo(2 * widths[0]).Within(0.2));
            Assert.That(texts, Does.Contain("0.50×1.00 µs to 2.00 µs").And.Contain(Metric.BytesPerItem.Title));
        });
    }

    [Test]
    public void The_verb_draws_ratios_when_asked_to()
    {
        var folder = Directory.CreateTempSubdirectory("strata-chart-");
        var input = Path.Combine(folder.FullName, "report.json");
        s_report.Save(input);
        BenchRun.Succeed("chart", "--input", input, "--output", folder.FullName, "--ratios");
        Assert.That(Directory.GetFiles(folder.FullName, "*.svg").Select(Path.GetFileName),
            Is.EqualTo(new[] { "versus-ratios.svg" }));
        (s_report with { Baselines = ["other"] }).Save(input);
        Assert.That(BenchRun.Run("chart", "--input", input, "--ratios").Error,
            Does.Contain("holds no costs of two servers to compare"));
        folder.Delete(recursive: true);
    }

    [TestCase("not json")]
    [TestCase("{}")]
    [TestCase("null")]
    public void A_file_that_is_no_report_is_named(string text)
    {
        var path = Path.GetTempFileName();
        File.WriteAllText(path, text);
        var (exitCode, _, error) = BenchRun.Run("chart", "--input", path);
        File.Delete(path);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain($"{path} holds no report"));
        });
    }

    [Test]
    public void A_file_that_is_missing_is_named() =>
        Assert.That(BenchRun.Run("chart", "--input", "/nowhere/report.json").Error,
            Does.Contain("Cannot read /nowhere/report.json"));
}
