using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Transactions of several clients at once, on one worker and on several, with keys in different shards. Redis
/// proves the expectations.</summary>
[TestFixture(ServerKind.Strata, 1)]
[TestFixture(ServerKind.Strata, 2)]
[TestFixture(ServerKind.Strata, 4)]
[TestFixture(ServerKind.Redis, 1)]
internal sealed class TransactionTests(ServerKind kind, int workers)
{
    private const int Clients = 4;
    private static readonly string[] s_accounts = [.. Enumerable.Range(0, 8).Select(i => $"account:{i}")];

    private ServerProcess _server = null!;

    [OneTimeSetUp]
    public void Start() => _server = kind == ServerKind.Strata
        ? ServerProcess.Start(kind, "--workers", workers.ToString(CultureInfo.InvariantCulture))
        : ServerProcess.Start(kind);

    [OneTimeTearDown]
    public void Stop() => _server.Dispose();

    [SetUp]
    public void Clear()
    {
        using var connection = _server.Connect();
        _ = connection.Call("FLUSHALL");
    }

    [Test]
    public void Nobody_sees_a_transaction_half_done()
    {
        ConcurrentClients.RunOnce(_server, [.. Enumerable.Repeat<Action<RespConnection, Random>>(Transfer, Clients)]);

        static void Transfer(RespConnection connection, Random random)
        {
            for (var i = 0; i < 500; i++)
            {
                var amount = random.Next(100).ToString(CultureInfo.InvariantCulture);
                _ = connection.Call("MULTI");
                _ = connection.Call("INCRBY", s_accounts[random.Next(8)], amount);
                _ = connection.Call("INCRBY", s_accounts[random.Next(8)], "-" + amount);
                Assert.That(connection.Call("EXEC").Items, Has.Count.EqualTo(2));
                Assert.That(Sum(connection.Call(["MGET", .. s_accounts]).Items), Is.Zero);
            }
        }

        static long Sum(IEnumerable<RespValue> values) => values.Sum(value => value.IsNull ? 0 : value.Integer);
    }

    [Test]
    public void A_watched_counter_loses_no_increment()
    {
        const int perClient = 100;
        ConcurrentClients.RunOnce(_server, [.. Enumerable.Repeat<Action<RespConnection, Random>>(Increment, Clients)]);

        using var reader = _server.Connect();
        Assert.That(reader.Call("GET", "counter").Integer, Is.EqualTo(Clients * perClient));

        static void Increment(RespConnection connection, Random random)
        {
            for (var done = 0; done < perClient;)
            {
                _ = connection.Call("WATCH", "counter");
                var value = connection.Call("GET", "counter");
                _ = connection.Call("MULTI");
                var next = (value.IsNull ? 0 : value.Integer) + 1;
                _ = connection.Call("SET", "counter", next.ToString(CultureInfo.InvariantCulture));
                _ = connection.Call("SET", $"other:{random.Next(8)}", "x");
                done += connection.Call("EXEC").IsNull ? 0 : 1;
            }
        }
    }

    [TestCase("SET k v", true)]
    [TestCase("SET other v", false)]
    [TestCase("GET k", false)]
    [TestCase("DEL missing", false)]
    [TestCase("DEL k", true)]
    [TestCase("PEXPIRE k 1", true)]
    [TestCase("PERSIST k", false)]
    [TestCase("APPEND missing x", true)]
    [TestCase("RENAME other missing", true)]
    [TestCase("RPUSH list x", true)]
    [TestCase("LPOP list", true)]
    [TestCase("LLEN list", false)]
    [TestCase("FLUSHDB", true)]
    [TestCase("FLUSHALL", true)]
    [TestCase("SWAPDB 0 1", true)]
    [TestCase("SWAPDB 1 2", false)]
    [TestCase("BITFIELD k SET u8 80 1", true)]
    [TestCase("BITFIELD k OVERFLOW FAIL SET u8 80 300", false)]
    [TestCase("BITFIELD missing OVERFLOW FAIL SET u8 80 300", false)]
    public void A_change_by_another_client_is_noticed(string change, bool isNoticed)
    {
        using var connection = _server.Connect();
        using var other = _server.Connect();
        _ = other.Call("MSET", "k", "1", "other", "2");
        _ = other.Call("RPUSH", "list", "1", "2");
        _ = connection.Call("WATCH", "k", "missing", "list", "k");
        Assert.That(other.Call(change.Split(' ')).IsError, Is.False);
        Assert.That(ExecutesNothing(connection), Is.EqualTo(isNoticed));
        Assert.That(ExecutesNothing(connection), Is.False, "nothing is watched any more");
    }

