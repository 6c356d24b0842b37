using System.Net.Sockets;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>The memory of a server, as the system sees it, that is asked for more of what is on its disk at a time than
/// its memory limit.</summary>
[TestFixture]
public sealed class ColdMemoryTests
{
    private const int Values = 30;
    private const int ValueBytes = 8 << 20;
    private const long LimitBytes = 64 << 20;
    private const long SlackBytes = (LimitBytes / 8) + (32 << 20);

    private ServerProcess _server = null!;
    private long _idleBytes;

    [SetUp]
    public void Fill()
    {
        _server = StrataProcess.Start("--storage-tier", "yes", "--maxmemory", "64mb", "--workers", "2");
        _idleBytes = _server.ResidentBytes();
        using var connection = _server.Connect();
        for (var i = 0; i < Values; i++)
        {
            Assert.That(connection.Call("SET", $"key:{i}", Value(i)).Text, Is.EqualTo("OK"));
        }
    }

    [TearDown]
    public void Stop() => _server?.Dispose();

    [Test]
    public void Holds_its_limit_with_pipelined_gets()
    {
        var peak = ResidentPeak.Of(_server, () =>
        {
            using var connection = _server.Connect();
            connection.Send(Enumerable.Range(0, Values).Select(i => RespCommand.Of("GET", $"key:{i}")));
            for (var i = 0; i < Values; i++)
            {
                Assert.That(connection.ReadReply().Text, Is.EqualTo(Value(i)));
            }
        });
        Assert.That(peak - _idleBytes, Is.LessThan(LimitBytes + SlackBytes));
    }

    /// <summary>Replies on their way to clients come on top of it, as many as are read slowly.</summary>
    [Test]
    public void Reads_for_many_clients_one_after_the_other()
    {
        const int Clients = 60;
        var peak = ResidentPeak.Of(_server, () =>
        {
            var threads = Enumerable.Range(0, Clients).Select(i => Task.Factory.StartNew(
                () =>
                {
                    using var connection = _server.Connect();
                    var reply = connection.Call("GET", $"key:{i % Values}").Text;
                    return reply == Value(i % Values) ? "the value" : reply?[..Math.Min(reply.Length, 80)];
                },
                TaskCreationOptions.LongRunning)).ToArray();
            Assert.That(Task.WhenAll(threads).Result, Is.All.EqualTo("the value"));
        });
        Assert.That(peak - _idleBytes, Is.LessThan(LimitBytes + (Clients * ValueBytes / 4)));
    }

    /// <summary>What many clients have asked for at once waits until there is memory for the replies that they are
    /// about to read, in the buffers of their runs and connections; none of them is refused or closed.</summary>
    [Test]
    public void Holds_its_limit_with_many_pipelining_clients()
    {
        const int Clients = 400;
        const int Keys = 400;
        const int Each = 10;
        const int Bytes = 500_000;
        using (var connection = _server.Connect())
        {
            var value = new string('v', Bytes);
            for (var i = 0; i < Keys; i++)
            {
                Assert.That(connection.Call("SET", $"mid:{i}", value).Text, Is.EqualTo("OK"));
            }
        }

        var clients = Enumerable.Range(0, Clients).Select(_ => _server.Connect()).ToArray();
        var peak = ResidentPeak.Of(_server, () =>
        {
            for (var i = 0; i < Clients; i++)
            {
                var first = i * 7;
                clients[i].Send(Enumerable.Range(first, Each).Select(n => RespCommand.Of("GET", $"mid:{n % Keys}")));
            }

            ReadAll(clients, Each * ($"${Bytes}\r\n\r\n".Length + Bytes));
        });
        Array.ForEach(clients, static client => client.Dispose());
        Assert.That(peak - _idleBytes, Is.LessThan(LimitBytes + SlackBytes));
    }

    /// <summary>Pages are read back for it, those of large values one after the other.</summary>
    [Test]
    public void Holds_its_limit_while_it_is_saved()
    {
        var peak = ResidentPeak.Of(_server, () =>
        {
            using var connection = _server.Connect();
            Assert.That(connection.Call("SAVE").Text, Is.EqualTo("OK"));
        });
        Assert.That(peak - _idleBytes, Is.LessThan(LimitBytes + SlackBytes));
    }

    [Test]
    public void Refuses_what_can_never_fit()
    {
        var peak = ResidentPeak.Of(_server, () =>
        {
            using var connection = _server.Connect();
            var reply = connection.Call(["MGET", .. Enumerable.Range(0, Values).Select(i => $"key:{i}")]);
            Assert.That(reply.Text, Does.StartWith("OOM The values on the disk"));
        });
        Assert.That(peak - _idleBytes, Is.LessThan(LimitBytes + SlackBytes));
    }

    /// <summary>What a command has made leaves memory before the collections are made large again that the next one
    /// needs: the two, and what is made of them, are all that there is memory for.</summary>
    [Test]
    public void Holds_its_limit_with_large_collections()
    {
        const int Members = 120_000;
        const int Together = 5_000;
        var peak = ResidentPeak.Of(_server, () =>
        {
            using var connection = _server.Connect();
            foreach (var key in (string[])["one", "two"])
            {
                for (var i = 0; i < Members; i += Together)
                {
                    var members = Enumerable.Range(i, Together).SelectMany(n => (string[])[$"{n}", $"{key}:{n}"]);
                    Assert.That(connection.Call(["ZADD", key, .. members]).Integer, Is.EqualTo(Together));
                }
            }

            Assert.That(connection.Call("ZUNIONSTORE", "both", "2", "one", "two").Integer, Is.EqualTo(2 * Members));
            Assert.That(connection.Call("ZUNION", "2", "one", "two").Items, Has.Count.EqualTo(2 * Members));
        });
        Assert.That(peak - _idleBytes, Is.LessThan(LimitBytes + SlackBytes));
    }

    /// <summary>Reads so many bytes of each client's, as they come.</summary>
    private static void ReadAll(IEnumerable<RespConnection> clients, int bytes)
    {
        var left = clients.ToDictionary(static client => client.Socket, _ => bytes);
        var buffer = new byte[256 << 10];
        while (left.Count > 0)
        {
            var ready = left.Keys.ToList();
            Socket.Select(ready, null, null, TimeSpan.FromMilliseconds(Patience.Ms));
            Assert.That(ready, Is.Not.Empty, "all are answered");
            foreach (var socket in ready)
            {
                var received = socket.Receive(buffer);
                Assert.That(received, Is.GreaterThan(0), "nobody who reads is closed");
                left[socket] -= received;
                if (left[socket] <= 0)
                {
                    left.Remove(socket);
                }
            }
        }
    }

    private static string Value(int i) => new((char)('A' + i), ValueBytes);
}
