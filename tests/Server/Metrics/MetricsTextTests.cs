using System.Buffers;
using System.Text;
using NUnit.Framework;
using Strata.Server.Metrics;

namespace Strata.Tests.Server.Metrics;

/// <summary>The text formats of Prometheus and of OpenMetrics.</summary>
[TestFixture]
internal sealed class MetricsTextTests
{
    [Test]
    public void A_counter_in_the_format_of_prometheus()
        => Assert.That(
            Write(Metric.Counter("calls", "Calls.", _ => 3), isOpenMetrics: false),
            Is.EqualTo("# HELP x_calls_total Calls.\n# TYPE x_calls_total counter\nx_calls_total 3\n"));

    [Test]
    public void A_counter_in_that_of_open_metrics()
        => Assert.That(
            Write(Metric.Counter("calls", "Calls.", _ => 3), isOpenMetrics: true),
            Is.EqualTo("# HELP x_calls Calls.\n# TYPE x_calls counter\nx_calls_total 3\n# EOF\n"));

    [TestCase(0.0, "0")]
    [TestCase(-1.0, "-1")]
    [TestCase(0.25, "0.25")]
    [TestCase(1e15, "1000000000000000")]
    [TestCase(1.5e300, "1.5E+300")]
    [TestCase(double.NaN, "NaN")]
    [TestCase(double.PositiveInfinity, "+Inf")]
    [TestCase(double.NegativeInfinity, "-Inf")]
    public void Numbers(double value, string text)
        => Assert.That(
            Write(Metric.Gauge("n", "N.", _ => value), isOpenMetrics: false), Does.EndWith($"\nx_n {text}\n"));

    [Test]
    public void Labels_of_any_text()
        => Assert.That(
            Write(
                Metric.Several("n", MetricKind.Gauge, "N.", (_, series) => series.Add(1, "a", "b\\\"\n", "c", "ü")),
                isOpenMetrics: false),
            Does.EndWith("\nx_n{a=\"b\\\\\\\"\\n\",c=\"ü\"} 1\n"));

    [Test]
    public void A_histogram()
        => Assert.That(
            Write(
                Metric.Several(
                    "s", MetricKind.Histogram, "S.",
                    (_, series) => series.AddHistogram([0.5, 1], [2, 3], 4, 7.25, "of", "a")),
                isOpenMetrics: false),
            Does.EndWith(
                " histogram\nx_s_bucket{of=\"a\",le=\"0.5\"} 2\nx_s_bucket{of=\"a\",le=\"1\"} 3\n"
                + "x_s_bucket{of=\"a\",le=\"+Inf\"} 4\nx_s_sum{of=\"a\"} 7.25\nx_s_count{of=\"a\"} 4\n"));

    private static string Write(Metric metric, bool isOpenMetrics)
    {
        var output = new ArrayBufferWriter<byte>();
        var text = new MetricsText(output, isOpenMetrics);
        text.Write(metric, "x_" + metric.Name, source: null!);
        text.End();
        return Encoding.UTF8.GetString(output.WrittenSpan);
    }
}
