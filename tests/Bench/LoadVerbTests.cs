using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using NUnit.Framework;
using Strata.Bench.Load;
using Strata.Bench.Servers;

namespace Strata.Tests.Bench;

public sealed class LoadVerbTests
{
    private ServerProcess _redis = null!;

    [OneTimeSetUp]
    public void StartRedis() => _redis = BenchRun.StartRedis();

    [OneTimeTearDown]
    public void StopRedis() => _redis?.Dispose();

    [SetUp]
    public void Empty()
    {
        using var control = RespClient.Connect("127.0.0.1", _redis.Port, password: null);
        control.Call("FLUSHALL");
    }

    [Test]
    public void Load_only_sets_every_key_once_to_the_size_asked_for()
    {
        var result = Load("--runtime", "0", "--keys", "1003", "--value-size", "77", "--threads", "2",
            "--pipeline", "10");
        using var control = RespClient.Connect("127.0.0.1", _redis.Port, password: null);
        Assert.Multiple(() =>
        {
            Assert.That(result.GetProperty("operations").GetInt64(), Is.EqualTo(1003));
            Assert.That(control.Call("DBSIZE")[0], Is.EqualTo("1003"));
            Assert.That(control.Call("STRLEN", "key:000000000")[0], Is.EqualTo("77"));
            Assert.That(control.Call("EXISTS", "key:000001002")[0], Is.EqualTo("1"));
        });
    }

    [TestCase("get")]
    [TestCase("set")]
    [TestCase("incr")]
    [TestCase("mget")]
    [TestCase("del")]
    [TestCase("mix")]
    public void Every_operation_runs_without_errors(string operation)
    {
        Load("--runtime", "0", "--keys", "100");
        var result = Load("--op", operation, "--runtime", "0.2", "--keys", "100", "--pipeline", "3",
            "--distribution", "zipf", "--threads", "2", "--connections", "2");
        var seen = result.GetProperty("hits").GetInt64() + result.GetProperty("misses").GetInt64();
        Assert.Multiple(() =>
        {
            Assert.That(result.GetProperty("operations").GetInt64(), Is.Positive);
            Assert.That(result.GetProperty("errors").EnumerateObject(), Is.Empty);
            Assert.That(result.GetProperty("p50Ms").GetDouble(), Is.Positive);
            Assert.That(seen > 0, Is.EqualTo(operation is "get" or "mget" or "mix"));
        });
    }

    [Test]
    public void Gets_of_missing_keys_count_as_misses()
    {
        Load("--runtime", "0", "--keys", "500");
        var result = Load("--op", "get", "--runtime", "0.2", "--keys", "1000");
        var hits = result.GetProperty("hits").GetDouble();
        var misses = result.GetProperty("misses").GetDouble();
        Assert.That(hits / (hits + misses), Is.EqualTo(0.5).Within(0.1));
    }

    [Test]
    public void A_mix_keeps_its_ratio()
    {
        var result = Load("--op", "mix", "--ratio", "1:3", "--runtime", "0.2", "--connections", "1");
        var gets = result.GetProperty("hits").GetDouble() + result.GetProperty("misses").GetDouble();
        var expected = 0.75 * result.GetProperty("operations").GetDouble();
        Assert.That(gets, Is.EqualTo(expected).Within(4), "the last round may not be whole");
    }

    [Test]
    public void Values_larger_than_any_buffer_pass_both_ways()
    {
        Load("--runtime", "0", "--keys", "10", "--value-size", "3000000", "--pipeline", "5");
        var result = Load("--op", "mget", "--keys-per-mget", "5", "--keys", "10", "--runtime", "0.2", "--pipeline", "4",
            "--connections", "2");
        Assert.That(result.GetProperty("hits").GetInt64(),
            Is.Positive.And.EqualTo(5 * result.GetProperty("operations").GetInt64()));
    }

