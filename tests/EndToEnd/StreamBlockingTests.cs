using System.Globalization;
using NUnit.Framework;
using NUnit.Framework.Interfaces;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Commands that wait for streams' entries, of several clients, on one worker and on several, as Redis 7.2
/// serves them.</summary>
[TestFixture(1)]
[TestFixture(2)]
[TestFixture(4, Category = TestCategories.Long)]
internal sealed class StreamBlockingTests(int workers)
{
    private readonly List<RespConnection> _waiting = [];
    private ServerProcess? _server;
    private RespConnection _connection = null!;

    private ServerProcess Server => _server!;

    [SetUp]
    public void Start()
    {
        _server ??= ServerProcess.Start(
            ServerKind.Strata, "--workers", workers.ToString(CultureInfo.InvariantCulture));
        _connection = Server.Connect();
        _ = _connection.Call("FLUSHALL");
        AwaitBlocked(0);
    }

    [TearDown]
    public void Disconnect()
    {
        _waiting.ForEach(connection => connection.Dispose());
        _waiting.Clear();
        _connection.Dispose();
        if (Server.HasExited || TestContext.CurrentContext.Result.Outcome.Status != TestStatus.Passed)
        {
            _server?.Dispose(); // The next test begins with another, whatever this one left.
            _server = null;
        }
    }

    [OneTimeTearDown]
    public void Stop() => _server?.Dispose();

    [Test]
    public void All_who_read_a_stream_get_what_comes()
    {
        Call("XADD s 1-0 old x");
        var waiting = Enumerable.Range(0, 20)
            .Select(i => Wait($"XREAD BLOCK 0 STREAMS other s {(i % 2 == 0 ? "$ $" : "0 1")}"))
            .ToList();
        Call("XADD s 2-0 new y");
        foreach (var reply in waiting.Select(connection => connection.ReadReply()))
        {
            Assert.That(Entries(reply, "s"), Is.EqualTo(["2-0"]));
        }

        AwaitBlocked(0);
    }

    [Test]
    public void A_reader_of_what_is_there_does_not_wait()
    {
        Call("XADD s 1-0 f v", "XADD s 2-0 f v");
        Assert.That(Entries(_connection.Call("XREAD BLOCK 0 STREAMS s 1".Split(' ')), "s"), Is.EqualTo(["2-0"]));
        Assert.That(Entries(_connection.Call("XREAD BLOCK 0 STREAMS s +".Split(' ')), "s"), Is.EqualTo(["2-0"]));
    }

    [Test]
    public void The_last_entry_is_waited_for_where_there_is_none()
    {
        var waiting = Wait("XREAD BLOCK 0 STREAMS s +");
        Call("XADD s 7-7 f v");
        Assert.That(Entries(waiting.ReadReply(), "s"), Is.EqualTo(["7-7"]));
    }

    [Test]
    public void Who_waits_for_higher_ids_waits_on()
    {
        var waiting = Wait("XREAD BLOCK 0 STREAMS s 5-0");
        Call("XADD s 1-0 f v", "XADD s 5-0 f v", "XADD s 5-1 f v");
        Assert.That(Entries(waiting.ReadReply(), "s"), Is.EqualTo(["5-1"]));
    }

    [Test]
    public void What_is_deleted_in_the_same_transaction_wakes_nobody()
    {
        var waiting = Wait("XREAD BLOCK 0 STREAMS s $");
        Call("MULTI", "XADD s 1-0 f v", "DEL s", "EXEC");
        Call("MULTI", "XADD s 1-0 f v", "DEL s", "LPUSH s x", "EXEC", "DEL s");
        Call("XADD s 2-0 f v");
        Assert.That(Entries(waiting.ReadReply(), "s"), Is.EqualTo(["2-0"]));
    }

    [Test]
    public void The_next_command_finds_readers_served()
    {
        for (var i = 1; i <= 50; i++)
        {
            var readers = Enumerable.Range(0, 3).Select(_ => Wait("XREAD BLOCK 0 STREAMS s $")).ToList();
            _connection.SendRaw($"XADD s {i}-0 f v\r\nXTRIM s MAXLEN 0\r\n");
            _ = _connection.ReadReply();
            _ = _connection.ReadReply();
            foreach (var reply in readers.Select(reader => reader.ReadReply()))
            {
                Assert.That(Entries(reply, "s"), Is.EqualTo([$"{i}-0"]), "who waited comes before the next command");
            }
        }
    }

    [Test]
    public void Consumers_of_a_group_are_served_in_the_order_they_came()
    {
        Call("XGROUP CREATE s g $ MKSTREAM", "XGROUP CREATE s h $");
        var first = Enumerable.Range(0, 10)
            .Select(i => Wait($"XREADGROUP GROUP g c{i} COUNT 1 BLOCK 0 STREAMS s >"))
            .ToList();
        var other = Wait("XREADGROUP GROUP h c BLOCK 0 STREAMS s >");
        Call("MULTI", "XADD s 1-0 f v", "XADD s 2-0 f v", "XADD s 3-0 f v", "EXEC");
        Assert.That(Entries(other.ReadReply(), "s"), Is.EqualTo(["1-0", "2-0", "3-0"]));
        for (var i = 0; i < 10; i++)
        {
            if (i >= 3)
            {
                Call($"XADD s {i + 1}-0 f v");
            }

            Assert.That(Entries(first[i].ReadReply(), "s"), Is.EqualTo([$"{i + 1}-0"]));
        }

        AwaitBlocked(0);
        Assert.That(_connection.Call("XPENDING", "s", "g").Items[0].Integer, Is.EqualTo(10));
    }

