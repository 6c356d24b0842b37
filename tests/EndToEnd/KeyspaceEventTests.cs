using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Keyspace events, compared with Redis's: the same commands on both servers, and after each the events that a
/// subscriber to everything got.</summary>
public sealed class KeyspaceEventTests
{
    private static readonly string[] s_strings =
    [
        "SET k v", "SET k v EX 100", "SET k v KEEPTTL", "SET k v NX", "SET k2 v NX PX 100000", "SET nk v XX",
        "SET k v GET", "SET k3 v GET", "SETNX k x", "SETNX k4 x", "SETEX k 100 v", "PSETEX k5 100000 v", "GETSET k w",
        "GETSET k6 w", "GETDEL k6", "GETDEL k6", "GETEX k", "GETEX k EX 100", "GETEX k PERSIST", "GETEX k PERSIST",
        "GETEX k PXAT 1", "GET none", "MGET none k2 none2", "APPEND ap a", "APPEND ap b", "SETRANGE sr 5 hello",
        "SETRANGE sr 0 ", "SETRANGE nosr 0 ", "INCR i", "INCRBY i 5", "DECR i", "DECRBY i 3", "INCRBYFLOAT f 1.5",
        "MSET a 1 b 2 a 3", "MSETNX a 1 zz 3", "MSETNX y1 1 y2 3", "STRLEN none", "GETRANGE none 0 1", "LCS none none2",
    ];

    private static readonly string[] s_bitmaps =
    [
        "SETBIT sb 7 1", "SETBIT sb 7 1", "SETBIT sb 3 0", "SETBIT sb 100 0", "BITFIELD bf SET u8 0 255",
        "BITFIELD bf SET u8 0 255", "BITFIELD bf GET u8 0", "BITFIELD bf OVERFLOW FAIL INCRBY u8 0 1",
        "BITFIELD bf INCRBY u8 0 1", "BITFIELD bf OVERFLOW FAIL INCRBY u8 100 256", "BITFIELD bf2 SET u8 0 0",
        "SET a x", "SET b y", "BITOP AND dst a b", "BITOP AND dst a b", "BITOP AND dst no1 no2",
        "BITOP AND dst no1 no2", "GETBIT none 1", "BITCOUNT none", "BITPOS none 1",
    ];

    private static readonly string[] s_generic =
    [
        "MSET a 1 b 2 k2 3 k3 4", "COPY a acopy", "COPY a acopy", "COPY a acopy REPLACE", "COPY none acopy",
        "COPY a a DB 3", "RENAME a a", "RENAME a a2", "RENAME a2 b", "RENAME none b", "RENAMENX b k2", "RENAMENX b b9",
        "RENAMENX b9 b9", "MOVE b9 1", "MOVE none 1", "EXPIRE k2 100", "EXPIRE k2 100 NX", "EXPIRE none 100",
        "EXPIRE k2 -1", "PEXPIRE k3 100000", "PERSIST k3", "PERSIST k3", "EXPIREAT k3 99999999999", "DEL k3 none k2",
        "MSET y1 1 y2 2", "UNLINK y1 y2", "EXISTS none", "TYPE none", "TTL none", "TOUCH none", "OBJECT ENCODING none",
        "SELECT 2", "SET k v", "SWAPDB 2 3", "SET k v", "SET past v PXAT 5\nGET past", "FLUSHDB", "SET q 1",
        "FLUSHALL", "SELECT 0",
    ];

    [Test]
    public void Events_are_those_of_Redis(
        [Values("KEA", "KEAnm", "K$", "Egm", "E$n", "Kxg", "A", "")] string classes, [Values(1, 2)] int workers)
    {
        using var redis = RedisProcess.Start();
        using var strata = StrataProcess.Start("--workers", $"{workers}");
        using var expected = new Watcher(redis, classes);
        using var actual = new Watcher(strata, classes);
        string[] commands = [.. s_strings, .. s_bitmaps, .. s_generic];
        foreach (var command in commands)
        {
            Assert.That(actual.EventsOf(command), Is.EqualTo(expected.EventsOf(command)), command);
        }
    }

    [Test]
    public void Keys_that_expire_or_are_evicted_are_told()
    {
        using var server = StrataProcess.Start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
        using var watcher = new Watcher(server, "Exe");
        var expired = watcher.EventsOf("SET soon v PX 20");
        expired = expired.Length > 0 ? expired : watcher.Next(); // On a busy machine it comes before the mark.
        Assert.That(expired, Is.EqualTo("pmessage * __keyevent@0__:expired soon"));
        _ = watcher.EventsOf("SET evicted v");
        using var filler = server.Connect();
        var value = new string('v', 100_000);
        for (var i = 0; i < 1500; i++)
        {
            Assert.That(filler.Call("SET", $"fill{i}", value).Text, Is.EqualTo("OK"));
        }

        Assert.That(watcher.Next(), Does.StartWith("pmessage * __keyevent@0__:evicted "));
    }

    [TestCase("KEA", "AKE")]
    [TestCase("EKmg$lshzxetd", "AKEm")]
    [TestCase("$gK", "g$K")]
    [TestCase("nE", "nE")]
    [TestCase("", "")]
    public void The_classes_are_read_back_in_Redis_s_order(string given, string held)
    {
        using var server = StrataProcess.Start();
        using var client = server.Connect();
        Assert.That(client.Call("CONFIG", "SET", "notify-keyspace-events", given).Text, Is.EqualTo("OK"));
        var answer = client.Call("CONFIG", "GET", "notify-keyspace-events");
        Assert.That(answer.Items[1].Text, Is.EqualTo(held));
        Assert.That(
            client.Call("CONFIG", "SET", "notify-keyspace-events", "KEq").Text,
            Does.EndWith("- Invalid event class character. Use 'Ag$lshzxeKEtmdn'."));
    }

    /// <summary>A client, and another that hears of all it does.</summary>
    private sealed class Watcher : IDisposable
    {
        private const string Mark = "the commands' end";
        private readonly RespConnection _client;
        private readonly RespConnection _subscriber;

        public Watcher(ServerProcess server, string classes)
        {
            _client = server.Connect();
            _subscriber = server.Connect();
            Assert.That(_client.Call("CONFIG", "SET", "notify-keyspace-events", classes).Text, Is.EqualTo("OK"));
            _ = _subscriber.Call("PSUBSCRIBE", "*");
        }

        /// <summary>The events of a command; its words are separated by single blanks. Commands whose events may come
        /// early or late, as those of expiry, are given together, a line each.</summary>
        public string EventsOf(string commands)
        {
            foreach (var command in commands.Split('\n'))
            {
                _ = _client.Call(command.Split(' '));
            }

            _ = _client.Call("PUBLISH", Mark, "");
            var events = new List<string>();
            for (var next = Next(); !next.Contains(Mark, StringComparison.Ordinal); next = Next())
            {
                events.Add(next);
            }

            return string.Join('\n', events);
        }

        /// <summary>The next message.</summary>
        public string Next() => string.Join(' ', _subscriber.ReadReply().Items.Select(item => item.Text));

        public void Dispose()
        {
            _client.Dispose();
            _subscriber.Dispose();
        }
    }
}