    [Test]
    public void A_key_whose_time_comes_while_it_is_watched_has_changed()
    {
        using var connection = _server.Connect();
        connection.Send([RespCommand.Of("SET", "k", "1", "PX", "500"), RespCommand.Of("WATCH", "k")]); // without a gap
        Assert.That(connection.ReadReply().Text, Is.EqualTo("OK"));
        Assert.That(connection.ReadReply().Text, Is.EqualTo("OK"));
        Thread.Sleep(600);
        Assert.That(ExecutesNothing(connection), Is.True);

        _ = connection.Call("SET", "k", "1", "PX", "1");
        Thread.Sleep(30);
        _ = connection.Call("WATCH", "k");
        Assert.That(ExecutesNothing(connection), Is.False, "its time had come before");
    }

    [Test]
    public void Watching_goes_on_in_the_database_that_takes_the_others_place()
    {
        using var connection = _server.Connect();
        using var other = _server.Connect();
        _ = connection.Call("WATCH", "k");
        _ = other.Call("SWAPDB", "0", "1");
        _ = other.Call("SET", "k", "1");
        Assert.That(ExecutesNothing(connection), Is.True);
    }

    [Test]
    public void Commands_that_ask_all_workers_answer_in_their_place()
    {
        using var connection = _server.Connect();
        _ = connection.Call("MULTI");
        foreach (var command in (string[])["SET a 1", "CLIENT LIST", "GET a", "CLIENT UNPAUSE", "SET a 2 3", "GET a"])
        {
            Assert.That(connection.Call(command.Split(' ')).Text, Is.EqualTo("QUEUED"));
        }

        var replies = connection.Call("EXEC").Items;
        Assert.That(replies, Has.Count.EqualTo(6));
        Assert.That(replies[1].Text, Does.Contain("addr="));
        Assert.That(replies[2].Text, Is.EqualTo("1"));
        Assert.That(replies[3].Text, Is.EqualTo("OK"));
        Assert.That(replies[4].IsError, Is.True);
        Assert.That(replies[5].Text, Is.EqualTo("1"));
        Assert.That(connection.Call("PING").Text, Is.EqualTo("PONG"));
    }

    [Test]
    public void A_long_transaction_counts_in_the_databases_it_selects()
    {
        const int perDatabase = 70; // More than the server looks ahead.
        using var connection = _server.Connect();
        _ = connection.Call("MULTI");
        foreach (var database in (string[])["0", "1", "0"])
        {
            Queue("SELECT", database);
            Increment();
        }

        Queue("SWAPDB", "0", "1");
        Increment();
        var replies = connection.Call("EXEC").Items;
        long[] expected = [.. Numbers(0), .. Numbers(0), .. Numbers(perDatabase), .. Numbers(perDatabase)];
        var counts = replies.Where(reply => reply.Kind == RespKind.Integer).Select(reply => reply.Integer);
        Assert.That(counts, Is.EqualTo(expected));
        Assert.That(connection.Call("GET", "counter").Integer, Is.EqualTo(2 * perDatabase));
        _ = connection.Call("SELECT", "1");
        Assert.That(connection.Call("GET", "counter").Integer, Is.EqualTo(2 * perDatabase));

        void Queue(params string[] command) => Assert.That(connection.Call(command).Text, Is.EqualTo("QUEUED"));

        void Increment()
        {
            for (var i = 0; i < perDatabase; i++)
            {
                Queue("INCR", "counter");
            }
        }

        static IEnumerable<long> Numbers(long behind)
            => Enumerable.Range(1, perDatabase).Select(number => behind + number);
    }

    private static bool ExecutesNothing(RespConnection connection)
    {
        _ = connection.Call("MULTI");
        _ = connection.Call("PING");
        return connection.Call("EXEC").IsNull;
    }
}
