using NUnit.Framework;
using Strata.Bench.Reports;
using Strata.Tests.Support;

namespace Strata.Tests.Bench;

public sealed class CoresVerbTests
{
    private static string Server => $"'{StrataProcess.Program()}' --port {{port}} --workers {{workers}} --save ''";

    [Test]
    public void The_verb_counts_for_as_many_workers_as_it_is_told()
    {
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "cores-test.json");
        var output = BenchRun.Succeed("cores", "--server", Server, "--workers", "1", "3", "--loads", "get-one",
            "set-uniform", "--seconds", "0.3", "--keys", "2000", "--json", json);
        var report = BenchReport.Load(json);
        File.Delete(json);
        Assert.Multiple(() =>
        {
            Assert.That(output, Does.Contain("3 workers to 1 worker"));
            foreach (var load in new[] { "get-one", "set-uniform" })
            {
                Assert.That(report.Value(load, "1 worker", Metric.LeasesTaken), Is.Zero);
                Assert.That(report.Value(load, "3 workers", Metric.LeasesTaken), Is.InRange(0, 1000));
                Assert.That(report.Value(load, "3 workers", Metric.WorkerTurns), Is.Positive);
                Assert.That(report.Value(load, "3 workers", Metric.InboxItems), Is.Positive);
                Assert.That(report.Value(load, "3 workers", Metric.CpuPerOp), Is.InRange(0.05, 1000));
            }
        });
    }

    [TestCase("--loads=nothing", "--loads nothing does not exist")]
    [TestCase("--workers=0", "must be above 0")]
    [TestCase("--server=/bin/false", "needs {workers}")]
    public void Wrong_flags_are_named(string flag, string message)
    {
        var isOfServer = flag.StartsWith("--server", StringComparison.Ordinal);
        string[] server = isOfServer ? [] : ["--server=/bin/false {workers}"];
        var (exitCode, _, error) = BenchRun.Run(["cores", .. server, flag]);
        Assert.That(exitCode, Is.EqualTo(1));
        Assert.That(error, Does.Contain(message));
    }
}
