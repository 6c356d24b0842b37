using NUnit.Framework;
using Strata.Bench;
using Strata.Bench.Load;
using Strata.Bench.Reports;
using Strata.Bench.Types;
using Strata.Tests.Support;

namespace Strata.Tests.Bench;

public sealed class TypesVerbTests
{
    private static readonly LoadFigures s_figures = new(
        Operations: 700, OperationsPerSecond: 1, Seconds: 1, P50Ms: 1, P99Ms: 1, Hits: 200, Misses: 0, IntegerSum: 300,
        Errors: new Dictionary<string, long>());

    private static readonly TypeLoad s_load = new("a-load", "PING")
    {
        RequestsPerOperation = 7,
        ValuesPerOperation = 2,
        SumPerOperation = 3,
    };

    private static readonly IReadOnlyList<TypeLoad> s_loads = TypeLoad.All(items: 10_000, requests: 10_000);

    private static IEnumerable<string> LoadNames => s_loads.Select(load => load.Name);

    [Test]
    [Category(TestCategories.Long)]
    public void The_verb_measures_loads_and_memory()
    {
        BenchRun.RequireOnPath("redis-server");
        BenchRun.RequireOnPath("taskset");
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "types-test.json");
        var chart = Path.ChangeExtension(json, ".svg");
        var output = BenchRun.Succeed("types", "--server", "one=0=" + BenchRun.RedisCommand,
            "--server", "two=0=" + BenchRun.RedisCommand, "--loads", "lpop", "publish-100", "memory-list",
            "--rounds", "1", "--seconds", "0.2", "--requests", "50000", "--items", "10000", "--server-cpus", "0",
            "--client-cpus", "0", "--json", json, "--chart", chart);
        var report = BenchReport.Load(json);
        var drawn = File.ReadAllText(chart);
        File.Delete(json);
        File.Delete(chart);
        Assert.Multiple(() =>
        {
            Assert.That(output, Does.Contain("one to two").And.Contain("×"));
            Assert.That(drawn, Does.Contain("one, lpop: ").And.Contain("one, memory-list: "));
            Assert.That(report.Value("lpop", "one", Metric.CpuPerOp), Is.InRange(0.05, 100));
            Assert.That(report.Value("publish-100", "two", Metric.OpsPerSecond), Is.Positive);
            Assert.That(report.Value("memory-list", "one", Metric.DataUsedMb), Is.InRange(0.5, 5));
            Assert.That(report.Value("memory-list", "one", Metric.DataRssMb), Is.InRange(0.1, 50));
            Assert.That(report.Settings.Keys, Does.Contain("load lpop").And.Contain("load memory-list"));
        });
    }

    [Test]
    [Category(TestCategories.Long)]
    public void The_verb_compares_two_workers_with_one()
    {
        BenchRun.RequireOnPath("redis-server");
        BenchRun.RequireOnPath("taskset");
        var output = BenchRun.Succeed("types", "--server", "one=0=" + BenchRun.RedisCommand + " --io-threads {workers}",
            "--server", "two=0=" + BenchRun.RedisCommand, "--loads", "script-limiter", "script-limiter-2workers",
            "--rounds", "1", "--seconds", "0.2", "--server-cpus", "0", "--two-worker-cpus", "0", "--client-cpus", "0");
        Assert.That(output, Does.Contain("two workers against one").And.Match("script-limiter-2workers.*one .*×"));
    }

    [TestCaseSource(nameof(LoadNames))]
    public void Every_load_gets_the_replies_it_is_for(string name)
    {
        const double Seconds = 0.1;
        var load = s_loads.Single(load => load.Name == name);
        using var redis = BenchRun.StartRedis();
        if (load.Fill is not null)
        {
            Assert.That(Run(LoadFlags.Fill(load.Fill)).Errors, Is.Empty);
        }

        Assert.That(Run(LoadFlags.WarmUp(load, Seconds)).Errors, Is.Empty);
        Run(LoadFlags.Measurement(load, Seconds)).Check(load, "redis");

        LoadFigures Run(string[] flags) =>
            LoadFigures.Parse(BenchRun.Succeed(["resp", "--json", "--port", $"{redis.Port}", .. flags]));
    }

    [Test]
    public void Data_whose_memory_is_measured_is_all_there()
    {
        using var redis = BenchRun.StartRedis();
        using var control = RespClient.Connect("127.0.0.1", redis.Port, password: null);
        foreach (var load in MemoryLoad.All(items: 1_000))
        {
            BenchRun.Succeed(["resp", "--json", "--port", $"{redis.Port}", .. LoadFlags.Fill(load.Fill)]);
            Assert.That(control.Call(load.Count.Split(' ')), Is.EqualTo(new[] { $"{load.Expected}" }), load.Name);
            control.Call("FLUSHALL");
        }
    }

    [TestCase("--loads=nothing", "--loads nothing does not exist")]
    [TestCase("--rounds=0", "must be above 0")]
    [TestCase("--requests=9999", "--requests must be 10000 or more")]
    [TestCase("--chart=x.svg", "--chart compares servers: name two or more")]
    [TestCase("--baseline=other", "--baseline other is none of the servers")]
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
    public void Replies_that_are_right_pass() => s_figures.Check(s_load, "redis");

    [Test]
    public void Replies_that_are_not_what_the_load_is_for_fail_it()
    {
        Assert.Multiple(() =>
        {
            Fails(s_figures with { Errors = new Dictionary<string, long> { ["ERR no"] = 1 } }, "answered: ERR no");
            Fails(s_figures with { Operations = 0 }, "answered nothing to a-load");
            Fails(s_figures with { Operations = 701 }, "answered parts of a-load");
            Fails(s_figures with { Misses = 1 }, "did not find what a-load asked for, 1 times");
            Fails(s_figures with { Hits = 199 }, "answered 199 values to 100 operations");
            Fails(s_figures with { IntegerSum = 299 }, "with numbers of 299 in all");
        });

        static void Fails(LoadFigures figures, string message) => Assert.That(
            Assert.Throws<BenchException>(() => figures.Check(s_load, "redis"))!.Message, Does.Contain(message));
    }
}
