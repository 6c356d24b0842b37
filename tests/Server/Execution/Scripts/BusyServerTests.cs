using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>What clients of every worker, that of the script among them, get while a script is slow.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class BusyServerTests(int workers)
{
    private const string Refused = "EXECABORT Transaction discarded because of: ";
    private BusyServer _server = null!;

    [SetUp]
    public void SetUp() => _server = new BusyServer(workers, "--requirepass", "");

    [TearDown]
    public void TearDown() => _server.Dispose();

    [Test]
    public void Each_command_of_a_pipeline_is_answered_in_its_order()
    {
        (string Command, string Reply)[] pipeline =
        [
            ("PING", BusyServer.Busy), ("GET k", BusyServer.Busy), ("MGET k l", BusyServer.Busy),
            ("SET k v", BusyServer.Busy), ("EVAL x 0", BusyServer.Busy), ("CLIENT LIST", BusyServer.Busy),
            ("MULTI", "OK"), ("GET k", BusyServer.Busy), ("EXEC", Refused + BusyServer.Busy),
            ("MULTI", "OK"), ("EXEC", Refused + BusyServer.Busy), ("EXEC", Refused + BusyServer.Busy),
            ("MULTI", "OK"), ("WATCH k", "ERR WATCH inside MULTI is not allowed"), ("DISCARD", "OK"),
            ("WATCH k", "OK"), ("UNWATCH", "OK"), ("SHUTDOWN", BusyServer.Busy), ("SHUTDOWN SAVE", BusyServer.Busy),
            ("SHUTDOWN ABORT", "ERR No shutdown in progress."), ("SHUTDOWN x", "ERR syntax error"),
            ("SCRIPT EXISTS x", BusyServer.Busy), ("GET", "ERR wrong number of arguments for 'get' command"),
            ("NOSUCH", "ERR unknown command 'NOSUCH', with args beginning with: "), ("RESET", "RESET"),
            ("PUBLISH c m", BusyServer.Busy), ("SUBSCRIBE c", BusyServer.Busy),
        ];
        _server.Begin();
        foreach (var other in _server.Others)
        {
            other.SendRaw(string.Concat(pipeline.Select(step => step.Command + "\r\n")));
            foreach (var (command, reply) in pipeline)
            {
                Assert.That(other.ReadReply().Text, Is.EqualTo(reply), command);
            }
        }

        _server.Kill(_server.Neighbour);
    }

    [Test]
    public void A_long_pipeline_is_answered_whole()
    {
        const int Count = 20_000;
        _server.Begin();
        foreach (var other in _server.Others)
        {
            var sending = Task.Run(() => other.Send(Enumerable.Repeat(RespCommand.Of("GET", "k"), Count)));
            for (var i = 0; i < Count; i++)
            {
                Assert.That(other.ReadReply().Text, Is.EqualTo(BusyServer.Busy));
            }

            sending.Wait();
        }

        _server.Kill(_server.Others[0]);
    }

    [TestCase("*2\r\n$3\r\nGET\r\n$1\r\n", "k\r\n")]
    [TestCase("GET", " k\r\n")]
    [TestCase("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3", "\r\nabc\r\n")]
    public void Half_a_command_is_refused_when_it_is_whole(string first, string rest)
    {
        _server.Begin();
        foreach (var other in _server.Others)
        {
            other.SendRaw("PING\r\n" + first);
            Assert.That(other.ReadReply().Text, Is.EqualTo(BusyServer.Busy));
            other.SendRaw(rest);
            Assert.That(other.ReadReply().Text, Is.EqualTo(BusyServer.Busy));
            other.SendRaw("*2\r\n$4\r\nECHO\r\n$2\r\n"); // Its rest comes when the script has ended.
        }

        using var killer = _server.InProcess.Connect();
        Assert.That(killer.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        Assert.That(_server.Caller.ReadReply().Text, Does.StartWith(BusyServer.Killed));
        BusyServer.Until(() => !_server.InProcess.Server.Services.Scripts.IsAnySlow);
        foreach (var other in _server.Others)
        {
            other.SendRaw("hi\r\n");
            Assert.That(other.ReadReply().Text, Is.EqualTo("hi"));
        }
    }

    [Test]
    public void A_large_value_is_refused_when_it_has_come()
    {
        _server.Begin();
        foreach (var other in _server.Others)
        {
            var value = new string('v', 20 << 20);
            Assert.That(other.Call("SET", "k", value).Text, Is.EqualTo(BusyServer.Busy));
        }

        _server.Kill(_server.Neighbour);
        Assert.That(_server.Neighbour.Call("EXISTS", "k").Integer, Is.Zero);
    }

    [Test]
    public void New_clients_are_accepted_and_can_end_the_script()
    {
        _server.Begin();
        var accepted = Enumerable.Range(0, 5).Select(_ => _server.InProcess.Connect()).ToList();
        foreach (var client in accepted)
        {
            Assert.That(client.Call("PING").Text, Is.EqualTo(BusyServer.Busy));
        }

        _server.Kill(accepted[^1]);
        foreach (var client in accepted)
        {
            Assert.That(client.Call("PING").Text, Is.EqualTo("PONG"));
            client.Dispose();
        }
    }

    [Test]
    public void Clients_that_close_are_gone_while_the_script_goes_on()
    {
        _server.Begin();
        var clients = _server.InProcess.Server.Services.Diagnostics.Clients;
        var before = clients.Connected;
        for (var i = 0; i < 8; i++)
        {
            using var client = _server.InProcess.Connect();
            client.SendRaw(i % 2 == 0 ? "PING\r\n*3\r\n$3\r\nSET" : "QUIT\r\n");
            Assert.That(client.ReadReply().Text, Is.EqualTo(i % 2 == 0 ? BusyServer.Busy : "OK"));
        }

        BusyServer.Until(() => clients.Connected == before);
        Assert.That(_server.Neighbour.Call("PING").Text, Is.EqualTo(BusyServer.Busy));
        _server.Kill(_server.Neighbour);
    }

    [Test]
    public void What_is_watched_meanwhile_counts_as_changed()
    {
        _server.Begin();
        foreach (var other in _server.Others)
        {
            Assert.That(other.Call("WATCH", "k").Text, Is.EqualTo("OK"));
        }

        _server.Kill(_server.Neighbour);
        foreach (var other in _server.Others)
        {
            Assert.That(other.Call("MULTI").Text, Is.EqualTo("OK"));
            Assert.That(other.Call("SET", "k", "v").Text, Is.EqualTo("QUEUED"));
            Assert.That(other.Call("EXEC").IsNull);
            Assert.That(other.Call("WATCH", "k").Text, Is.EqualTo("OK"));
            Assert.That(other.Call("MULTI").Text, Is.EqualTo("OK"));
            Assert.That(other.Call("EXEC").Items, Is.Empty);
        }
    }

    [Test]
    public void The_scripts_client_goes_on_with_what_it_has_sent_behind()
    {
        _server.Caller.SendRaw($"SET k v\r\neval '{BusyServer.Endless}' 0\r\nGET k\r\nECHO {new string('e', 999)}\r\n");
        _server.AwaitSlow();
        foreach (var other in _server.Others)
        {
            other.SendRaw(string.Concat(Enumerable.Repeat("ECHO another\r\n", 5000)));
            for (var i = 0; i < 5000; i++)
            {
                Assert.That(other.ReadReply().Text, Is.EqualTo(BusyServer.Busy));
            }
        }

        _server.Caller.SendRaw("PING\r\n");
        Assert.That(_server.Neighbour.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        string[] replies = [.. Enumerable.Range(0, 5).Select(_ => _server.Caller.ReadReply().Text)];
        Assert.That(replies[1], Does.StartWith(BusyServer.Killed));
        replies[1] = "";
        Assert.That(replies, Is.EqualTo(new[] { "OK", "", "v", new string('e', 999), "PONG" }));
    }

    [Test]
    public void A_script_keeps_its_arguments_whatever_others_send()
    {
        const string Script = "for i = 1, 3e8 do end redis.call('SET', KEYS[1], ARGV[1]) return {KEYS[1], ARGV[1]}";
        var value = new string('a', 20_000);
        _server.Caller.Send(
            [RespCommand.Of("EVAL", Script, "1", "key", value), RespCommand.Of("GET", "key")]);
        while (!_server.Caller.HasInput(0))
        {
            foreach (var other in _server.Others)
            {
                other.Send(Enumerable.Repeat(RespCommand.Of("ECHO", new string('b', 500)), 100));
                for (var i = 0; i < 100; i++)
                {
                    _ = other.ReadReply();
                }
            }
        }

        Assert.That(_server.Caller.ReadReply().Items.Select(item => item.Text), Is.EqualTo(new[] { "key", value }));
        Assert.That(_server.Caller.ReadReply().Text, Is.EqualTo(value));
    }

    [Test]
    public void A_script_of_a_transaction_can_be_ended_too()
    {
        foreach (var command in (string[])["MULTI", "SET k v", $"EVAL '{BusyServer.Endless}' 0", "GET k", "EXEC"])
        {
            _server.Caller.SendRaw(command + "\r\n");
        }

        _server.AwaitSlow();
        Assert.That(_server.Neighbour.Call("PING").Text, Is.EqualTo(BusyServer.Busy));
        Assert.That(_server.Neighbour.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        for (var i = 0; i < 4; i++)
        {
            _ = _server.Caller.ReadReply();
        }

        var replies = _server.Caller.ReadReply().Items;
        Assert.That(replies[1].Text, Does.StartWith(BusyServer.Killed));
        Assert.That(replies[2].Text, Is.EqualTo("v"));
    }

    [Test]
    public void The_scripts_client_may_go_meanwhile()
    {
        _server.Caller.Send("SUBSCRIBE", "c");
        _ = _server.Caller.ReadReply();
        _server.Caller.Send("UNSUBSCRIBE", "c");
        _ = _server.Caller.ReadReply();
        _server.Begin();
        var clients = _server.InProcess.Server.Services.Diagnostics.Clients;
        var before = clients.Connected;
        _server.Caller.Dispose();
        foreach (var other in _server.Others)
        {
            Assert.That(other.Call("PING").Text, Is.EqualTo(BusyServer.Busy));
        }

        Assert.That(_server.Neighbour.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        BusyServer.Until(() => clients.Connected == before - 1);
        Assert.That(_server.Neighbour.Call("PING").Text, Is.EqualTo("PONG"));
    }
}
