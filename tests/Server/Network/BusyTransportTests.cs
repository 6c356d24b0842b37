using NUnit.Framework;
using Strata.Tests.Server.Execution.Scripts;

namespace Strata.Tests.Server.Network;

/// <summary>A worker whose script is slow, over every transport.</summary>
[TestFixture]
internal sealed class BusyTransportTests
{
    private const string Eval = "*3\r\n$4\r\nEVAL\r\n$17\r\nwhile true do end\r\n$1\r\n0\r\n";
    private const string Busy = "-" + BusyServer.Busy + "\r\n";

    [Test]
    public void Others_are_answered_and_can_end_it([Values] TransportKind scripts, [Values] TransportKind others)
    {
        using var server = new TransportServer("--busy-reply-threshold", "20");
        using var caller = server.Connect(scripts);
        using var other = server.Connect(others);
        Assert.That(other.Call("PING\r\n", "+PONG\r\n"), Is.EqualTo("+PONG\r\n"));
        caller.Send(Eval + "PING\r\n");
        TransportServer.Until(() => server.Server.Services.Scripts.IsAnySlow);
        caller.Send("ECHO later\r\n");
        Assert.That(other.Call("PING\r\nGET", Busy), Is.EqualTo(Busy));
        Assert.That(other.Call(" k\r\n", Busy), Is.EqualTo(Busy));
        using (var late = server.Connect(others))
        {
            Assert.That(late.Call("PING\r\n", Busy), Is.EqualTo(Busy));
            Assert.That(late.Call("QUIT\r\n", "+OK\r\n"), Is.EqualTo("+OK\r\n"));
            Assert.That(late.ReadToEnd(), Is.Empty);
        }

        Assert.That(other.Call("SCRIPT KILL\r\n", "+OK\r\n"), Is.EqualTo("+OK\r\n"));
        Assert.That(caller.ReadLine(), Does.StartWith("-" + BusyServer.Killed));
        Assert.That(caller.Read(7), Is.EqualTo("+PONG\r\n"));
        Assert.That(caller.Read(11), Is.EqualTo("$5\r\nlater\r\n"));
        Assert.That(other.Call("PING\r\n", "+PONG\r\n"), Is.EqualTo("+PONG\r\n"));
    }
}
