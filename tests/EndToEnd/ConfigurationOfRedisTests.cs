using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Strata's CONFIG beside that of redis-server 7.0.15, word by word.</summary>
public sealed class ConfigurationOfRedisTests
{
    /// <summary>Words of which Strata has another default.</summary>
    private static readonly string[] s_otherDefaults = ["disable-thp", "maxclients", "dir", "port", "bind"];

    /// <summary>Texts without effect, of which Redis looks at the letters.</summary>
    private static readonly string[] s_texts =
    [
        "proc-title-template", "cluster-announce-hostname", "locale-collate", "tls-protocols", "tls-ciphers",
    ];

    private readonly ServerProcess _redis = RedisProcess.Start();
    private readonly ServerProcess _strata = StrataProcess.Start();

    [OneTimeTearDown]
    public void StopServers()
    {
        _redis.Dispose();
        _strata.Dispose();
    }

    [Test]
    public void Every_word_of_redis_is_known_with_its_default_or_neutral_value()
    {
        using var redis = _redis.Connect();
        using var strata = _strata.Connect();
        var expected = All(redis);
        var all = All(strata, [.. expected.Keys]);
        foreach (var (name, value) in expected)
        {
            Assert.That(all, Does.ContainKey(name));
            if (!s_otherDefaults.Contains(name))
            {
                Assert.That(all[name], Is.EqualTo(value), name);
            }
        }

        string[] patterns = ["slave*", "*ziplist*", "lua-time-limit"];
        Assert.That(All(strata, patterns), Is.EquivalentTo(All(redis, patterns)));
    }

    [Test]
    public void What_each_prints_each_takes_or_says_that_it_never_changes()
    {
        using var redis = _redis.Connect();
        using var strata = _strata.Connect();
        var words = All(redis).Keys.Except(s_otherDefaults).ToArray();
        var all = All(strata, words);
        foreach (var name in words)
        {
            var taken = redis.Call("CONFIG", "SET", name, all[name]);
            Assert.That(strata.Call("CONFIG", "SET", name, all[name]), Is.EqualTo(taken), name);
        }
    }

    /// <summary>What Redis refuses Strata refuses in the same words; what Redis takes, and Strata has no use for, it
    /// says it does not support.</summary>
    [TestCase("")]
    [TestCase("nonsense")]
    [TestCase("-1")]
    [TestCase("99999999999999999999")]
    [TestCase("1 2 3")]
    public void A_wrong_value_gets_the_same_answer(string value)
    {
        // A value is less than 1 GB in Strata; Redis has the log level "nothing" since 7.2.
        string[] others = [.. s_otherDefaults, "proto-max-bulk-len", "loglevel"];
        using var redis = RedisProcess.Start();
        using var strata = StrataProcess.Start();
        using var toRedis = redis.Connect();
        using var toStrata = strata.Connect();
        foreach (var name in All(toRedis).Keys.Except(others))
        {
            var expected = toRedis.Call("CONFIG", "SET", name, value);
            var given = toStrata.Call("CONFIG", "SET", name, value);
            var refusal = $"ERR CONFIG SET failed (possibly related to argument '{name}') - ";
            if (expected.Text == "OK" || s_texts.Contains(name))
            {
                Assert.That(given.Text, Is.EqualTo(expected.Text).Or.StartsWith(refusal), name);
            }
            else
            {
                Assert.That(given, Is.EqualTo(expected), name);
            }

            if (name == "requirepass" && expected.Text == "OK")
            {
                _ = toRedis.Call("CONFIG", "SET", name, "");
                _ = toStrata.Call("CONFIG", "SET", name, "");
            }
        }
    }

    [Test]
    public void Redis_benchmark_has_nothing_to_warn_of()
    {
        var program = Path.Combine(Path.GetDirectoryName(RedisProcess.Program())!, "redis-benchmark");
        Assume.That(program, Does.Exist, "redis-tools is not installed");
        var port = _strata.Port.ToString(CultureInfo.InvariantCulture);
        using var benchmark = Process.Start(new ProcessStartInfo(program, ["-p", port, "-n", "10", "-t", "ping"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var errors = benchmark.StandardError.ReadToEndAsync();
        var output = benchmark.StandardOutput.ReadToEnd();
        benchmark.WaitForExit();
        Assert.That(output + errors.Result, Does.Not.Contain("WARNING").IgnoreCase);
        Assert.That(output, Does.Contain("host configuration \"save\": \n").And.Contain("\"appendonly\": no"));
    }

    [Test]
    public void The_directory_changes_for_those_who_may_change_it()
    {
        foreach (var kind in new[] { ServerKind.Redis, ServerKind.Strata })
        {
            using var server = ServerProcess.Start(kind, "--enable-protected-configs", "local");
            using var client = server.Connect();
            Assert.That(client.Call("CONFIG", "SET", "dir", "/proc").Text, Is.EqualTo("OK"));
            Assert.That(client.Call("CONFIG", "GET", "dir").Items[1].Text, Is.EqualTo("/proc"));
            Assert.That(
                client.Call("CONFIG", "SET", "timeout", "9", "dir", "/nowhere").Text,
                Does.EndWith("argument 'dir') - No such file or directory"));
            Assert.That(client.Call("CONFIG", "GET", "dir").Items[1].Text, Is.EqualTo("/proc"));
            Assert.That(client.Call("CONFIG", "GET", "timeout").Items[1].Text, Is.EqualTo("0"));
        }
    }

    private static Dictionary<string, string> All(RespConnection connection, params string[] patterns)
    {
        var reply = connection.Call(["CONFIG", "GET", .. patterns.Length == 0 ? ["*"] : patterns]);
        return reply.Items.Chunk(2).ToDictionary(pair => pair[0].Text, pair => pair[1].Text);
    }
}
