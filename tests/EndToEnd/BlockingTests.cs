using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;
using NUnit.Framework.Interfaces;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Commands that wait for lists, of several clients, on one worker and on several. Redis proves the
/// expectations.</summary>
[TestFixture(ServerKind.Strata, 1, Category = TestCategories.Long)]
[TestFixture(ServerKind.Strata, 2)]
[TestFixture(ServerKind.Strata, 4, Category = TestCategories.Long)]
[TestFixture(ServerKind.Redis, 1, Category = TestCategories.Long)]
internal sealed class BlockingTests(ServerKind kind, int workers)
{
    private const int PauseMs = 10 * Patience.Ms; // Longer than a connection waits for a reply.

    private readonly List<RespConnection> _waiting = [];
    private ServerProcess? _server;
    private RespConnection _connection = null!;

    private ServerProcess Server => _server!;

    [SetUp]
    public void Start()
    {
        _server ??= kind == ServerKind.Strata
            ? ServerProcess.Start(kind, "--workers", workers.ToString(CultureInfo.InvariantCulture))
            : ServerProcess.Start(kind);
        _connection = Server.Connect();
        AssertNobodyWaits();
        _ = _connection.Call("FLUSHALL");
    }

    [TearDown]
    public void Disconnect()
    {
        _waiting.ForEach(connection => connection.Dispose());
        _waiting.Clear();
        _connection.Dispose();
        if (Server.HasExited || TestContext.CurrentContext.Result.Outcome.Status != TestStatus.Passed)
        {
            // The next test begins with another, whatever this one left.
            _server?.Dispose();
            _server = null;
        }
    }

    [OneTimeTearDown]
    public void Stop() => _server?.Dispose();

    [Test]
    public void Those_who_came_first_are_served_first()
    {
        var waiting = Enumerable.Range(0, 20).Select(i => Wait("BLPOP", "other", "k", "0")).ToList();
        _ = _connection.Call(["RPUSH", "k", .. Enumerable.Range(0, 10).Select(i => Text(i))]);
        for (var i = 0; i < 20; i++)
        {
            if (i >= 10)
            {
                _ = _connection.Call("RPUSH", i % 2 == 0 ? "k" : "other", Text(i));
            }

            Assert.That(waiting[i].ReadReply().Items[1].Text, Is.EqualTo(Text(i)));
        }

        AssertNobodyWaits();
        Assert.That(_connection.Call("EXISTS", "k", "other").Integer, Is.Zero);
    }

    [Test]
    public void An_element_is_moved_from_list_to_list()
    {
        var last = Wait("BLPOP", "c", "0");
        var middle = Wait("BLMOVE", "b", "c", "LEFT", "RIGHT", "0");
        var first = Wait("BRPOPLPUSH", "a", "b", "0");
        _ = _connection.Call("RPUSH", "a", "x");
        Assert.That(first.ReadReply().Text, Is.EqualTo("x"));
        Assert.That(middle.ReadReply().Text, Is.EqualTo("x"));
        Assert.That(last.ReadReply().Items[1].Text, Is.EqualTo("x"));
        AssertNobodyWaits();
    }

    [Test]
    public void A_transaction_serves_when_it_is_done()
    {
        var waiting = Wait("BLPOP", "k", "0");
        foreach (var command in (string[])["MULTI", "RPUSH k a", "DEL k", "EXEC", "MULTI", "RPUSH k b", "LPUSH k c"])
        {
            _ = _connection.Call(command.Split(' '));
        }

        Assert.That(waiting.HasInput(withinMs: 50), Is.False);
        Assert.That(_connection.Call("EXEC").Items[1].Integer, Is.EqualTo(2));
        Assert.That(waiting.ReadReply().Items[1].Text, Is.EqualTo("c"));
        Assert.That(_connection.Call("LRANGE", "k", "0", "-1").Items, Has.Count.EqualTo(1));
    }

    [TestCase("RENAME from k")]
    [TestCase("COPY from k")]
    [TestCase("LMOVE from k LEFT LEFT")]
    [TestCase("SWAPDB 0 1")]
    public void A_list_that_comes_from_elsewhere_is_noticed(string command)
    {
        _ = _connection.Call("RPUSH", "from", "x");
        _ = _connection.Call("COPY", "from", "k", "DB", "1");
        var waiting = Wait("BLPOP", "k", "0");
        _ = _connection.Call(command.Split(' '));
        Assert.That(waiting.ReadReply().Items[1].Text, Is.EqualTo("x"));
    }

