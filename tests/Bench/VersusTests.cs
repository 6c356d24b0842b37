using System.Globalization;
using NUnit.Framework;
using Strata.Bench.Reports;
using Strata.Bench.Servers;
using Strata.Bench.Versus;
using Strata.Bench;

namespace Strata.Tests.Bench;

public sealed class VersusTests
{
    private const string MemtierJson = """
        {"configuration": {}, "ALL STATS": {
          "Runtime": {"Total duration": 2, "Time unit": "MILLISECONDS"},
          "Sets": {"Count": 43165}, "Gets": {"Count": 431620},
          "Totals": {"Count": 474785, "Ops/sec": 237347.76, "Connection Errors": 0,
            "Percentile Latencies": {"p50.00": 0.087, "p99.00": 0.167, "p99.90": 0.327}}}}
        """;

    private const string RedisBenchmarkCsv = """
        "test","rps","avg_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"
        "GET","525394.06","0.858","0.887","1.239","1.463","2.815"
        """;

    [Test]
    [Category(Support.TestCategories.Long)]
    public void The_verb_measures_every_kind_of_figure()
    {
        BenchRun.RequireOnPath("redis-server");
        BenchRun.RequireOnPath("redis-benchmark");
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "versus-test.json");
        var servers = Path.Combine(TestContext.CurrentContext.WorkDirectory, "versus-servers");
        File.WriteAllText(servers, $"# With threads\n\n  threads=0={BenchRun.RedisCommand} --io-threads {{workers}}\n");
        var output = BenchRun.Succeed("versus", "--server", "plain=0=" + BenchRun.RedisCommand,
            "--servers", servers, "--baseline", "plain",
            "--loads", "get-p30", "get-p30-2workers", "memory", "start", "--rounds", "1", "--seconds", "1",
            "--keys", "500", "--items", "20000", "--server-cpus", "0", "--two-worker-cpus", "0", "--client-cpus", "0",
            "--json", json);
        var report = BenchReport.Load(json);
        File.Delete(json);
        File.Delete(servers);
        Assert.Multiple(() =>
        {
            Assert.That(output, Does.Contain("two workers against one").And.Contain("×"));
            Assert.That(report.Value("get-p30", "plain", Metric.CpuPerOp), Is.InRange(0.05, 100));
            Assert.That(report.Value("get-p30-2workers", "threads", Metric.CpuPerOp), Is.Positive);
            Assert.That(report.Value("get-p30-2workers", "plain", Metric.CpuPerOp), Is.Null);
            Assert.That(report.Value("memory", "plain", Metric.BytesPerItem), Is.InRange(113, 1000));
            Assert.That(report.Value("start", "plain", Metric.FirstPongMs), Is.Positive);
            Assert.That(report.Value("start", "plain", Metric.IdleRssMb), Is.InRange(1, 100));
        });
    }

    [Test]
    public void Redis_benchmark_stands_in_for_memtier()
    {
        BenchRun.RequireOnPath("redis-benchmark");
        using var redis = BenchRun.StartRedis();
        var tool = new RedisBenchmarkTool(new VersusOptions { Keys = 100, ClientCpus = "0" });
        tool.Fill(VersusLoad.All[0], redis.Port);
        var sample = tool.Run(VersusLoad.All[0], redis.Port, seconds: 1);
        Assert.Multiple(() =>
        {
            Assert.That(sample.Operations, Is.Positive);
            Assert.That(sample.OpsPerSecond, Is.Positive);
            Assert.That(VersusLoad.All.Where(tool.Supports).Any(load => load.IsMixed), Is.False);
        });
    }

    [TestCase("--server=x", "--server x names no server")]
    [TestCase("--loads=nothing", "--loads nothing does not exist")]
    [TestCase("--baseline=other", "--baseline other is none of the servers")]
    [TestCase("--servers=/nowhere/servers", "--servers /nowhere/servers cannot be read")]
    [TestCase("--memtier=/nowhere/memtier", "There is no program /nowhere/memtier")]
    public void Wrong_flags_are_named(string flag, string message)
    {
        BenchRun.RequireOnPath("redis-benchmark");
        var (exitCode, _, error) = BenchRun.Run("versus", "--server", "a=0=/bin/false", flag);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain(message));
        });
    }

    [Test]
    public void A_server_that_ends_at_once_is_quoted()
    {
        var spec = new ServerSpec("broken", 0, "sh -c 'echo the disk is on fire; exit 3'");
        var error = Assert.Throws<BenchException>(() => ServerProcess.Start(spec, cpus: null).Dispose());
        Assert.That(error!.Message, Is.EqualTo("broken ended with exit code 3 at its start: the disk is on fire"));
    }

    [Test]
    public void A_server_is_stopped_and_its_folder_removed()
    {
        BenchRun.RequireOnPath("redis-server");
        string folder;
        using var port = ReservedPort.Take();
        using (ServerProcess.Start(new ServerSpec("redis", port.Number, BenchRun.RedisCommand), cpus: null))
        {
            using var control = Strata.Bench.Load.RespClient.Connect("127.0.0.1", port.Number, password: null);
            folder = control.Call("CONFIG", "GET", "dir")[1];
            Assert.That(Directory.Exists(folder), Is.True);
        }

        Assert.Multiple(() =>
        {
            Assert.That(Directory.Exists(folder), Is.False);
            Assert.That(BenchRun.Run("resp", "--port", $"{port.Number}").Error, Does.Contain("Connection refused"));
        });
    }

    [Test]
    public void Cpu_time_and_memory_are_the_servers_own()
    {
        using var redis = BenchRun.StartRedis();
        var before = redis.CpuTime;
        BenchRun.Succeed("resp", "--port", $"{redis.Port}", "--runtime", "0", "--keys", "100000", "--pipeline", "50");
        Assert.Multiple(() =>
        {
            Assert.That((redis.CpuTime - before).TotalMilliseconds, Is.InRange(20, 20_000));
            Assert.That(redis.ResidentBytes, Is.InRange(25_000_000, 500_000_000));
        });
    }

    [Test]
    public void Memtiers_rate_is_its_count_over_the_seconds_asked_for() =>
        Assert.That(MemtierTool.Parse(MemtierJson, seconds: 2),
            Is.EqualTo(new LoadSample(474_785, 237_392.5, 0.087, 0.167)));

    [TestCase("{}")]
    [TestCase("no json")]
    public void Other_json_than_memtiers_is_refused(string json) =>
        Assert.Throws<BenchException>(() => MemtierTool.Parse(json, seconds: 1));

    [Test]
    public void Connections_that_memtier_lost_fail_the_run()
    {
        var json = MemtierJson.Replace("Errors\": 0", "Errors\": 3", StringComparison.Ordinal);
        var error = Assert.Throws<BenchException>(() => MemtierTool.Parse(json, seconds: 1));
        Assert.That(error!.Message, Does.Contain("lost 3 connections"));
    }

    [Test]
    public void Redis_benchmarks_table_is_read() =>
        Assert.That(RedisBenchmarkTool.Parse("WARNING: something\n" + RedisBenchmarkCsv, 300_000),
            Is.EqualTo(new LoadSample(300_000, 525_394.06, 0.887, 1.463)));

    [Test]
    public void A_run_of_redis_benchmark_within_a_millisecond_has_an_infinite_rate() =>
        Assert.That(
            RedisBenchmarkTool.Parse(RedisBenchmarkCsv.Replace("525394.06", "inf", StringComparison.Ordinal), 500),
            Is.EqualTo(new LoadSample(500, double.PositiveInfinity, 0.887, 1.463)));

    [Test]
    public void A_rate_that_redis_benchmark_cannot_tell_is_measured_with_more_requests()
    {
        var tool = new RedisBenchmarkTool(new VersusOptions(), arguments =>
        {
            var requests = int.Parse(arguments[Array.IndexOf(arguments, "-n") + 1], CultureInfo.InvariantCulture);
            return requests > 20_000
                ? RedisBenchmarkCsv
                : RedisBenchmarkCsv.Replace("525394.06", "inf", StringComparison.Ordinal);
        });
        Assert.That(
            tool.Run(VersusLoad.All[0], port: 1, seconds: 1),
            Is.EqualTo(new LoadSample(200_000, 525_394.06, 0.887, 1.463)));
    }

    [Test]
    public void Another_table_than_redis_benchmarks_is_refused() =>
        Assert.Throws<BenchException>(() => RedisBenchmarkTool.Parse("\"test\",\"rps\"\n\"GET\",\"1\"\n", 1));

    [Test]
    public void Every_two_worker_load_has_its_counterpart() =>
        Assert.That(VersusLoad.All.Where(load => load.Workers == 2),
            Has.All.Matches<VersusLoad>(load => load.Name == load.WithOneWorker!.Name + "-2workers"));
}
