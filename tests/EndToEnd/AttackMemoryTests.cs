using System.Net.Sockets;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Many clients that have the server hold as much as it takes from each, and read nothing: its memory, as the
/// system sees it, stays within the limit, what may be held beyond, and what the runtime needs.</summary>
[TestFixture(false)]
[TestFixture(true)]
public sealed class AttackMemoryTests(bool hasTier)
{
    private const long LimitBytes = 64 << 20;
    private const long SlackBytes = (LimitBytes / 8) + (32 << 20);
    private const int AtOnce = 256 << 10;
    private const int IdleMs = 500;

    private readonly List<RespConnection> _clients = [];
    private ServerProcess _server = null!;
    private long _idleBytes;

    [SetUp]
    public void Start()
    {
        string[] tier = hasTier ? ["--storage-tier", "yes"] : [];
        _server = StrataProcess.Start(["--maxmemory", "64mb", "--workers", "2", .. tier]);
        _idleBytes = _server.ResidentBytes();
    }

    [TearDown]
    public void Stop()
    {
        _clients.ForEach(static client => client.Dispose());
        _clients.Clear();
        _server?.Dispose();
    }

    /// <summary>What each has sent waits with it, on a server that may find memory for it by writing to the disk.
    /// </summary>
    [Test]
    public void Holds_its_limit_while_clients_queue_commands()
    {
        var set = RespCommand.Of("SET", "k", new string('v', 1000)).Encode();
        byte[] all = [.. RespCommand.Of("MULTI").Encode(), .. Enumerable.Repeat(set, 100).SelectMany(bytes => bytes)];
        AssertHolds(clients: 1500, all);
    }

    [Test]
    public void Holds_its_limit_while_clients_give_themselves_long_names()
    {
        var name = new string('n', 16_000);
        byte[] all =
        [
            .. RespCommand.Of("CLIENT", "SETNAME", name).Encode(),
            .. RespCommand.Of("CLIENT", "SETINFO", "LIB-NAME", name).Encode(),
            .. RespCommand.Of("CLIENT", "SETINFO", "LIB-VER", name).Encode(),
        ];
        AssertHolds(clients: 1500, all);
    }

    [Test]
    public void Holds_its_limit_while_names_that_are_too_long_are_refused()
    {
        var name = new string('n', 12_000_000);
        var peak = ResidentPeak.Of(_server, () =>
        {
            using var connection = _server.Connect();
            for (var i = 0; i < 6; i++)
            {
                Assert.That(connection.Call("CLIENT", "SETNAME", name).Text, Does.Contain("at most"));
                Assert.That(connection.Call("HELLO", "3", "SETNAME", name).Text, Does.Contain("at most"));
                Assert.That(
                    connection.Call("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", name).Text, Does.Contain("at most"));
                Assert.That(connection.Call("ACL", "SETUSER", "user", "~" + name).Text, Does.Contain("at most"));
            }
        });
        AssertHeld(peak);
    }

    [Test]
    public void Holds_its_limit_while_commands_of_many_clients_are_unfinished()
    {
        var command = RespCommand.Of("SET", "k", new string('v', 64_000)).Encode();
        AssertHolds(clients: 1800, command[..^4000]);
    }

    [Test]
    public void Holds_its_limit_while_large_values_are_not_read()
    {
        const int Values = 2000;
        const int Bytes = 60_000;
        Fill(Values, Bytes);
        var gets = Enumerable.Range(0, 20).SelectMany(i => RespCommand.Of("GET", $"key:{i * 7}").Encode());
        AssertHolds(clients: 1500, [.. gets]);
    }

    [Test]
    public void Holds_its_limit_while_long_arguments_are_answered()
    {
        var text = new string('e', 30_000_000);
        AssertHolds(clients: 2, [.. RespCommand.Of("ECHO", text).Encode(), .. RespCommand.Of("PING", text).Encode()]);
    }

    /// <summary>Commands that may write.</summary>
    [Test]
    public void Holds_its_limit_while_one_value_is_answered_many_times()
    {
        using (var connection = _server.Connect())
        {
            _ = connection.Call("SET", "large:1", new string('v', 8_000_000));
            _ = connection.Call("RPUSH", "list", "1");
            _ = connection.Call("XADD", "stream", "1-1", "field", new string('v', 8_000_000));
            _ = connection.Call("XGROUP", "CREATE", "stream", "group", "0");
            _ = connection.Call("XREADGROUP", "GROUP", "group", "reader", "STREAMS", "stream", ">");
        }

        string[] sort = ["SORT", "list", .. Enumerable.Repeat("large:*", 200).SelectMany(key => new[] { "GET", key })];
        string[] claim = ["XCLAIM", "stream", "group", "other", "0", .. Enumerable.Repeat("1-1", 200)];
        var peak = ResidentPeak.Of(_server, () =>
        {
            using var connection = _server.Connect();
            Assert.That(connection.Call(sort).Text, Does.StartWith("OOM"));
            Assert.That(connection.Call(claim).Text, Does.StartWith("OOM"));
        });
        AssertHeld(peak);
    }

