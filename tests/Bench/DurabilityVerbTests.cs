using NUnit.Framework;
using Strata.Bench.Reports;
using Strata.Tests.Support;

namespace Strata.Tests.Bench;

public sealed class DurabilityVerbTests
{
    private const string Redis = "redis-server --port {port} --bind 127.0.0.1 --save \"\" --dir {dir} {flags}";

    [Test]
    [Category(TestCategories.Long)]
    public void The_verb_measures_journal_and_snapshots()
    {
        BenchRun.RequireOnPath("redis-server");
        BenchRun.RequireOnPath("taskset");
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "durability-test.json");
        var output = BenchRun.Succeed("durability", "--server", "one=0=" + Redis, "--server", "two=0=" + Redis,
            "--loads", "set-everysec", "mixed-always", "save-load", "bgsave", "--rounds", "1", "--seconds", "0.2",
            "--save-keys", "2000", "--snapshot-keys", "2000", "--snapshot-sets", "2000", "--snapshot-gets", "1000",
            "--server-cpus", "0", "--client-cpus", "0", "--json", json);
        var report = BenchReport.Load(json);
        File.Delete(json);
        Assert.Multiple(() =>
        {
            Assert.That(output, Does.Contain("one to two").And.Contain("×"));
            Assert.That(report.Value("set-everysec", "one", Metric.CpuPerOp), Is.InRange(0.05, 1000));
            Assert.That(report.Value("mixed-always", "one", Metric.SetsPerSecond), Is.Positive);
            Assert.That(report.Value("mixed-always", "two", Metric.GetsPerSecond), Is.Positive);
            Assert.That(report.Value("save-load", "one", Metric.SaveSeconds), Is.Positive);
            Assert.That(report.Value("save-load", "two", Metric.LoadSeconds), Is.Positive);
            Assert.That(report.Value("bgsave", "one", Metric.SnapshotSeconds), Is.Positive);
            Assert.That(report.Value("bgsave", "one", Metric.QuietP999Ms), Is.Positive);
            Assert.That(report.Value("bgsave", "two", Metric.SlowerTimes), Is.Positive);
            Assert.That(report.Settings.Keys, Does.Contain("flags of bgsave"));
        });
    }

    [Test]
    public void Requests_can_be_sent_at_a_rate()
    {
        using var redis = BenchRun.StartRedis();
        BenchRun.Succeed("resp", "--json", "--port", $"{redis.Port}", "--runtime", "0", "--keys", "1000");
        var text = BenchRun.Succeed("resp", "--json", "--port", $"{redis.Port}", "--keys", "1000", "--runtime", "0.5",
            "--rate", "400", "--connections", "3");
        var figures = Strata.Bench.Types.LoadFigures.Parse(text);
        Assert.That(figures.Operations, Is.InRange(1, 210), "no more than the rate, however long it takes");
        Assert.That(figures.Misses, Is.Zero);
    }

    [TestCase("--loads=nothing", "--loads nothing does not exist")]
    [TestCase("--rounds=0", "must be above 0")]
    [TestCase("--baseline=other", "--baseline other is none of the servers")]
    public void Wrong_flags_are_named(string flag, string message)
    {
        var (exitCode, _, error) = BenchRun.Run("durability", "--server", "a=0=/bin/false {flags}", flag);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain(message));
        });
    }

    [Test]
    public void A_command_without_a_place_for_flags_is_named()
    {
        var (_, _, error) = BenchRun.Run("durability", "--server", "a=0=/bin/false");
        Assert.That(error, Does.Contain("--server a: its command needs {flags}"));
    }
}
