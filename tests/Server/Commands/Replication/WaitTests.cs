using System.Diagnostics;
using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Replication;

/// <summary>WAIT and WAITAOF on a server without replicas.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class WaitTests(ServerKind kind) : ServerFixture(kind)
{
    private static readonly long[] s_nothing = [0, 0];

    [Test]
    public void Nobody_acknowledges_so_that_the_time_is_waited_for()
    {
        using var connection = Server.Connect();
        Assert.That(connection.Call("WAIT", "0", "0").Integer, Is.Zero);
        var clock = Stopwatch.StartNew();
        Assert.That(connection.Call("WAIT", "1", "100").Integer, Is.Zero);
        Assert.That(clock.ElapsedMilliseconds, Is.AtLeast(99));
    }

    [Test]
    public void A_transaction_waits_for_nothing()
    {
        using var connection = Server.Connect();
        _ = connection.Call("MULTI");
        _ = connection.Call("WAIT", "1", "0");
        Assert.That(connection.Call("EXEC").Items.Single().Integer, Is.Zero);
    }

    [TestCase("TIMEOUT", "(integer) 0")]
    [TestCase("ERROR", "(error) UNBLOCKED client unblocked via CLIENT UNBLOCK")]
    public void A_wait_without_an_end_is_ended_by_another_client(string reason, string reply)
    {
        using var control = Server.Connect();
        using var waiting = Server.Connect();
        var id = waiting.Call("CLIENT", "ID").Text;
        waiting.Send("WAIT", "1", "0");
        waiting.Send("PING");
        UnblockWhenBlocked(control, id, reason);
        Assert.That(waiting.ReadReply().ToString(), Is.EqualTo(reply));
        Assert.That(waiting.ReadReply().Text, Is.EqualTo("PONG"));
    }

    [Test]
    public void A_client_that_goes_waits_no_longer()
    {
        using var control = Server.Connect();
        using (var waiting = Server.Connect())
        {
            waiting.Send("WAIT", "1", "0");
            ServerInfo.WaitFor(control, "clients", "blocked_clients", 1);
        }

        ServerInfo.WaitFor(control, "clients", "blocked_clients", 0);
    }

    [Test]
    public void No_file_is_appended_to()
    {
        IgnoreWithoutWaitAof();
        using var connection = Server.Connect();
        Assert.That(Integers(connection.Call("WAITAOF", "0", "0", "0")), Is.EqualTo(s_nothing));
        Assert.That(Integers(connection.Call("WAITAOF", "0", "1", "10")), Is.EqualTo(s_nothing));
        using var control = Server.Connect();
        var id = connection.Call("CLIENT", "ID").Text;
        connection.Send("WAITAOF", "0", "1", "0");
        UnblockWhenBlocked(control, id, "TIMEOUT");
        Assert.That(Integers(connection.ReadReply()), Is.EqualTo(s_nothing));
    }

    [TestCase("1 0 0", "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.")]
    [TestCase("2 0 0", "ERR value is out of range, value must between 0 and 1")]
    [TestCase("-1 0 0", "ERR value is out of range, value must between 0 and 1")]
    [TestCase("x 0 0", "ERR value is not an integer or out of range")]
    [TestCase("1 -1 0", "ERR value is out of range, must be positive")]
    [TestCase("1 0 -1", "ERR timeout is negative")]
    [TestCase("0 1 x", "ERR timeout is not an integer or out of range")]
    [TestCase("0 1 9223372036854775807", "ERR timeout is out of range")]
    [TestCase("0 1", "ERR wrong number of arguments for 'waitaof' command")]
    public void Wrong_arguments_of_WAITAOF_are_refused(string arguments, string error)
    {
        IgnoreWithoutWaitAof();
        using var connection = Server.Connect();
        Assert.That(connection.Call(["WAITAOF", .. arguments.Split(' ')]), Is.EqualTo(RespValue.Error(error)));
    }

    private static IEnumerable<long> Integers(RespValue reply) => reply.Items.Select(item => item.Integer);

    private static void UnblockWhenBlocked(RespConnection control, string id, string reason)
        => Assert.That(
            () => control.Call("CLIENT", "UNBLOCK", id, reason).Integer, Is.EqualTo(1).After(Patience.Ms, 1));

    private void IgnoreWithoutWaitAof()
    {
        using var connection = Server.Connect();
        if (connection.Call("COMMAND", "INFO", "waitaof").Items[0].IsNull)
        {
            Assert.That(Kind, Is.EqualTo(ServerKind.Redis));
            Assert.Ignore("This redis-server is older than 7.2.");
        }
    }
}
