using System.Net.Sockets;
using NUnit.Framework;
using Strata.Tests.Server.Execution;
using Strata.Tests.Support;
using Strata.Tests.Support.Fuzzing;

namespace Strata.Tests.Server.Network;

/// <summary>
/// Clients that send anything, in any pieces: each gets whole replies and the end of the connection, others are served,
/// and no memory stays behind. <see cref="FuzzRun"/> says how it goes on for hours.
/// </summary>
[TestFixture("1", "")]
[TestFixture("2", "open sesame")]
internal sealed class ProtocolFuzzTests(string workers, string password)
{
    private const int CasesBetweenLooks = 200;
    private const long SlackBytes = 4 << 20;

    [Test]
    public void Any_input_is_answered_and_leaves_nothing_behind()
    {
        using var server = new ServerInProcess(
            device: null, "--maxmemory", "128mb", "--workers", workers, "--requirepass", password);
        using var friend = server.Connect();
        Enter(friend);

        var before = Rest(server, friend);
        var tried = 0;
        FuzzRun.Of(1_000, random =>
        {
            using var hostile = server.Connect();
            if (random.Next(4) != 0)
            {
                Enter(hostile);
            }

            Send(hostile, RandomInput.Next(random), random);
            _ = new ReplyStream(hostile.ReadToEnd()).Count();
            Assert.That(friend.Call("PING").Text, Is.EqualTo("PONG"));
            if (++tried % CasesBetweenLooks == 0)
            {
                Assert.That(Rest(server, friend), Is.LessThan(before + SlackBytes));
            }
        });
    }

    private void Enter(RespConnection client)
    {
        if (password.Length > 0)
        {
            Assert.That(client.Call("AUTH", password).Text, Is.EqualTo("OK"));
        }
    }

    private static void Send(RespConnection client, byte[] input, Random random)
    {
        try
        {
            for (var at = 0; at < input.Length;)
            {
                var end = random.Next(2) == 0 ? input.Length : Math.Min(input.Length, at + random.Next(1, 200));
                client.SendRaw(input.AsSpan(at, end - at));
                at = end;
            }

            client.Socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // The server has closed the connection: what it has said can be read all the same.
            Assert.That(client.HasInput(Patience.Ms));
        }
    }

    /// <summary>What the server takes when there is no data and nobody else.</summary>
    private static long Rest(ServerInProcess server, RespConnection friend)
    {
        var deadline = Environment.TickCount64 + Patience.Ms;
        while (!friend.Call("INFO", "clients").Text.Contains("connected_clients:1\r\n", StringComparison.Ordinal))
        {
            Assert.That(Environment.TickCount64, Is.LessThan(deadline), "all others are gone");
            Thread.Sleep(5);
        }

        foreach (var command in (string[][])[["FLUSHALL"], ["SCRIPT", "FLUSH"], ["FUNCTION", "FLUSH"]])
        {
            Assert.That(friend.Call(command).Text, Is.EqualTo("OK"));
        }

        return server.Server.Context.Shards.Budget.UsedBytes;
    }
}