    [TestCase("BLPOP", "k", "other", "0")]
    [TestCase("BLMOVE", "k", "other", "LEFT", "LEFT", "0")]
    [TestCase("BZPOPMIN", "k", "other", "0")]
    [TestCase("BZMPOP", "0", "1", "k", "MIN")]
    public void A_value_that_is_gone_before_its_transaction_ends_is_waited_for_further(params string[] wait)
    {
        var isSorted = wait[0].StartsWith("BZ", StringComparison.Ordinal);
        string[] add = isSorted ? ["ZADD", "k", "1", "m"] : ["RPUSH", "k", "m"];
        var waiting = Wait(wait);
        foreach (var command in (string[][])[["MULTI"], add, ["DEL", "k"], ["SET", "k", "text"], ["EXEC"]])
        {
            Assert.That(_connection.Call(command).IsError, Is.False);
        }

        Assert.That(_connection.Call("GET", "k").Text, Is.EqualTo("text"));
        Assert.That(waiting.HasInput(100), Is.False);
        Assert.That(_connection.Call("DEL", "k").Integer, Is.EqualTo(1));
        Assert.That(_connection.Call(add).Integer, Is.EqualTo(1));
        Assert.That(waiting.ReadReply().IsError, Is.False);
        Assert.That(_connection.Call("EXISTS", "k").Integer, Is.Zero);
    }

    [Test]
    public void A_wait_ends_at_its_time()
    {
        var clock = Stopwatch.StartNew();
        var waiting = Enumerable.Range(0, 50).Select(_ => Connect()).ToList();
        waiting.ForEach(connection => connection.Send("BLPOP", "k", "0.3"));
        foreach (var connection in waiting)
        {
            Assert.That(connection.ReadReply().IsNull, Is.True);
        }

        Assert.That(clock.ElapsedMilliseconds, Is.AtLeast(299));
        AssertNobodyWaits();
    }

    [Test]
    public void Another_client_can_end_a_wait()
    {
        var waiting = Connect();
        var id = Text(waiting.Call("CLIENT", "ID").Integer);
        Assert.That(_connection.Call("CLIENT", "UNBLOCK", id).Integer, Is.Zero);
        Begin(waiting, "BLPOP", "k", "0");
        Assert.That(_connection.Call("CLIENT", "UNBLOCK", id).Integer, Is.EqualTo(1));
        Assert.That(waiting.ReadReply().IsNull, Is.True);
        Begin(waiting, "BLMOVE", "k", "l", "LEFT", "LEFT", "0");
        Assert.That(_connection.Call("CLIENT", "UNBLOCK", id, "ERROR").Integer, Is.EqualTo(1));
        Assert.That(waiting.ReadReply(), Is.EqualTo(RespValue.Error("UNBLOCKED client unblocked via CLIENT UNBLOCK")));
        AssertNobodyWaits();
    }

    [Test]
    public void A_client_that_goes_leaves_its_turn_to_the_next()
    {
        var gone = Wait("BLPOP", "k", "l", "0");
        var next = Wait("BLPOP", "k", "0");
        gone.Dispose();
        WaitUntilBlocked(1);
        _ = _connection.Call("RPUSH", "k", "x");
        Assert.That(next.ReadReply().Items[1].Text, Is.EqualTo("x"));
        AssertNobodyWaits();
    }

    [Test]
    public void What_follows_a_wait_is_executed_after_it()
    {
        var waiting = Wait("BLPOP", "k", "0");
        waiting.Send("PING");
        Assert.That(waiting.HasInput(withinMs: 50), Is.False);
        _ = _connection.Call("RPUSH", "k", "x");
        Assert.That(waiting.ReadReply().Items[1].Text, Is.EqualTo("x"));
        Assert.That(waiting.ReadReply().Text, Is.EqualTo("PONG"));
    }

    [Test]
    public void Every_element_is_taken_once()
    {
        const int perProducer = 2_000;
        const int clients = 4;
        var taken = new System.Collections.Concurrent.ConcurrentBag<string>();
        ConcurrentClients.RunOnce(Server, [
            .. Enumerable.Range(0, clients).Select<int, Action<RespConnection, Random>>(
                client => (connection, random) => Push(connection, random, client)),
            .. Enumerable.Repeat<Action<RespConnection, Random>>(Take, clients)]);
        Assert.That(taken, Has.Count.EqualTo(clients * perProducer));
        Assert.That(taken.Distinct().Count(), Is.EqualTo(clients * perProducer));
        AssertNobodyWaits();

        static void Push(RespConnection connection, Random random, int client)
        {
            for (var i = 0; i < perProducer; i++)
            {
                var verb = random.Next(2) == 0 ? "LPUSH" : "RPUSH";
                _ = connection.Call(verb, $"queue:{random.Next(3)}", $"{client}:{i}");
            }
        }

        void Take(RespConnection connection, Random random)
        {
            for (var i = 0; i < perProducer; i++)
            {
                var verb = random.Next(2) == 0 ? "BLPOP" : "BRPOP";
                taken.Add(connection.Call(verb, "queue:0", "queue:1", "queue:2", "8").Items[1].Text);
            }
        }
    }