    [Test]
    public void Who_comes_later_does_not_take_what_a_waiting_consumer_may_have()
    {
        Call("XGROUP CREATE s g $ MKSTREAM");
        for (var i = 1; i <= 50; i++)
        {
            var waiting = Wait("XREADGROUP GROUP g first BLOCK 0 STREAMS s >");
            _connection.SendRaw($"XADD s {i}-0 f v\r\nXREADGROUP GROUP g second STREAMS s >\r\n");
            _ = _connection.ReadReply();
            Assert.That(_connection.ReadReply().IsNull);
            Assert.That(Entries(waiting.ReadReply(), "s"), Is.EqualTo([$"{i}-0"]));
        }
    }

    [TestCase("XGROUP DESTROY s g", "NOGROUP")]
    [TestCase("DEL s", "NOGROUP")]
    [TestCase("UNLINK s", "NOGROUP")]
    [TestCase("RENAME s t", "NOGROUP")]
    [TestCase("MOVE s 1", "NOGROUP")]
    [TestCase("PEXPIRE s 1", "NOGROUP")]
    [TestCase("FLUSHALL", "NOGROUP")]
    [TestCase("FLUSHDB", "NOGROUP")]
    [TestCase("SWAPDB 0 1", "NOGROUP")]
    [TestCase("SET s x", "WRONGTYPE")]
    public void Whose_group_goes_is_told(string command, string error)
    {
        Call("XGROUP CREATE s g $ MKSTREAM");
        var waiting = Enumerable.Range(0, 3).Select(i => Wait($"XREADGROUP GROUP g c{i} BLOCK 0 STREAMS s >")).ToList();
        var reader = Wait("XREAD BLOCK 0 STREAMS s $");
        Call(command);
        foreach (var reply in waiting.Select(connection => connection.ReadReply()))
        {
            Assert.That(reply.Text, Does.StartWith(error + " "));
        }

        AwaitBlocked(1);
        Call("DEL s", "XADD s 9-9 f v");
        Assert.That(Entries(reader.ReadReply(), "s"), Is.EqualTo(["9-9"]));
    }

    [Test]
    public void A_stream_that_comes_by_another_name_brings_entries()
    {
        Call("XADD from 3-0 f v", "XGROUP CREATE from g 0", "XGROUP CREATE s g $ MKSTREAM");
        var ofGroup = Wait("XREADGROUP GROUP g c BLOCK 0 STREAMS s >");
        var reader = Wait("XREAD BLOCK 0 STREAMS s $");
        Call("RENAME from s");
        Assert.That(Entries(ofGroup.ReadReply(), "s"), Is.EqualTo(["3-0"]));
        Assert.That(Entries(reader.ReadReply(), "s"), Is.EqualTo(["3-0"]));
    }

    [Test]
    public void Who_goes_leaves_the_entry_to_the_next()
    {
        Call("XGROUP CREATE s g $ MKSTREAM");
        var gone = Wait("XREADGROUP GROUP g gone BLOCK 0 STREAMS s >");
        var next = Wait("XREADGROUP GROUP g next BLOCK 0 STREAMS s >");
        gone.Dispose();
        AwaitBlocked(1);
        Call("XADD s 1-0 f v");
        Assert.That(Entries(next.ReadReply(), "s"), Is.EqualTo(["1-0"]));
    }

    [Test]
    public void A_wait_ends_when_its_time_is_up()
    {
        Call("XGROUP CREATE s g $ MKSTREAM");
        Assert.That(_connection.Call("XREAD BLOCK 5 STREAMS s $".Split(' ')).IsNull);
        Assert.That(_connection.Call("XREADGROUP GROUP g c BLOCK 5 STREAMS s >".Split(' ')).IsNull);
        AwaitBlocked(0);
    }

    [Test]
    public void Nothing_waits_within_a_transaction_or_a_script()
    {
        Call("MULTI", "XREAD BLOCK 0 STREAMS s $");
        Assert.That(_connection.Call("EXEC").Items[0].IsNull);
        const string Script = "return redis.call('XREAD', 'BLOCK', '0', 'STREAMS', KEYS[1], '$')";
        Assert.That(
            _connection.Call("EVAL", Script, "1", "s").Text,
            Does.Contain("XREAD command is not allowed with BLOCK option from scripts"));
    }

    private static List<string> Entries(RespValue reply, string key)
    {
        Assert.That(reply.IsAggregate, $"{reply}");
        var stream = reply.Items.Single(item => item.Items[0].Text == key);
        return [.. stream.Items[1].Items.Select(entry => entry.Items[0].Text)];
    }

    private void Call(params string[] commands)
    {
        foreach (var command in commands)
        {
            var reply = _connection.Call(command.Split(' '));
            Assert.That(!reply.IsError, $"{command}: {reply}");
        }
    }

    private RespConnection Wait(string command)
    {
        var before = Blocked();
        var connection = Server.Connect();
        _waiting.Add(connection);
        connection.Send(RespCommand.Of(command.Split(' ')));
        AwaitBlocked(before + 1);
        return connection;
    }

    private void AwaitBlocked(int count) => ServerInfo.WaitFor(_connection, "clients", "blocked_clients", count);

    private int Blocked() => (int)ServerInfo.Number(_connection, "clients", "blocked_clients");
}
