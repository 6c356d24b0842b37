using NUnit.Framework;
using Strata.Bench.Reports;

namespace Strata.Tests.Bench;

public sealed class TypesVerbTests
{
    [Test]
    public void The_verb_measures_loads_and_memory()
    {
        BenchRun.RequireOnPath("redis-server");
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "types-test.json");
        var output = BenchRun.Succeed("types", "--server", "one=0=" + BenchRun.RedisCommand,
            "--server", "two=0=" + BenchRun.RedisCommand, "--loads", "hset", "zrange", "multi-5", "publish-100",
            "memory-list", "--rounds", "1", "--seconds", "0.3", "--scale", "0.02", "--server-cpus", "0",
            "--client-cpus", "0", "--json", json);
        var report = BenchReport.Load(json);
        File.Delete(json);
        Assert.Multiple(() =>
        {
            Assert.That(output, Does.Contain("to two").And.Contain("×"));
            Assert.That(report.Value("hset", "one", Metric.CpuPerOp), Is.InRange(0.05, 100));
            Assert.That(report.Value("zrange", "two", Metric.OpsPerSecond), Is.Positive);
            Assert.That(report.Value("multi-5", "one", Metric.CpuPerOp), Is.Positive);
            Assert.That(report.Value("publish-100", "one", Metric.CpuPerOp), Is.Positive);
            Assert.That(report.Value("memory-list", "one", Metric.DataMb), Is.Positive);
        });
    }

    [TestCase("--loads=nothing", "--loads nothing does not exist")]
    [TestCase("--rounds=0", "must be above 0")]
    public void Wrong_flags_are_named(string flag, string message)
    {
        var (exitCode, _, error) = BenchRun.Run("types", "--server", "a=0=/bin/false", flag);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain(message));
        });
    }

    [Test]
    public void A_wrong_placeholder_is_named()
    {
        using var redis = BenchRun.StartRedis();
        var (exitCode, _, error) = BenchRun.Run("resp", "--port", $"{redis.Port}", "--command", "GET {what}");
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain("--command has {what}"));
        });
    }
}