    [TestCase("BLPOP k 0", "RPUSH k a b", "LLEN k", "(integer) 1")]
    [TestCase("BLPOP k 0", "RPUSH k a", "LPOP k", "(nil bulk, $-1)")]
    [TestCase("BLPOP k 0", "LPUSH k a", "LPUSH k b", "(integer) 1")]
    [TestCase("BLMOVE k l LEFT LEFT 0", "LPUSH k a", "DEL k missing", "(integer) 0")]
    [TestCase("BRPOPLPUSH k l 0", "LPUSH k a", "RENAME k new", "(error) ERR no such key")]
    [TestCase("BZPOPMIN k 0", "ZADD k 1 a 2 b", "ZCARD k", "(integer) 1")]
    [TestCase("BZMPOP 0 1 k MAX", "ZADD k 1 a", "ZREM k a", "(integer) 0")]
    public void Whoever_waits_goes_before_the_next_command(string wait, string give, string next, string reply)
    {
        using var other = Server.Connect();
        for (var round = 0; round < 50; round++)
        {
            var waiting = Wait(wait.Split(' '));
            var isPipelined = round % 2 == 0;
            _connection.Send(give.Split(' '));
            if (isPipelined)
            {
                _connection.Send(next.Split(' '));
            }

            Assert.That(_connection.ReadReply().IsError, Is.False);
            var got = isPipelined ? _connection.ReadReply() : other.Call(next.Split(' '));
            Assert.That(got.ToString(), Is.EqualTo(reply), $"round {round}");
            Assert.That(waiting.ReadReply().IsNull, Is.False);
            _ = _connection.Call("DEL", "k");
        }
    }

    [TestCase("LPUSH a x")]
    [TestCase("RPUSH z x|RPOPLPUSH z a")]
    [TestCase("MULTI|LPUSH a y|LPOP a|LPUSH a x|EXEC")]
    [TestCase("SELECT 1|RPUSH a x|SWAPDB 0 1|SELECT 0")]
    public void A_chain_of_waiting_clients_ends_before_the_next_command(string push)
    {
        for (var round = 0; round < 20; round++)
        {
            var waiting = new[] { "BLMOVE c a LEFT LEFT 0", "BRPOPLPUSH b c 0", "BRPOPLPUSH a b 0" }
                .Select(command => Wait(command.Split(' '))).ToList();
            var isPipelined = round % 2 == 0;
            string[] pushes = [.. push.Split('|')];
            string[] looks = ["LLEN b", "LLEN c", "LLEN a"];
            var replies = isPipelined
                ? CallAll([.. pushes, .. looks])
                : [.. CallAll(pushes), .. looks.SelectMany(look => CallAll(look))];

            Assert.That(replies.TakeLast(3),
                Is.EqualTo(new[] { "(integer) 0", "(integer) 0", "(integer) 1" }), $"round {round}");
            Assert.That(waiting.Select(client => client.ReadReply().Text), Is.All.EqualTo("x"));
            waiting.ForEach(client => client.Dispose());
            _waiting.Clear();
            _ = _connection.Call("DEL", "a");
        }
    }

    [Test]
    public void Whoever_waits_goes_before_the_next_transaction()
    {
        for (var round = 0; round < 50; round++)
        {
            var waiting = Enumerable.Range(0, 3).Select(_ => Wait("BLPOP", "k", "0")).ToList();
            foreach (var command in (string[])["RPUSH k a b c d", "MULTI", "LLEN k", "LPOP k", "LPOP k", "EXEC"])
            {
                _connection.Send(command.Split(' '));
            }

            var replies = Enumerable.Range(0, 6).Select(_ => _connection.ReadReply()).ToList();
            Assert.That(replies[5].Items[0].Integer, Is.EqualTo(1));
            Assert.That(replies[5].Items[1].Text, Is.EqualTo("d"));
            Assert.That(replies[5].Items[2].IsNull, Is.True);
            var served = waiting.Select(connection => connection.ReadReply().Items[1].Text);
            Assert.That(served, Is.EqualTo(new[] { "a", "b", "c" }));
        }
    }