    /// <summary>All workers share a long message, and it is refused where there is no memory for what is made of it.
    /// </summary>
    [Test]
    public void Holds_its_limit_while_long_messages_are_not_read()
    {
        const int Subscribers = 40;
        for (var i = 0; i < Subscribers; i++)
        {
            _clients.Add(_server.Connect());
            _clients[^1].Socket.ReceiveBufferSize = 4096;
            Assert.That(_clients[^1].Call("SUBSCRIBE", "channel").Items, Has.Count.EqualTo(3));
        }

        var message = new string('m', 20_000_000);
        var peak = ResidentPeak.Of(_server, () =>
        {
            using var publisher = _server.Connect();
            for (var i = 0; i < 5; i++)
            {
                var reply = publisher.Call("PUBLISH", "channel", message);
                Assert.That(reply.IsError ? reply.Text : "OOM", Does.StartWith("OOM"));
            }
        });
        AssertHeld(peak);
    }

    /// <summary>What is found lies apart until it is sorted, and then the reply until it is taken.</summary>
    [Test]
    public void Holds_its_limit_while_clients_search_around_a_place()
    {
        const int Members = 100_000;
        using (var connection = _server.Connect())
        {
            for (var first = 0; first < Members; first += 1000)
            {
                var members = Enumerable.Range(first, 1000).SelectMany(
                    i => new[] { $"{i % 180}", $"{i % 85}", $"m{i}" });
                Assert.That(connection.Call(["GEOADD", "places", .. members]).Integer, Is.EqualTo(1000));
            }
        }

        var search = RespCommand.Of(
            "GEOSEARCH", "places", "FROMLONLAT", "0", "0", "BYRADIUS", "20000", "km", "ASC", "WITHCOORD").Encode();
        AssertHolds(clients: 60, [.. search, .. search, .. search]);
    }

    private void Fill(int values, int bytes)
    {
        using var connection = _server.Connect();
        var value = new string('v', bytes);
        for (var i = 0; i < values && !connection.Call("SET", $"key:{i}", value).IsError; i++)
        {
            // Without a tier as many as there is memory for.
        }
    }

    /// <summary>Has clients send the same until the server takes no more.</summary>
    private void AssertHolds(int clients, byte[] all)
    {
        for (var i = 0; i < clients; i++)
        {
            _clients.Add(_server.Connect());
            _clients[^1].Socket.ReceiveBufferSize = 4096;
            _clients[^1].Socket.Blocking = false;
        }

        AssertHeld(ResidentPeak.Of(_server, () => SendAll(all)));
        using var other = _server.Connect();
        Assert.That(other.Call("PING"), Is.EqualTo(RespValue.Simple("PONG")));
    }

    private void AssertHeld(long peak)
        => Assert.That((peak - _idleBytes) >> 20, Is.LessThan((LimitBytes + SlackBytes) >> 20), "MB");

    private void SendAll(byte[] all)
    {
        var left = _clients.ToDictionary(static client => client.Socket, _ => 0);
        while (left.Count > 0)
        {
            var ready = left.Keys.ToList();
            Socket.Select(null, ready, null, TimeSpan.FromMilliseconds(IdleMs));
            if (ready.Count == 0)
            {
                return;
            }

            foreach (var socket in ready)
            {
                left[socket] += Send(socket, all, left[socket]);
                if (left[socket] >= all.Length)
                {
                    left.Remove(socket);
                }
            }
        }
    }

    /// <returns>Bytes sent; all that are left where the server has closed the connection, as it may.</returns>
    private static int Send(Socket socket, byte[] all, int from)
    {
        try
        {
            return socket.Send(all.AsSpan(from, Math.Min(AtOnce, all.Length - from)));
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.WouldBlock)
        {
            return 0;
        }
        catch (SocketException exception) when (exception.SocketErrorCode
            is SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.Shutdown)
        {
            return all.Length;
        }
    }
}
