using System.Collections.Concurrent;
using NUnit.Framework;
using Strata.Tests.Server.Changes;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>How a server ends while a script is slow, what subscribers and those who do not read get, and passwords.
/// </summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class BusyServerEndTests(int workers)
{
    private const string Writing = "redis.call('SET', 'k', 'half') while true do end";
    private BusyServer _server = null!;

    [SetUp]
    public void SetUp() => _server = new BusyServer(workers);

    [TearDown]
    public void TearDown() => _server.Dispose();

    [Test]
    public void A_script_that_has_written_ends_with_the_server_alone([Values] bool isNeighbour)
    {
        var other = isNeighbour ? _server.Neighbour : _server.Others[0];
        var errors = new ConcurrentQueue<string>();
        var witness = new TransactionWitness(
            _server.InProcess.Server.Context.Shards, static () => Environment.CurrentManagedThreadId, errors.Enqueue);
        _server.Begin(Writing);
        Assert.That(other.Call("SCRIPT", "KILL").Text, Does.StartWith("UNKILLABLE"));
        Assert.That(other.Call("SHUTDOWN").Text, Is.EqualTo(BusyServer.Busy));
        Assert.That(other.Call("PING").Text, Is.EqualTo(BusyServer.Busy));
        other.SendRaw("SHUTDOWN NOSAVE\r\nGET k\r\n");
        _server.Caller.SendRaw("GET k\r\n");
        _server.Stop(); // As the process's main thread does.
        Assert.That(other.ReadToEnd(), Is.Empty);
        Assert.That(_server.Caller.ReadToEnd(), Is.Empty, "nobody sees what is done by half");
        Assert.That((witness.Transactions, witness.Halves), Is.EqualTo((0, 1)));
        Assert.That(errors, Is.Empty);
    }

    [Test]
    public void An_end_that_is_asked_for_waits_for_the_script()
    {
        _server.Begin();
        var stopping = Task.Run(_server.Stop);
        foreach (var other in _server.Others)
        {
            for (var i = 0; i < 100; i++)
            {
                Assert.That(other.Call("PING").Text, Is.EqualTo(BusyServer.Busy));
            }
        }

        Assert.That(stopping.IsCompleted, Is.False);
        Assert.That(_server.Neighbour.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        Assert.That(_server.Caller.ReadReply().Text, Does.StartWith(BusyServer.Killed));
        Assert.That(stopping.Wait(Patience.Ms));
    }

    [Test]
    public void An_end_that_waits_for_the_script_can_be_had_at_once()
    {
        _server.Begin(Writing);
        var stopping = Task.Run(_server.Stop);
        _server.Neighbour.SendRaw("SHUTDOWN NOSAVE\r\n");
        Assert.That(stopping.Wait(Patience.Ms));
        Assert.That(_server.Neighbour.ReadToEnd(), Is.Empty);
    }

    [Test]
    public void A_worker_with_a_slow_script_does_not_hang()
    {
        _server.Begin();
        Assert.That(_server.InProcess.Server.TurnAsync().Wait(Patience.Ms));
        _server.Kill(_server.Neighbour);
    }

    [Test]
    public void Subscribers_get_what_the_script_publishes_while_it_goes_on()
    {
        foreach (var client in _server.Others.Append(_server.Caller))
        {
            Assert.That(client.Call("HELLO", "3").IsAggregate);
            Assert.That(client.Call("SUBSCRIBE", "c").IsAggregate);
        }

        // More than a mailbox may hold before all who send something must wait.
        _server.Begin("local m = string.rep('m', 9999) for i = 1, 999 do redis.call('PUBLISH', 'c', m) end "
            + BusyServer.Endless);
        foreach (var other in _server.Others)
        {
            for (var i = 0; i < 999; i++)
            {
                Assert.That(other.ReadReply().Items[2].Text, Is.EqualTo(new string('m', 9999)));
            }

            Assert.That(other.Call("PING").Text, Is.EqualTo(BusyServer.Busy));
        }

        Assert.That(_server.Caller.HasInput(0), Is.False, "what comes to its own client comes behind its reply");
        Assert.That(_server.Neighbour.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        Assert.That(_server.Caller.ReadReply().Text, Does.StartWith(BusyServer.Killed));
        for (var i = 0; i < 999; i++)
        {
            Assert.That(_server.Caller.ReadReply().Items[2].Text, Is.EqualTo(new string('m', 9999)));
        }
    }

    [Test]
    public void Who_does_not_read_is_closed_at_the_limit()
    {
        Assert.That(
            _server.Neighbour.Call("CONFIG", "SET", "client-output-buffer-limit", "normal 100kb 0 0").Text,
            Is.EqualTo("OK"));
        _server.Begin();
        var commands = Enumerable.Repeat(RespCommand.Of("GET", "k"), 50_000);
        var sending = Task.Run(() => _server.Neighbour.Send(commands)); // It fails when the server has closed.
        BusyServer.Until(() => _server.InProcess.Server.Workers.Sum(worker => worker.OutputLimitsPassed) == 1);
        using var killer = _server.InProcess.Connect();
        Assert.That(killer.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        Assert.That(() => sending.Wait(Patience.Ms), Throws.InstanceOf<AggregateException>());
    }

    [Test]
    public void Without_the_password_nothing_can_be_done()
    {
        Assert.That(_server.Neighbour.Call("CONFIG", "SET", "requirepass", "secret").Text, Is.EqualTo("OK"));
        _server.Begin();
        using var client = _server.InProcess.Connect();
        Assert.That(client.Call("PING").Text, Is.EqualTo("NOAUTH Authentication required."));
        Assert.That(client.Call("SCRIPT", "KILL").Text, Is.EqualTo("NOAUTH Authentication required."));
        Assert.That(client.Call("SHUTDOWN", "NOSAVE").Text, Is.EqualTo("NOAUTH Authentication required."));
        Assert.That(client.Call("AUTH", "wrong").Text, Does.StartWith("WRONGPASS"));
        Assert.That(client.Call("AUTH", "secret").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("PING").Text, Is.EqualTo(BusyServer.Busy));
        Assert.That(client.Call("HELLO", "3").IsAggregate);
        _server.Kill(client);
    }
}
