using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>MIGRATE from each server to each other.</summary>
[TestFixture(ServerKind.Strata, ServerKind.Redis)]
[TestFixture(ServerKind.Redis, ServerKind.Strata)]
[TestFixture(ServerKind.Strata, ServerKind.Strata)]
[TestFixture(ServerKind.Redis, ServerKind.Redis)]
public sealed class MigrateTests(ServerKind from, ServerKind to)
{
    private ServerProcess _source = null!;
    private ServerProcess _target = null!;
    private RespConnection _here = null!;
    private RespConnection _there = null!;

    [OneTimeSetUp]
    public void Start()
    {
        _source = ServerProcess.Start(from, "--enable-debug-command", "local", "--requirepass", "here");
        _target = ServerProcess.Start(to, "--enable-debug-command", "local", "--requirepass", "secret");
        _here = _source.Connect();
        _there = _target.Connect();
        _ = _here.Call("AUTH", "here");
        _ = _there.Call("AUTH", "secret");
    }

    [OneTimeTearDown]
    public void Stop()
    {
        _here?.Dispose();
        _there?.Dispose();
        _source?.Dispose();
        _target?.Dispose();
    }

    [SetUp]
    public void Clear()
    {
        foreach (var connection in new[] { _here, _there })
        {
            _ = connection.Call("FLUSHALL");
            _ = connection.Call("SELECT", "0");
        }
    }

    [Test]
    public void A_key_moves_with_its_time_to_another_database()
    {
        _ = _here.Call("SET", "k", "value", "PX", "1000000");
        Assert.That(Move("k", "3"), Is.EqualTo("OK"));
        Assert.That(_here.Call("EXISTS", "k").Integer, Is.Zero);
        _ = _there.Call("SELECT", "3");
        Assert.That(_there.Call("GET", "k").Text, Is.EqualTo("value"));
        Assert.That(_there.Call("PTTL", "k").Integer, Is.InRange(1, 1_000_000));
        Assert.That(Move("k", "3"), Is.EqualTo("NOKEY"));
    }

    [Test]
    public void Values_of_every_type_arrive_as_they_were()
    {
        _ = _here.Call("SELECT", "2");
        var keys = Fill();
        var digests = Digests(_here, keys);
        Assert.That(Move("", "0", ["COPY", "KEYS", "none", .. keys]), Is.EqualTo("OK"));
        Assert.That(Digests(_there, keys), Is.EqualTo(digests));
        Assert.That(Digests(_here, keys), Is.EqualTo(digests), "they were copied");
        Assert.That(Move("", "0", ["REPLACE", "KEYS", .. keys]), Is.EqualTo("OK"));
        Assert.That(Digests(_there, keys), Is.EqualTo(digests));
        Assert.That(_here.Call(["EXISTS", .. keys]).Integer, Is.Zero, "they were moved");
    }

    [Test]
    public void A_large_value_moves()
    {
        var value = new string('v', 20_000_000);
        _ = _here.Call("SET", "large", value);
        Assert.That(Move("large", "0"), Is.EqualTo("OK"));
        Assert.That(_there.Call("GET", "large").Text, Is.EqualTo(value));
    }

    [Test]
    public void A_key_that_is_there_stays_here()
    {
        _ = _here.Call("MSET", "k", "here", "other", "x");
        _ = _there.Call("SET", "k", "there");
        const string Busy = "ERR Target instance replied with error: BUSYKEY Target key name already exists.";
        Assert.That(Move("", "0", ["KEYS", "k", "other"]), Is.EqualTo(Busy));
        Assert.That(_here.Call("GET", "k").Text, Is.EqualTo("here"));
        Assert.That(_there.Call("GET", "k").Text, Is.EqualTo("there"));
        Assert.That(_here.Call("EXISTS", "other").Integer, Is.Zero);
        Assert.That(_there.Call("GET", "other").Text, Is.EqualTo("x"));
    }

