using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Bench;

/// <summary>strata-bench top.</summary>
internal sealed class TopVerbTests
{
    [Test]
    public void It_shows_a_server_once()
    {
        using var server = StrataProcess.Start("--slowlog-log-slower-than", "0", "--maxmemory", "64mb");
        using var client = server.Connect();
        for (var i = 0; i < 1003; i++)
        {
            _ = client.Call("SET", $"key:{i}", "value");
        }

        using var traffic = new CancellationTokenSource();
        var reader = Task.Run(() =>
        {
            while (!traffic.IsCancellationRequested)
            {
                _ = client.Call("GET", "key:1");
            }
        });
        var output = Once(server.Port, "--interval", "0.5");
        traffic.Cancel();
        reader.Wait();
        Assert.Multiple(() =>
        {
            Assert.That(output, Does.Contain("Strata ").And.Contain($"127.0.0.1:{server.Port}"));
            Assert.That(output, Does.Match(@"operations/s\s+[1-9]"));
            Assert.That(output, Does.Match(@"latency p50, p99, p99.9\s+≤ \d"));
            Assert.That(output, Does.Match(@"hit ratio\s+100.0 %"));
            Assert.That(output, Does.Match(@"keys\s+1,003"));
            Assert.That(output, Does.Match(@"used\s+\S+ [KM]iB\s+\S+ % of 64.0 MiB"));
            Assert.That(output, Does.Match(@"\bget\s+[1-9]"));
            Assert.That(output, Does.Contain("slow command").And.Contain("GET"));
            Assert.That(output, Does.Match(@"key:\s+0\s+1\.00k"), "memory by prefix");
            Assert.That(output, Does.Match(@"127\.0\.0\.1 · default\s+\d"), "clients");
            Assert.That(output, Does.Match(@"\n\s*15 .*\d B|\n\s*15 .*[KM]iB"), "shards");
        });
    }

    /// <summary>Keys are texts of anybody's: they neither steer the terminal nor are markup.</summary>
    [Test]
    public void Only_what_is_chosen_is_shown_and_hostile_keys_are_texts()
    {
        using var server = StrataProcess.Start();
        using var client = server.Connect();
        _ = client.Call("SET", "\u001b[2J[red]x:1", new string('v', 5000));
        var output = Once(server.Port, "--interval", "0.1", "--panels", "bigkeys,prefixes");
        Assert.That(output, Does.Contain("?[2J[red]x:1").And.Not.Contain("\u001b"));
        Assert.That(output, Does.Match("(?s)Large keys.*Memory by prefix").And.Not.Contain("operations/s"));
    }

    /// <summary>What is read most is found within seconds.</summary>
    [Test]
    public void It_shows_hot_keys_and_the_miss_ratio_curve()
    {
        using var server = StrataProcess.Start();
        using var client = server.Connect();
        _ = client.Call("SET", "hot", "v");
        for (var i = 0; i < 20_000; i++)
        {
            _ = client.Call("GET", i % 2 == 0 ? "hot" : $"cold:{i}");
        }

        string[] flags = ["--interval", "0.1", "--panels", "hotkeys,curve", "--hotkeys-by", "bytes"];
        Assert.That(Once(server.Port, flags), Does.Match(@"Hot keys by bytes").And.Match(@"hot\s+0\s+[1-9]"));
        Patience.Await(() => Once(server.Port, flags).Contains("× 10", StringComparison.Ordinal));
    }

    /// <summary>What another server does not have is left out.</summary>
    [Test]
    public void It_shows_redis_too()
    {
        using var redis = BenchRun.StartRedis();
        var output = Once(redis.Port, "--interval", "0.1");
        Assert.That(output, Does.Contain("operations/s").And.Contain("hit ratio").And.Not.Contain("NaN"));
        Assert.That(output, Does.Match(
            @"does not tell: hotkeys, prefixes, bigkeys,\s+clients,\s+curve,\s+shards\."));
    }

    /// <summary>A user who may do nothing but INFO sees what INFO tells, and what is left out.</summary>
    [Test]
    public void What_is_refused_is_said()
    {
        using var server = StrataProcess.Start();
        using var client = server.Connect();
        Assert.That(
            client.Call("ACL", "SETUSER", "default", "-@all", "+info", "+ping").Text, Is.EqualTo("OK"));
        var output = Once(server.Port, "--interval", "0.1");
        Assert.That(output, Does.Contain("operations/s").And.Contain("refused SLOWLOG"));
        Assert.That(output, Does.Match(@"STRATA HOTKEYS is not shown: .*NOPERM"));
    }

    [Test]
    public void An_interval_out_of_range_is_told()
        => Assert.That(BenchRun.Run("top", "--interval", "0").Error, Does.Contain("give 0.1 to 3600"));

    private static string Once(int port, params string[] flags) => BenchRun.Succeed(
        ["top", "--once", "--port", port.ToString(CultureInfo.InvariantCulture), .. flags]);
}