    [Test]
    public void Errors_are_counted_by_their_text_and_fail_a_run_of_nothing_else()
    {
        using (var control = RespClient.Connect("127.0.0.1", _redis.Port, password: null))
        {
            control.Call("RPUSH", "ctr:000000000", "x");
        }

        var (exitCode, output, _) = BenchRun.Run("resp", "--port", PortOf(_redis), "--op", "incr", "--keys", "1",
            "--runtime", "0.1", "--json");
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(output, Does.Contain("WRONGTYPE Operation against a key holding the wrong kind of value"));
        });
    }

    [Test]
    public void The_table_names_throughput_and_percentiles()
    {
        var output = BenchRun.Succeed("resp", "--port", PortOf(_redis), "--runtime", "0.1");
        Assert.That(output, Does.Contain("throughput").And.Contain("latency p99.9").And.Contain("hits, misses"));
    }

    [Test]
    public void A_password_is_asked_for_refused_and_taken()
    {
        using var locked = BenchRun.StartRedis();
        using (var control = RespClient.Connect("127.0.0.1", locked.Port, password: null))
        {
            control.Call("CONFIG", "SET", "requirepass", "secret");
        }

        string[] run = ["resp", "--port", PortOf(locked), "--runtime", "0.1"];
        Assert.Multiple(() =>
        {
            Assert.That(BenchRun.Run(run).Error, Does.Contain("wants a password: give it with --password"));
            Assert.That(BenchRun.Run([.. run, "--password", "wrong"]).Error, Does.Contain("WRONGPASS"));
            Assert.That(BenchRun.Run([.. run, "--password", "secret"]).ExitCode, Is.Zero);
        });
    }

    [Test]
    public void A_user_of_the_list_is_taken()
    {
        using var locked = BenchRun.StartRedis();
        using (var control = RespClient.Connect("127.0.0.1", locked.Port, password: null))
        {
            control.Call("ACL", "SETUSER", "loader", "on", ">word", "~*", "+get", "+set");
            control.Call("CONFIG", "SET", "requirepass", "secret");
        }

        string[] run = ["resp", "--port", PortOf(locked), "--runtime", "0.1", "--user", "loader"];
        Assert.Multiple(() =>
        {
            Assert.That(BenchRun.Run([.. run, "--password", "secret"]).Error, Does.Contain("WRONGPASS"));
            Assert.That(BenchRun.Run([.. run, "--password", "word"]).ExitCode, Is.Zero);
        });
    }

    [Test]
    public void A_server_that_is_not_there_is_named()
    {
        using var reserved = ReservedPort.Take();
        var port = reserved.Number.ToString(CultureInfo.InvariantCulture);
        var (exitCode, _, error) = BenchRun.Run("resp", "--port", port);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain($"Cannot reach the server at 127.0.0.1:{port}: Connection refused"));
        });
    }

    [Test]
    public void A_lost_connection_ends_the_run()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var server = Task.Run(() =>
        {
            using var socket = listener.AcceptSocket();
            var buffer = new byte[1024];
            socket.Receive(buffer);
            socket.Send("+PONG\r\n"u8);
            socket.Receive(buffer);
        });
        var port = ((IPEndPoint)listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        var (exitCode, _, error) = BenchRun.Run("resp", "--port", port, "--connections", "1", "--runtime", "5");
        server.Wait();
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain("Lost a connection to the server during the load"));
        });
    }

    [TestCase("--ratio", "1", "--ratio 1 is not SETS:GETS")]
    [TestCase("--keys", "0", "--keys 0 is out of range")]
    [TestCase("--zipf-theta", "-1", "--zipf-theta -1 is out of range")]
    public void Wrong_flags_are_named_with_their_range(string flag, string value, string message)
    {
        var (exitCode, _, error) = BenchRun.Run("resp", "--port", PortOf(_redis), $"{flag}={value}");
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain(message));
        });
    }

    [Test]
    public void Commands_are_sent_in_turn_over_every_connection()
    {
        var result = Load("--command", "HSET h f{key} {data:5};HGET h f{key};HGET h none", "--keys", "1", "--runtime",
            "0.2", "--connections", "3", "--pipeline", "6");
        var operations = result.GetProperty("operations").GetInt64();
        Assert.Multiple(() =>
        {
            Assert.That(operations, Is.Positive);
            Assert.That(result.GetProperty("operation").GetString(), Is.EqualTo("command"));
            Assert.That(result.GetProperty("hits").GetInt64(), Is.EqualTo(operations / 3));
            Assert.That(result.GetProperty("misses").GetInt64(), Is.EqualTo(operations / 3));
            Assert.That(result.GetProperty("integerSum").GetInt64(), Is.EqualTo(1));
        });
    }

    // Random numbers never run out, unlike keys.
    [TestCase("RPUSH list {data:5}")]
    [TestCase("RPUSH list {random:5}")]
    [TestCase("RPUSH list {key}")]
    public void A_load_without_a_runtime_sends_as_many_commands_as_there_are_keys(string command)
    {
        var result = Load(
            "--command", command, "--keys", "1001", "--runtime", "0", "--threads", "2", "--pipeline", "7");
        using var control = RespClient.Connect("127.0.0.1", _redis.Port, password: null);
        Assert.Multiple(() =>
        {
            Assert.That(result.GetProperty("operations").GetInt64(), Is.EqualTo(1001));
            Assert.That(control.Call("LLEN", "list")[0], Is.EqualTo("1001"));
        });
    }

    [Test]
    public void Subscribers_get_what_is_published()
    {
        var result = Load("--command", "PUBLISH news {data:50}", "--keys", "2000", "--runtime", "0",
            "--subscribers", "20");
        Assert.That(result.GetProperty("integerSum").GetInt64(), Is.EqualTo(20 * 2000));
    }

    [Test]
    public void A_subscriber_that_is_cut_off_ends_the_run()
    {
        var (exitCode, _, error) = BenchRun.Run("resp", "--port", PortOf(_redis), "--runtime", "0.2", "--subscribers",
            "2", "--command", "CLIENT KILL TYPE pubsub");
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain("Lost the connection of a subscriber: the server closed it"));
        });
    }

    [Test]
    public void A_wrong_placeholder_is_named()
    {
        var (exitCode, _, error) = BenchRun.Run("resp", "--port", PortOf(_redis), "--command", "GET {what}");
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain("--command has {what}"));
        });
    }

    [Test]
    public void Unknown_flags_are_bad_usage() =>
        Assert.That(BenchRun.Run("resp", "--bogus").ExitCode, Is.EqualTo(2));

    private JsonElement Load(params string[] flags)
    {
        var output = BenchRun.Succeed(["resp", "--port", PortOf(_redis), "--json", .. flags]);
        using var document = JsonDocument.Parse(output);
        return document.RootElement.Clone();
    }

    private static string PortOf(ServerProcess server) => server.Port.ToString(CultureInfo.InvariantCulture);
}
