using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Connection;

/// <summary>What monitors see of clients on all workers, and what they must not see.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class MonitorTests(ServerKind kind) : ServerFixture(kind)
{
    /// <summary>The answer to MONITOR may wait to be sent together with others' when the first line comes, and cannot
    /// be sent.</summary>
    [Test]
    public void Monitors_may_go_at_any_time()
    {
        const int Monitors = 300;
        var isOver = false;
        var writers = Enumerable.Range(0, 3).Select(_ => Task.Run(() =>
        {
            using var writer = Server.Connect();
            while (!Volatile.Read(ref isOver))
            {
                Assert.That(writer.Call("SET", "k", "v").Text, Is.EqualTo("OK"));
            }
        })).ToArray();
        for (var i = 0; i < Monitors; i++)
        {
            using var monitor = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            monitor.Connect(IPAddress.Loopback, Server.Port);
            monitor.LingerState = new LingerOption(enable: true, seconds: 0); // A reset.
            monitor.Send("MONITOR\r\n"u8);
        }

        Volatile.Write(ref isOver, true);
        Task.WaitAll(writers);
        using var client = Server.Connect();
        Assert.That(client.Call("PING").Text, Is.EqualTo("PONG"));
    }

    [Test]
    public void Each_clients_commands_come_in_order_without_passwords()
    {
        using var monitor = Server.Connect();
        Assert.That(monitor.Call("MONITOR").Text, Is.EqualTo("OK"));
        using var clients = new ConnectionSet(Server, 3);
        for (var i = 0; i < 3; i++)
        {
            clients.All[i].SendRaw(
                $"SELECT {i}\r\nGET k\r\nGET k\r\nAUTH pass{i}\r\nHELLO 3 AUTH default word\r\n"
                + "CONFIG GET x\r\nNOPE\r\nGET\r\nECHO \"\\x00\\n\"\r\nQUIT\r\n");
            clients.All[i].ReadToEnd();
        }

        for (var i = 0; i < 3; i++)
        {
            var client = Regex.Escape($"[{i} ");
            string[] expected =
            [
                $"\"SELECT\" \"{i}\"", "\"GET\" \"k\"", "\"GET\" \"k\"", "\"AUTH\" \"(redacted)\"",
                "\"HELLO\" \"3\" \"AUTH\" \"(redacted)\" \"(redacted)\"", "\"ECHO\" \"\\x00\\n\"", "\"QUIT\"",
            ];
            foreach (var command in expected)
            {
                var line = monitor.ReadReply().Text;
                Assert.That(line, Does.Match($@"^\d+\.\d{{6}} {client}127\.0\.0\.1:\d+\] {Regex.Escape(command)}$"));
            }
        }
    }

    [Test]
    public void A_monitor_leaves_the_keys_alone_and_can_be_reset()
    {
        using var monitor = Server.Connect();
        monitor.Call("MONITOR");
        Assert.That(monitor.Call("GET", "k").Text, Is.EqualTo("ERR Replica can't interact with the keyspace"));
        Assert.That(monitor.Call("PING").Text, Is.EqualTo("PONG"));
        Assert.That(monitor.ReadReply().Text, Does.EndWith("\"PING\""), "its own commands too");

        Assert.That(monitor.Call("RESET").Text, Is.EqualTo("RESET"));
        using var other = Server.Connect();
        other.Call("PING");
        Assert.That(monitor.Call("GET", "k").IsNull);
    }

    [Test]
    public void A_monitor_that_does_not_read_is_cut_off()
    {
        using var server = StartWith("--client-output-buffer-limit", "normal 2mb 0 0");
        using var monitor = server.Connect();
        monitor.Call("MONITOR");
        using var client = server.Connect();
        var value = new string('v', 100_000);
        for (var i = 0; i < 200; i++)
        {
            Assert.That(client.Call("ECHO", value).Text, Has.Length.EqualTo(value.Length));
        }

        Assert.That(client.Call("CLIENT", "LIST").Text.Split('\n', StringSplitOptions.RemoveEmptyEntries),
            Has.Length.EqualTo(1));
    }
}
