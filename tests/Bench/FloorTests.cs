using System.Text;
using NUnit.Framework;
using Strata.Bench.Reports;
using Strata.Bench.Servers;
using Strata.Tests.Support;
using ServerProcess = Strata.Bench.Servers.ServerProcess;

namespace Strata.Tests.Bench;

/// <summary>The server that answers a constant (bench/floor), against which others are measured.</summary>
public sealed class FloorTests
{
    private string _program = null!;
    private ServerProcess _server = null!;
    private RespConnection _client = null!;

    [OneTimeSetUp]
    public void Build()
    {
        BenchRun.RequireOnPath("cmake");
        var (source, folder) = (RepositoryRoot.Combine("bench", "floor"), RepositoryRoot.Combine("out", "floor"));
        Run("-S", source, "-B", folder, "-DCMAKE_BUILD_TYPE=Release");
        Run("--build", folder);
        _program = Path.Combine(folder, "floor");
    }

    [SetUp]
    public void Start()
    {
        _server = ServerProcess.Start(
            new ServerSpec("floor", 0, $"'{_program}' --port {{port}} --bytes 5"), cpus: null);
        _client = RespConnection.Connect(_server.Port);
    }

    [TearDown]
    public void Stop()
    {
        _client?.Dispose();
        _server?.Dispose();
    }

    [Test]
    public void Answers_a_constant()
    {
        Assert.That(_client.Call("SET", "key", "value"), Is.EqualTo(RespValue.Simple("OK")));
        Assert.That(_client.Call("GET", "key").Text, Is.EqualTo("xxxxx"));
        Assert.That(_client.Call("MGET", "a", "b", "c").Items, Has.Count.EqualTo(3));
    }

    [Test]
    public void Each_command_of_a_pipeline_is_answered_wherever_it_is_divided()
    {
        var get = RespCommand.Of("GET", "key").Encode();
        byte[] all = [.. Enumerable.Repeat(get, 3).SelectMany(bytes => bytes)];
        for (var at = 1; at < all.Length; at++)
        {
            _client.SendRaw(all.AsSpan(0, at));
            Thread.Sleep(1);
            _client.SendRaw(all.AsSpan(at));
            for (var i = 0; i < 3; i++)
            {
                Assert.That(_client.ReadReply().Text, Is.EqualTo("xxxxx"));
            }
        }
    }

    [Test]
    public void A_client_that_reads_late_gets_all_replies()
    {
        const int Commands = 400_000;
        var all = new StringBuilder();
        for (var i = 0; i < Commands; i++)
        {
            all.Append("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n");
        }

        var sending = Task.Run(() => _client.SendRaw(all.ToString()));
        for (var i = 0; i < Commands; i++)
        {
            Assert.That(_client.ReadReply().Text, Is.EqualTo("xxxxx"));
        }

        sending.Wait();
    }

    [Test]
    public void It_takes_part_in_the_loads_of_one_worker()
    {
        BenchRun.RequireOnPath("redis-server");
        BenchRun.RequireOnPath("redis-benchmark");
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "floor-test.json");
        _ = BenchRun.Succeed(
            "versus", "--floor", $"'{_program}' --port {{port}} --bytes {{bytes}}", "--server",
            "redis=0=" + BenchRun.RedisCommand, "--loads", "get-p30", "get-p30-2workers", "memory", "--rounds", "1",
            "--seconds", "1", "--keys", "500", "--items", "1000", "--server-cpus", "0", "--client-cpus", "0", "--json",
            json);
        var report = BenchReport.Load(json);
        File.Delete(json);
        Assert.That(report.Value("get-p30", "floor", Metric.CpuPerOp), Is.InRange(0.02, 100));
        Assert.That(report.Value("get-p30-2workers", "floor", Metric.CpuPerOp), Is.Null);
        Assert.That(report.Value("memory", "floor", Metric.BytesPerItem), Is.Null);
        Assert.That(report.Value("memory", "redis", Metric.BytesPerItem), Is.Positive);
    }

    private static void Run(params string[] arguments)
    {
        var (exitCode, output) = ProgramRun.Run("cmake", arguments);
        Assert.That(exitCode, Is.Zero, output);
    }
}