    [Test]
    public void Elements_are_taken_once_by_those_who_wait_and_those_who_do_not()
    {
        const int perClient = 3_000;
        var taken = new System.Collections.Concurrent.ConcurrentBag<string>();
        ConcurrentClients.RunOnce(Server, [
            (connection, random) => Push(connection, "a", random),
            (connection, random) => Push(connection, "b", random),
            Wait, Wait, Poll, Poll]);
        Assert.That(taken, Has.Count.EqualTo(2 * perClient));
        Assert.That(taken.Distinct().Count(), Is.EqualTo(2 * perClient));
        AssertNobodyWaits();

        void Push(RespConnection connection, string name, Random random)
        {
            for (var i = 0; i < perClient; i += 10)
            {
                for (var j = i; j < i + 10; j++)
                {
                    var verb = random.Next(2) == 0 ? "LPUSH" : "RPUSH";
                    connection.Send(verb, $"queue:{random.Next(2)}", $"{name}:{j}");
                }

                for (var j = 0; j < 10; j++)
                {
                    _ = connection.ReadReply();
                }
            }
        }

        void Wait(RespConnection connection, Random random)
            => Take(() => connection.Call("BLPOP", "queue:0", "queue:1", "0.1"), reply => reply.Items[1]);

        void Poll(RespConnection connection, Random random)
            => Take(() => connection.Call("RPOP", $"queue:{random.Next(2)}"), reply => reply);

        void Take(Func<RespValue> take, Func<RespValue, RespValue> element)
        {
            while (taken.Count < 2 * perClient)
            {
                var reply = take();
                if (!reply.IsNull)
                {
                    taken.Add(element(reply).Text);
                }
            }
        }
    }

    [TestCase("WRITE")]
    [TestCase("ALL")]
    public void Whoever_waits_when_a_pause_begins_is_served_during_it(string mode)
    {
        var waiting = Wait("BLPOP", "k", "0");
        foreach (var command in (string[])["MULTI", "RPUSH k a b", $"CLIENT PAUSE {PauseMs} {mode}", "EXEC"])
        {
            Assert.That(_connection.Call(command.Split(' ')).IsError, Is.False);
        }

        Assert.That(waiting.ReadReply().Items[1].Text, Is.EqualTo("a"));
        waiting.Send("BLPOP", "k", "0");
        Assert.That(waiting.HasInput(withinMs: 50), Is.False, "it came after the pause began");
        Server.Kill(); // and the pause with it
    }

    [Test]
    public void Nobody_waits_behind_a_pause_for_whoever_waits_for_the_key()
    {
        var waiting = Wait("BLPOP", "k", "0");
        using var late = Server.Connect();
        foreach (var command in (string[])["MULTI", "RPUSH k a b", $"CLIENT PAUSE {PauseMs} WRITE", "EXEC"])
        {
            _ = _connection.Call(command.Split(' '));
        }

        late.Send("BLPOP", "k", "0");
        Assert.That(_connection.Call("LLEN", "k").Integer, Is.EqualTo(1));
        Assert.That(waiting.ReadReply().Items[1].Text, Is.EqualTo("a"));
        Assert.That(_connection.Call("CLIENT", "UNPAUSE").Text, Is.EqualTo("OK"));
        Assert.That(late.ReadReply().Items[1].Text, Is.EqualTo("b"));
    }

    [Test]
    public void A_wait_that_a_pause_finds_can_end_without_a_value()
    {
        var atItsTime = Wait("BLPOP", "k", "1");
        var byAnother = Connect();
        var id = Text(byAnother.Call("CLIENT", "ID").Integer);
        Begin(byAnother, "BLPOP", "k", "0");
        _ = _connection.Call("CLIENT", "PAUSE", Text(PauseMs), "WRITE");
        Assert.That(_connection.Call("CLIENT", "UNBLOCK", id).Integer, Is.EqualTo(1));
        Assert.That(byAnother.ReadReply().IsNull, Is.True);
        Assert.That(atItsTime.ReadReply().IsNull, Is.True);
        Assert.That(_connection.Call("CLIENT", "UNPAUSE").Text, Is.EqualTo("OK"));
    }

    [Test]
    public void A_server_with_waiting_clients_stops()
    {
        _ = Wait("BLPOP", "k", "0");
        _ = Wait("BLPOP", "k", "100");
        Server.StopGracefully();
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private RespConnection Connect()
    {
        var connection = Server.Connect();
        _waiting.Add(connection);
        return connection;
    }

    /// <summary>Sends commands in one piece.</summary>
    private List<string> CallAll(params string[] commands)
    {
        foreach (var command in commands)
        {
            _connection.Send(command.Split(' '));
        }

        return [.. commands.Select(_ => _connection.ReadReply().ToString())];
    }

    private RespConnection Wait(params string[] command)
    {
        var connection = Connect();
        Begin(connection, command);
        return connection;
    }

    private void Begin(RespConnection connection, params string[] command)
    {
        var before = Blocked();
        connection.Send(command);
        WaitUntilBlocked(before + 1);
    }

    private void AssertNobodyWaits() => WaitUntilBlocked(0);

    private void WaitUntilBlocked(long count)
        => ServerInfo.WaitFor(_connection, "clients", "blocked_clients", count);

    private long Blocked() => ServerInfo.Number(_connection, "clients", "blocked_clients");
}
