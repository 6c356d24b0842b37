using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>A server whose only thread for clients executes a script without end.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
internal sealed class SlowScriptEndTests(ServerKind kind)
{
    private const string Endless = "while true do end";
    private ServerProcess _server = null!;
    private RespConnection _caller = null!;

    [SetUp]
    public void SetUp()
    {
        string[] flags = ["--busy-reply-threshold", "20"];
        _server = ServerProcess.Start(
            kind, kind == ServerKind.Strata ? [.. flags, "--workers", "1"] : [.. flags, "--save", ""]);
        _caller = _server.Connect();
    }

    [TearDown]
    public void TearDown()
    {
        _caller.Dispose();
        _server.Dispose();
    }

    [Test]
    public void New_clients_are_told_and_can_end_the_script()
    {
        using var client = Begin(Endless);
        Assert.That(client.Call("SCRIPT", "KILL").Text, Is.EqualTo("OK"));
        Assert.That(_caller.ReadReply().Text, Does.StartWith("ERR Script killed by user with SCRIPT KILL"));
        Assert.That(_caller.Call("PING").Text, Is.EqualTo("PONG"));
    }

    [Test]
    public void One_that_has_written_ends_with_the_server_by_shutdown_nosave()
    {
        using var client = Begin("redis.call('SET', 'k', 'v') " + Endless);
        Assert.That(client.Call("SCRIPT", "KILL").Text, Does.StartWith("UNKILLABLE"));
        Assert.That(client.Call("SHUTDOWN").Text, Does.StartWith("BUSY"));
        client.Send("SHUTDOWN", "NOSAVE");
        Assert.That(client.ReadToEnd(), Is.Empty);
        Assert.That(_caller.ReadToEnd(), Is.Empty);
        Assert.That(_server.WaitForExit(), Is.Zero, _server.Output);
    }

    [TestCase(Posix.SigTerm)]
    [TestCase(Posix.SigInt)]
    public void A_signal_waits_for_the_scripts_end(int signal)
    {
        using var client = Begin(Endless);
        Posix.Signal(_server.Pid, signal);
        for (var i = 0; i < 300; i++)
        {
            Assert.That(client.Call("PING").Text, Does.StartWith("BUSY"));
        }

        client.Send("SCRIPT", "KILL");
        var reply = Encoding.Latin1.GetString(client.ReadToEnd());
        Assert.That(reply, kind == ServerKind.Redis
            ? Is.EqualTo("+OK\r\n").Or.Empty // It may end before it has sent all.
            : Is.EqualTo("+OK\r\n"));
        Assert.That(_server.WaitForExit(), Is.Zero, _server.Output);
    }

    [TestCase(Posix.SigTerm)]
    [TestCase(Posix.SigInt)]
    public void A_second_signal_ends_it_at_once_if_it_is_an_interrupt(int first)
    {
        using var client = Begin("redis.call('SET', 'k', 'v') " + Endless);
        Posix.Signal(_server.Pid, first);
        Assert.That(() => _server.Output, Does.Contain(kind == ServerKind.Redis ? "scheduling" : "SIGINT")
            .After(Patience.Ms, 5));
        Posix.Signal(_server.Pid, Posix.SigTerm);
        Assert.That(client.Call("PING").Text, Does.StartWith("BUSY"));
        Posix.Signal(_server.Pid, Posix.SigInt);
        Assert.That(_server.WaitForExit(), Is.EqualTo(1), _server.Output);
    }

    /// <summary>Executes a script, and returns when it is slow.</summary>
    /// <returns>A client that has come since.</returns>
    private RespConnection Begin(string script)
    {
        using var before = _server.Connect();
        _caller.Send("EVAL", script, "0");
        while (!before.Call("PING").Text.StartsWith("BUSY", StringComparison.Ordinal))
        {
            Thread.Yield();
        }

        var client = _server.Connect();
        Assert.That(client.Call("PING").Text, Does.StartWith("BUSY"));
        return client;
    }
}
