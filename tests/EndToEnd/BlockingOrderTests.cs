using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;
using NUnit.Framework.Interfaces;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Blocking commands whose keys are on the disk, and whose shards' leases are held on purpose, so that they
/// are executed again and again and on the way meet each other: those who came first are served first.</summary>
[TestFixture(1, false, false)]
[TestFixture(1, true, false, Category = TestCategories.Long)]
[TestFixture(2, false, true, Category = TestCategories.Long)]
[TestFixture(2, true, false, Category = TestCategories.Long)]
[TestFixture(2, true, true)]
[TestFixture(4, false, true, Category = TestCategories.Long)]
[TestFixture(4, true, true, Category = TestCategories.Long)]
internal sealed class BlockingOrderTests(int workers, bool isOnDisk, bool holdsLeases)
{
    private const int Waiters = 16;
    private const int Rounds = 4;

    private readonly List<RespConnection> _waiting = [];
    private ServerProcess? _server;
    private RespConnection _connection = null!;

    private ServerProcess Server => _server!;

    [SetUp]
    public void Start()
    {
        _server ??= StartServer();
        _connection = Server.Connect();
        WaitUntilBlocked(0);
        _ = _connection.Call("FLUSHALL");
        if (isOnDisk)
        {
            ServerInfo.WaitFor(_connection, "tier", "tier_cold_pages", 0);
        }
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

    private ServerProcess StartServer()
    {
        string[] tier = isOnDisk ? ["--storage-tier", "yes", "--segment-size", "1mb"] : [];
        var server = ServerProcess.Start(ServerKind.Strata,
            ["--workers", Text(workers), "--enable-debug-command", "yes", .. tier]);
        if (isOnDisk)
        {
            using var connection = server.Connect();
            Assert.That(connection.Call("DEBUG", "TIER-EAGER", "1").Text, Is.EqualTo("OK"));
        }

        return server;
    }

    [TestCase("BLPOP missing k 0", "RPUSH k")]
    [TestCase("BRPOP k missing 100", "LPUSH k")]
    [TestCase("BLMOVE k done LEFT RIGHT 0", "RPUSH k")]
    [TestCase("BRPOPLPUSH k done 0", "LPUSH k")]
    [TestCase("BLMPOP 0 2 missing k LEFT", "RPUSH k")]
    [TestCase("BZPOPMIN missing k 0", "ZADD k")]
    [TestCase("BZPOPMAX k missing 0", "ZADD k")]
    [TestCase("BZMPOP 0 2 k missing MIN", "ZADD k")]
    public void Those_who_came_first_are_served_first(string wait, string add)
    {
        using var holder = holdsLeases ? new LeaseHolder(Server) : null;
        _ = _connection.Call("RPUSH", "done", "of old");
        var rounds = 0;
        for (; rounds < Rounds || holder?.NeedsMore() == true; rounds++)
        {
            for (var i = 0; i < Waiters; i++)
            {
                Wait(wait.Split(' '));
            }

            // Half of the elements at once, the others one by one. The first to be taken is the least.
            var sign = wait.StartsWith("BZPOPMAX", StringComparison.Ordinal) ? -1 : 1;
            Add(add, [.. Enumerable.Range(0, Waiters / 2)], sign);
            for (var i = 0; i < Waiters; i++)
            {
                if (i >= Waiters / 2)
                {
                    Add(add, [i], sign);
                }

                Assert.That(ElementIn(_waiting[i].ReadReply()), Is.EqualTo($"e{i}"), $"waiter {i} of round {rounds}");
            }

            _waiting.ForEach(connection => connection.Dispose());
            _waiting.Clear();
            WaitUntilBlocked(0);
            Assert.That(_connection.Call("EXISTS", "k", "missing").Integer, Is.Zero);
        }

        var moved = wait.Contains("done", StringComparison.Ordinal) ? Waiters * rounds : 0;
        Assert.That(_connection.Call("LLEN", "done").Integer, Is.EqualTo(1 + moved));
    }

    [TestCase("BLPOP missing k 0", "RPUSH k e1 e2", "LLEN k")]
    [TestCase("BLMOVE k done RIGHT LEFT 0", "RPUSH k e2 e1", "LLEN k")]
    [TestCase("BLMPOP 0 2 missing k LEFT", "RPUSH k e1 e2", "LLEN k")]
    [TestCase("BZPOPMIN missing k 0", "ZADD k 1 e1 2 e2", "ZCARD k")]
    [TestCase("BZMPOP 0 2 missing k MAX", "ZADD k 2 e1 1 e2", "ZCARD k")]
    public void What_is_there_is_taken_at_once(string wait, string add, string count)
    {
        _ = _connection.Call(add.Split(' '));
        WaitUntilOnDisk();
        using var connection = Server.Connect();
        connection.Send(wait.Split(' '));
        Assert.That(ElementIn(connection.ReadReply()), Is.EqualTo("e1"));
        Assert.That(_connection.Call(count.Split(' ')).Integer, Is.EqualTo(1));
    }

    [TestCase("BLPOP missing k 0", "RPUSH k e1 e2", "LLEN k")]
    [TestCase("BLMOVE k done RIGHT LEFT 0", "RPUSH k e2 e1", "LLEN k")]
    [TestCase("BZPOPMIN missing k 0", "ZADD k 1 e1 2 e2", "ZCARD k")]
    public void Whoever_waits_goes_before_the_next_command(string wait, string add, string count)
    {
        using var holder = holdsLeases ? new LeaseHolder(Server) : null;
        for (var round = 0; round < 20 || holder?.NeedsMore() == true; round++)
        {
            Wait(wait.Split(' '));
            _connection.Send(add.Split(' '));
            _connection.Send(count.Split(' '));
            Assert.That(_connection.ReadReply().Integer, Is.EqualTo(2));
            Assert.That(_connection.ReadReply().Integer, Is.EqualTo(1), $"round {round}");
            Assert.That(ElementIn(_waiting[0].ReadReply()), Is.EqualTo("e1"));
            _waiting[0].Dispose();
            _waiting.Clear();
            _ = _connection.Call("DEL", "k");
        }
    }

    [Test]
    public void A_value_of_another_type_is_waited_out()
    {
        Wait("BLPOP", "k", "0");
        Wait("BZPOPMIN", "k", "0");
        _ = _connection.Call("SET", "k", "a string");
        WaitUntilOnDisk();
        using var late = Server.Connect();
        late.Send("BLPOP", "k", "0");
        Assert.That(late.ReadReply().Text, Does.StartWith("WRONGTYPE"));
        Assert.That(_waiting.Any(connection => connection.HasInput(withinMs: 20)), Is.False);
        _ = _connection.Call("DEL", "k");
        _ = _connection.Call("ZADD", "k", "1", "member");
        Assert.That(_waiting[1].ReadReply().Items[1].Text, Is.EqualTo("member"));
        _ = _connection.Call("RPUSH", "k", "element");
        Assert.That(_waiting[0].ReadReply().Items[1].Text, Is.EqualTo("element"));
        WaitUntilBlocked(0);
    }

    [Test]
    public void Every_member_is_taken_once()
    {
        const int perClient = 200;
        const int clients = 3;
        var taken = new ConcurrentBag<string>();
        using (var holder = holdsLeases ? new LeaseHolder(Server) : null)
        {
            do
            {
                taken.Clear();
                ConcurrentClients.RunOnce(Server, [
                    .. Enumerable.Range(0, clients).Select<int, Action<RespConnection, Random>>(
                        client => (connection, random) => Give(connection, random, client)),
                    .. Enumerable.Repeat<Action<RespConnection, Random>>(Take, clients)]);
                Assert.That(taken.Distinct().Count(), Is.EqualTo(clients * perClient));
                Assert.That(taken, Has.Count.EqualTo(clients * perClient));
            }
            while (holder?.NeedsMore() == true);
        }

        WaitUntilBlocked(0);
        Assert.That(_connection.Call("DBSIZE").Integer, Is.Zero);

        static void Give(RespConnection connection, Random random, int client)
        {
            for (var i = 0; i < perClient; i++)
            {
                _ = connection.Call("ZADD", $"z{random.Next(3)}", Text(random.Next(100)), $"{client}:{i}");
            }
        }

        void Take(RespConnection connection, Random random)
        {
            for (var i = 0; i < perClient; i++)
            {
                taken.Add(connection.Call(random.Next(2) == 0 ? "BZPOPMIN" : "BZPOPMAX", "z0", "z1", "z2", "60")
                    .Items[1].Text);
            }
        }
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>The name of the one element in a reply, whatever the command.</summary>
    private static string ElementIn(RespValue reply)
    {
        var innermost = reply.Items.Count == 0 ? reply : reply.Items[1]; // behind the key
        while (innermost.Items.Count > 0)
        {
            innermost = innermost.Items[0]; // a list of one element, or of a member and its score
        }

        return innermost.Text;
    }

    private void Add(string command, int[] numbers, int sign)
    {
        var words = command.Split(' ');
        var elements = words[0] == "ZADD"
            ? numbers.SelectMany(number => new[] { Text(sign * number), $"e{number}" })
            : numbers.Select(number => $"e{number}");
        var reply = _connection.Call([.. words, .. elements]);
        Assert.That(reply.IsError, Is.False, reply.ToString());
    }

    private void Wait(params string[] command)
    {
        var connection = Server.Connect();
        _waiting.Add(connection);
        connection.Send(command);
        WaitUntilBlocked(_waiting.Count);
    }

    private void WaitUntilOnDisk()
    {
        var clock = Stopwatch.StartNew();
        while (isOnDisk && ServerInfo.Number(_connection, "tier", "tier_cold_pages") == 0)
        {
            Assert.That(clock.ElapsedMilliseconds, Is.LessThan(Patience.Ms), "nothing went to the disk");
            Thread.Sleep(5);
        }
    }

    private void WaitUntilBlocked(long count)
        => ServerInfo.WaitFor(_connection, "clients", "blocked_clients", count);
}