    [Test]
    public void What_is_wrong_is_told()
    {
        _ = _here.Call("SET", "k", "v");
        var port = Port(_target);
        Assert.That(
            _here.Call("MIGRATE", "127.0.0.1", port, "k", "0", "1000", "AUTH", "wrong").Text,
            Does.StartWith("ERR Target instance replied with error: WRONGPASS"));
        _ = _there.Call("DEL", "k"); // Redis uses a connection again, and goes on after the error.
        Assert.That(
            _here.Call("MIGRATE", "127.0.0.1", port, "k", "0", "1000", "AUTH2", "default", "secret").Text,
            Is.EqualTo("OK"));
        _ = _here.Call("SET", "k", "v");
        _ = _there.Call("DEL", "k");
        Assert.That(
            Move("k", "99"), Is.EqualTo("ERR Target instance replied with error: ERR DB index is out of range"));
        Assert.That(_here.Call("MIGRATE", "127.0.0.1", port, "k", "0", "x").Text,
            Is.EqualTo("ERR value is not an integer or out of range"));
        Assert.That(
            _here.Call("MIGRATE", "127.0.0.1", port, "k", "0", "1", "NOW").Text, Is.EqualTo("ERR syntax error"));
        Assert.That(
            _here.Call("MIGRATE", "127.0.0.1", port, "k", "0", "1", "KEYS", "a").Text,
            Is.EqualTo("ERR When using MIGRATE KEYS option, the key argument must be set to the empty string"));
        Assert.That(
            _here.Call("MIGRATE", "127.0.0.1", "1", "k", "0", "1000").Text,
            Does.StartWith("IOERR error or timeout"));
        Assert.That(_here.Call("EXISTS", "k").Integer, Is.EqualTo(1));
    }

    [Test]
    public void A_server_that_does_not_answer_is_given_up()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var port = ((IPEndPoint)silent.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        _ = _here.Call("SET", "k", "v");
        Assert.That(
            _here.Call("MIGRATE", "127.0.0.1", port, "k", "0", "100").Text,
            Is.EqualTo("IOERR error or timeout reading to target instance"));
        Assert.That(_here.Call("GET", "k").Text, Is.EqualTo("v"));
    }

    [Test]
    public void A_server_that_is_the_same_one_keeps_its_key()
    {
        _ = _here.Call("SET", "k", "v");
        var reply = _here.Call(
            "MIGRATE", "127.0.0.1", Port(_source), "k", "0", "300", "REPLACE", "AUTH", "here");
        Assert.That(reply.IsError);
        Assert.That(_here.Call("GET", "k").Text, Is.EqualTo("v"));
        if (from == ServerKind.Strata) // Redis waits for itself.
        {
            Assert.That(
                _here.Call("MIGRATE", "127.0.0.1", Port(_source), "k", "1", "3000", "AUTH", "here").Text,
                Is.EqualTo("OK"));
            Assert.That(_here.Call("EXISTS", "k").Integer, Is.Zero);
        }
    }

    /// <summary>Each increment is in one of the two places at the end, however often the key has moved meanwhile.
    /// </summary>
    [Test]
    public void Nothing_is_lost_of_a_key_that_changes_meanwhile()
    {
        const int Increments = 3000;
        using var writer = _source.Connect();
        _ = writer.Call("AUTH", "here");
        var sum = 0L;
        var writing = Task.Run(() =>
        {
            for (var i = 0; i < Increments; i++)
            {
                Assert.That(writer.Call("INCR", "counter").IsError, Is.False);
            }
        });
        while (!writing.IsCompleted)
        {
            // Where it changes too fast it is here, and what is there is an older copy.
            var hasMoved = Move("counter", "0") == "OK";
            var there = Take(_there);
            sum += hasMoved ? there : 0;
        }

        writing.GetAwaiter().GetResult();
        Assert.That(sum + Take(_here), Is.EqualTo(Increments));
    }

    private static long Take(RespConnection connection)
        => connection.Call("GETDEL", "counter") is { IsNull: false } value
            ? long.Parse(value.Text, CultureInfo.InvariantCulture)
            : 0;

    private string[] Fill()
    {
        var numbers = Enumerable.Range(0, 3000).Select(i => $"element {i}").ToArray();
        _ = _here.Call("SET", "string", "\0\r\n\xff");
        _ = _here.Call("SET", "number", "12345");
        _ = _here.Call(["RPUSH", "list", .. numbers]);
        _ = _here.Call(["SADD", "set", .. numbers]);
        _ = _here.Call("SADD", "integers", "1", "2", "3");
        _ = _here.Call(["HSET", "hash", .. numbers]);
        _ = _here.Call(["ZADD", "zset", .. numbers.SelectMany((name, i) => new[] { $"{i}.5", name })]);
        foreach (var i in Enumerable.Range(0, 200))
        {
            _ = _here.Call("SET", $"many:{i}", $"{i}");
        }

        return
        [
            "string", "number", "list", "set", "integers", "hash", "zset",
            .. Enumerable.Range(0, 200).Select(i => $"many:{i}"),
        ];
    }

    private static string[] Digests(RespConnection connection, string[] keys)
        => [.. connection.Call(["DEBUG", "DIGEST-VALUE", .. keys]).Items.Select(item => item.Text)];

    private string Move(string key, string database, params string[] options)
        => _here.Call(
            ["MIGRATE", "127.0.0.1", Port(_target), key, database, "5000", "AUTH", "secret", .. options]).Text;

    private static string Port(ServerProcess server) => server.Port.ToString(CultureInfo.InvariantCulture);
}
