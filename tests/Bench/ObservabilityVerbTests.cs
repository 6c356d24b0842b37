using NUnit.Framework;
using Strata.Bench.Reports;
using Strata.Tests.Support;

namespace Strata.Tests.Bench;

public sealed class ObservabilityVerbTests
{
    private static string Server => $"'{StrataProcess.Program()}' --port {{port}} --metrics-port {{metrics}} "
        + "--workers {workers} --save ''";

    [Test]
    public void The_verb_measures_loads_and_scrapes()
    {
        BenchRun.RequireOnPath("taskset");
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "observability-test.json");
        var output = BenchRun.Succeed("observability", "--server", Server, "--loads", "get-p30", "scrape", "memory",
            "--pairs", "2", "--seconds", "0.3", "--scrapes", "20", "--keys", "2000", "--client-cpu", "0",
            "--json", json);
        var report = BenchReport.Load(json);
        File.Delete(json);
        Assert.Multiple(() =>
        {
            Assert.That(output, Does.Contain("watched to unwatched").And.Contain("×"));
            Assert.That(report.Value("get-p30", "unwatched", Metric.CpuPerOp), Is.InRange(0.05, 1000));
            Assert.That(report.Value("get-p30", "watched", Metric.WatchedTimes), Is.Positive);
            Assert.That(report.Value("scrape", "watched", Metric.ScrapeCpuMs), Is.Positive);
            Assert.That(report.Value("scrape", "unwatched", Metric.LongestWaitMs), Is.Positive);
            Assert.That(report.Value("scrape", "watched", Metric.LatePercent), Is.InRange(0, 100));
            Assert.That(report.Value("memory, 4 workers", "watched", Metric.ObservationMb), Is.InRange(1, 4));
            Assert.That(report.Settings["command"], Is.EqualTo(Server));
        });
    }

    /// <summary>Who asks the wrong port is told so, and measures nothing.</summary>
    [Test]
    public void A_server_without_metrics_is_told()
    {
        BenchRun.RequireOnPath("taskset");
        var server = Server.Replace("--metrics-port {metrics}", "--logfile {metrics}.log", StringComparison.Ordinal);
        var (exitCode, _, error) = BenchRun.Run("observability", "--loads", "scrape", "--scrapes", "1", "--keys", "100",
            "--client-cpu", "0", "--server", server);
        Assert.That(exitCode, Is.EqualTo(1));
        Assert.That(error, Does.Contain("Cannot reach metrics-port"));
    }

    [TestCase("--loads=nothing", "--loads nothing does not exist")]
    [TestCase("--pairs=0", "must be above 0")]
    [TestCase("--server=/bin/false", "needs {metrics}")]
    public void Wrong_flags_are_named(string flag, string message)
    {
        var isOfServer = flag.StartsWith("--server", StringComparison.Ordinal);
        string[] server = isOfServer ? [] : ["--server=/bin/false {metrics}"];
        var (exitCode, _, error) = BenchRun.Run(["observability", .. server, flag]);
        Assert.That(exitCode, Is.EqualTo(1));
        Assert.That(error, Does.Contain(message));
    }
}
