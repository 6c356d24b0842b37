using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NUnit.Framework;
using Strata.Bench.Servers;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>CONFIG SET of where the server listens.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ListeningChangeTests(ServerKind kind) : ServerFixture(kind)
{
    private const string Failed = "ERR CONFIG SET failed (possibly related to argument '";

    [Test]
    public void The_port_changes_and_clients_stay()
    {
        using var server = StartWith();
        using var other = ReservedPort.Take();
        using var client = server.Connect();
        using var old = server.Connect();
        Assert.That(old.Call("SET", "k", "v").Text, Is.EqualTo("OK"));

        Assert.That(client.Call("CONFIG", "SET", "port", Text(other.Number)).Text, Is.EqualTo("OK"));

        Assert.That(CanConnect(IPAddress.Loopback, server.Port), Is.False, "the old port is closed");
        using var later = RespConnection.Connect(other.Number);
        Assert.That(later.Call("GET", "k").Text, Is.EqualTo("v"));
        Assert.That(old.Call("GET", "k").Text, Is.EqualTo("v"));
        Assert.That(client.Call("CONFIG", "GET", "port").Items[1].Text, Is.EqualTo(Text(other.Number)));

        Assert.That(client.Call("CONFIG", "SET", "port", "0").Text, Is.EqualTo("OK"));
        Assert.That(CanConnect(IPAddress.Loopback, other.Number), Is.False, "0 listens on none");
        Assert.That(client.Call("CONFIG", "SET", "port", Text(server.Port)).Text, Is.EqualTo("OK"));
        Assert.That(CanConnect(IPAddress.Loopback, server.Port));
    }

    [Test]
    public void A_port_that_is_taken_leaves_all_as_it_was()
    {
        using var server = StartWith();
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var port = Text(((IPEndPoint)taken.LocalEndpoint).Port);
        using var client = server.Connect();

        Assert.That(
            client.Call("CONFIG", "SET", "timeout", "7", "maxclients", "77", "port", port).Text,
            Is.EqualTo($"{Failed}port') - Unable to listen on this port. Check server logs."));

        Assert.That(CanConnect(IPAddress.Loopback, server.Port));
        Assert.That(client.Call("CONFIG", "GET", "port").Items[1].Text, Is.EqualTo(Text(server.Port)));
        Assert.That(client.Call("CONFIG", "GET", "timeout").Items[1].Text, Is.EqualTo("0"));
        Assert.That(client.Call("CONFIG", "GET", "maxclients").Items[1].Text, Is.Not.EqualTo("77"));
    }

    [Test]
    public void The_addresses_change_also_to_all_and_back()
    {
        using var server = StartWith();
        using var client = server.Connect();
        var second = IPAddress.Parse("127.0.0.2");
        foreach (var (bind, hasFirst, hasSecond) in new[]
        {
            ("127.0.0.2", false, true),
            ("127.0.0.1 127.0.0.2", true, true),
            ("*", true, true),
            ("127.0.0.1", true, false),
            ("0.0.0.0 -10.255.255.1", true, true),
            ("127.0.0.1", true, false),
        })
        {
            Assert.That(client.Call("CONFIG", "SET", "bind", bind).Text, Is.EqualTo("OK"), bind);
            Assert.That(CanConnect(IPAddress.Loopback, server.Port), Is.EqualTo(hasFirst), $"127.0.0.1 by {bind}");
            Assert.That(CanConnect(second, server.Port), Is.EqualTo(hasSecond), $"127.0.0.2 by {bind}");
        }
    }

    [TestCase("127.0.0.2 10.255.255.1")]
    [TestCase("0.0.0.0 10.255.255.1")]
    [TestCase("127.0.0.1 127.0.0.1")]
    public void An_address_that_is_not_to_be_had_leaves_all_as_it_was(string bind)
    {
        using var server = StartWith();
        using var client = server.Connect();

        Assert.That(
            client.Call("CONFIG", "SET", "bind", bind, "timeout", "7").Text,
            Is.EqualTo($"{Failed}bind') - Failed to bind to specified addresses."));

        Assert.That(CanConnect(IPAddress.Loopback, server.Port));
        Assert.That(CanConnect(IPAddress.Parse("127.0.0.2"), server.Port), Is.False);
        Assert.That(client.Call("CONFIG", "GET", "bind").Items[1].Text, Is.EqualTo("127.0.0.1"));
        Assert.That(client.Call("CONFIG", "GET", "timeout").Items[1].Text, Is.EqualTo("0"));
    }

    [Test]
    public void Both_change_in_a_transaction_and_in_a_pipeline()
    {
        using var server = StartWith();
        using var one = ReservedPort.Take();
        using var two = ReservedPort.Take();
        using var client = server.Connect();
        client.SendRaw(
            $"MULTI\r\nCONFIG SET bind 127.0.0.2 port {one.Number}\r\nEXEC\r\n"
            + $"CONFIG SET port {two.Number} bind 127.0.0.1\r\nPING\r\n");
        Assert.That(client.ReadReply().Text, Is.EqualTo("OK"));
        Assert.That(client.ReadReply().Text, Is.EqualTo("QUEUED"));
        Assert.That(client.ReadReply().Items[0].Text, Is.EqualTo("OK"));
        Assert.That(client.ReadReply().Text, Is.EqualTo("OK"));
        Assert.That(client.ReadReply().Text, Is.EqualTo("PONG"));
        Assert.That(CanConnect(IPAddress.Loopback, two.Number));
        Assert.That(CanConnect(IPAddress.Parse("127.0.0.2"), one.Number), Is.False);
    }

    private static string Text(int port) => port.ToString(CultureInfo.InvariantCulture);

    private static bool CanConnect(IPAddress address, int port)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Connect(address, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
