using System.Globalization;
using System.Net.Sockets;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Many publishers and subscribers at once, on one worker and on several.</summary>
[TestFixture(1, Category = TestCategories.Long)]
[TestFixture(2)]
[TestFixture(4, Category = TestCategories.Long)]
public sealed class PubSubLoadTests(int workers)
{
    private const int Publishers = 3;
    private const int Messages = 2_000;

    [Test]
    public void Every_subscriber_gets_every_publisher_s_messages_in_order()
    {
        using var server = Start();
        using var subscribers = new ConnectionSet(server, 9);
        for (var i = 0; i < subscribers.All.Count; i++)
        {
            _ = subscribers.All[i].Call("HELLO", i % 2 == 0 ? "2" : "3");
            _ = i % 3 == 0
                ? subscribers.All[i].Call("PSUBSCRIBE", "order:*")
                : subscribers.All[i].Call("SUBSCRIBE", "order:x");
        }

        var publishing = Enumerable.Range(0, Publishers).Select(p => Task.Run(() => Publish(server, p))).ToArray();
        var reading = subscribers.All.Select(connection => Task.Run(() => AssertOrder(connection))).ToArray();
        Task.WaitAll(publishing);
        Task.WaitAll(reading);
    }

    [Test]
    public void A_subscriber_that_reads_too_slowly_is_cut_off_and_the_others_get_everything()
    {
        using var server = Start();
        using var publisher = server.Connect();
        using var fast = server.Connect();
        using var slow = server.Connect();
        _ = publisher.Call("CONFIG", "SET", "client-output-buffer-limit", "pubsub 2mb 1mb 60");
        _ = fast.Call("SUBSCRIBE", "c");
        _ = slow.Call("SUBSCRIBE", "c");
        var message = new string('m', 100_000);
        var received = 0L;
        for (var i = 0; i < 200; i++)
        {
            received = publisher.Call("PUBLISH", "c", message).Integer;
            Assert.That(fast.ReadReply().Items[2].Bytes, Has.Length.EqualTo(message.Length));
        }

        Assert.That(received, Is.EqualTo(1));
        Assert.That(CountOf(publisher, "c"), Is.EqualTo(1));
        AssertEnds(slow);
    }

    [Test]
    public void Publishers_wait_for_deliveries_and_nothing_is_lost()
    {
        using var server = Start();
        using var control = server.Connect();
        _ = control.Call("CONFIG", "SET", "client-output-buffer-limit", "pubsub 0 0 0");
        using var subscribers = new ConnectionSet(server, 6);
        foreach (var subscriber in subscribers.All)
        {
            _ = subscriber.Call("SUBSCRIBE", "c");
        }

        var message = new string('m', 20_000);
        var one = RespCommand.Of("PUBLISH", "c", message).Encode();
        var batch = Enumerable.Repeat(one, 300).SelectMany(bytes => bytes).ToArray();
        var publishing = Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
        {
            using var publisher = server.Connect();
            publisher.SendRaw(batch);
            AssertAll(publisher, 300, reply => reply.Integer == 6);
        }));
        var reading = subscribers.All.Select(subscriber => Task.Run(() =>
            AssertAll(subscriber, 600, reply => reply.Items[2].Bytes.Length == message.Length)));
        Task.WaitAll([.. publishing, .. reading]);
        Assert.That(control.Call("PING").Text, Is.EqualTo("PONG"));
    }

    [Test]
    public void Subscribers_come_and_go_while_messages_are_delivered()
    {
        using var server = Start();
        using var cancel = new CancellationTokenSource();
        var publishing = Enumerable.Range(0, 2).Select(_ => Task.Run(() => PublishUntil(server, cancel.Token)));
        var coming = Enumerable.Range(0, 6).Select(seed => Task.Run(() => ComeAndGo(server, seed)));
        var running = publishing.ToArray();
        Task.WaitAll([.. coming]);
        cancel.Cancel();
        Task.WaitAll(running);

        using var asking = server.Connect();
        Assert.That(() => asking.Call("PUBSUB", "CHANNELS").Items, Is.Empty.After(Patience.Ms, 10));
        Assert.That(asking.Call("PUBSUB", "NUMPAT").Integer, Is.Zero);
        Assert.That(asking.Call("PUBLISH", "c1", "m").Integer, Is.Zero);
    }

    private ServerProcess Start()
        => StrataProcess.Start("--workers", workers.ToString(CultureInfo.InvariantCulture));

    private static void Publish(ServerProcess server, int publisher)
    {
        using var connection = server.Connect();
        for (var i = 0; i < Messages; i += 100)
        {
            var batch = Enumerable.Range(i, 100)
                .SelectMany(n => RespCommand.Of("PUBLISH", "order:x", $"{publisher} {n}").Encode());
            connection.SendRaw([.. batch]);
            for (var n = 0; n < 100; n++)
            {
                Assert.That(connection.ReadReply().Integer, Is.EqualTo(9));
            }
        }
    }

    private static void AssertOrder(RespConnection subscriber)
    {
        var next = new int[Publishers];
        for (var i = 0; i < Publishers * Messages; i++)
        {
            var message = subscriber.ReadReply().Items[^1].Text.Split(' ');
            var publisher = int.Parse(message[0], CultureInfo.InvariantCulture);
            Assert.That(message[1], Is.EqualTo(next[publisher]++.ToString(CultureInfo.InvariantCulture)));
        }
    }

    private static void PublishUntil(ServerProcess server, CancellationToken cancel)
    {
        using var connection = server.Connect();
        while (!cancel.IsCancellationRequested)
        {
            connection.SendRaw("PUBLISH c1 aaaa\r\nPUBLISH c2 bbbb\r\nPUBLISH c1 cccc\r\n");
            for (var i = 0; i < 3; i++)
            {
                // Six at a time, by channel and by pattern; those that just left count until the server sees it.
                Assert.That(connection.ReadReply().Integer, Is.InRange(0, 120));
            }
        }
    }

    /// <summary>Subscribes, reads some, ends the subscriptions or just leaves.</summary>
    private static void ComeAndGo(ServerProcess server, int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 60; round++)
        {
            using var connection = server.Connect();
            connection.SendRaw("SUBSCRIBE c1 c2\r\nPSUBSCRIBE c*\r\n");
            for (var i = random.Next(1, 40); i > 0; i--)
            {
                Assert.That(connection.ReadReply().Items, Has.Count.InRange(3, 4));
            }

            if (random.Next(2) == 0)
            {
                connection.SendRaw("UNSUBSCRIBE\r\nPUNSUBSCRIBE\r\nPING\r\n");
                while (connection.ReadReply().IsAggregate)
                {
                }

                Assert.That(connection.HasInput(withinMs: 1), Is.False, "nothing comes after the subscriptions' end");
            }
        }
    }

    private static void AssertAll(RespConnection connection, int replies, Func<RespValue, bool> isRight)
    {
        for (var i = 0; i < replies; i++)
        {
            Assert.That(isRight(connection.ReadReply()), Is.True);
        }
    }

    private static void AssertEnds(RespConnection cutOff)
    {
        try
        {
            Assert.That(cutOff.ReadToEnd(), Has.Length.LessThan(20_000_000));
        }
        catch (SocketException e)
        {
            Assert.That(e.SocketErrorCode, Is.EqualTo(SocketError.ConnectionReset), "or the connection's end is told");
        }
    }

    private static long CountOf(RespConnection connection, string channel)
        => connection.Call("PUBSUB", "NUMSUB", channel).Items[1].Integer;
}
