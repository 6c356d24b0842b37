using System.Net.Sockets;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Clients that ask for more than they read: it costs their own connection, not the server.</summary>
public sealed class SlowReaderTests
{
    private const long Megabyte = 1024 * 1024;
    private const int ValueBytes = 100_000;
    private const int Requests = 5_000; // 500 MB of replies
    private const int MostGrowthMegabytes = 96;

    private static readonly byte[] s_get = RespCommand.Of("GET", "big").Encode();

    [TestCase(ServerKind.Strata)]
    [TestCase(ServerKind.Redis)]
    public void Over_the_output_limit_memory_stays_bounded_and_others_are_served(ServerKind kind)
    {
        using var server = ServerProcess.Start(kind);
        using var control = WithBigValue(server);
        Assert.That(
            control.Call("CONFIG", "SET", "client-output-buffer-limit", "normal 16mb 8mb 5").Text, Is.EqualTo("OK"));
        var before = server.ResidentBytes();

        using var greedy = server.Connect();
        Flood(greedy);

        AssertServes(server, control, before);
    }

    /// <summary>Strata alone: without a limit Redis keeps all replies in memory.</summary>
    [Test]
    public void Without_a_limit_a_reader_that_falls_behind_is_waited_for_and_gets_everything()
    {
        using var server = StrataProcess.Start();
        using var control = WithBigValue(server);
        var before = server.ResidentBytes();

        using var greedy = server.Connect();
        var sentBytes = Flood(greedy);
        AssertServes(server, control, before);

        for (var i = 0L; i < sentBytes / s_get.Length; i++)
        {
            Assert.That(greedy.ReadReply().Bytes, Has.Length.EqualTo(ValueBytes), $"reply {i}");
        }
    }

    private static RespConnection WithBigValue(ServerProcess server)
    {
        var control = server.Connect();
        Assert.That(control.Call("SET", "big", new string('b', ValueBytes)).Text, Is.EqualTo("OK"));
        return control;
    }

    /// <summary>Sends as many requests as the server takes, reading nothing.</summary>
    /// <returns>The bytes it took.</returns>
    private static long Flood(RespConnection greedy)
    {
        var all = Enumerable.Repeat(s_get, Requests).SelectMany(bytes => bytes).ToArray();
        var sent = 0;
        greedy.Socket.Blocking = false;
        try
        {
            while (sent < all.Length && greedy.Socket.Poll(TimeSpan.FromSeconds(1), SelectMode.SelectWrite))
            {
                sent += greedy.Socket.Send(all.AsSpan(sent));
            }
        }
        catch (SocketException e) when (e.SocketErrorCode
            is SocketError.ConnectionReset or SocketError.Shutdown or SocketError.ConnectionAborted)
        {
            // The server closed the connection over its limit, which is one of the two right answers.
            return sent;
        }
        finally
        {
            greedy.Socket.Blocking = true;
        }

        Thread.Sleep(500); // the server goes on with what it has received
        return sent;
    }

    private static void AssertServes(ServerProcess server, RespConnection control, long before)
    {
        Assert.That(control.Call("PING"), Is.EqualTo(RespValue.Simple("PONG")));
        using var other = server.Connect();
        Assert.That(other.Call("GET", "big").Bytes, Has.Length.EqualTo(ValueBytes));
        Assert.That((server.ResidentBytes() - before) / Megabyte, Is.LessThan(MostGrowthMegabytes), "MB of growth");
    }
}
