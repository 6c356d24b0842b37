using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>Messages to a client that come while its own commands are executed: Redis 7.2 sends what a client publishes
/// to itself behind the reply, that of EXEC as a whole.</summary>
[TestFixture]
internal sealed class OwnMessagesTests
{
    private const string Ok = "+OK";
    private const string Queued = "+QUEUED";

    [TestCase(1)]
    [TestCase(2)]
    public void What_EXEC_publishes_to_its_client_comes_behind_its_reply(int workers)
    {
        using var server = new TurnServer(workers);
        var client = Subscriber(server, "SUBSCRIBE ch", "PSUBSCRIBE c*");

        client.Expect(
            ["PING", "MULTI", "PUBLISH ch a", "SET s 1", "PUBLISH ch b", "EXEC", "PUBLISH ch c", "PING"],
            "+PONG", Ok, Queued, Queued, Queued, "[:2 +OK :2]", "[$message $ch $a]", "[$pmessage $c* $ch $a]",
            "[$message $ch $b]", "[$pmessage $c* $ch $b]", ":2", "[$message $ch $c]", "[$pmessage $c* $ch $c]",
            "+PONG");
    }

    [Test]
    public void So_do_the_events_of_its_keys()
    {
        using var server = new TurnServer(workers: 1, arguments: ["--notify-keyspace-events", "KEA"]);
        var client = Subscriber(server, "SUBSCRIBE __keyspace@0__:k");

        client.Expect(["MULTI", "SET k 1", "DEL k", "EXEC", "PING"], Ok, Queued, Queued, "[+OK :1]",
            "[$message $__keyspace@0__:k $set]", "[$message $__keyspace@0__:k $del]", "+PONG");
    }

    /// <summary>Whoever subscribes then gets what was published before under the subscriptions of that time.</summary>
    [TestCase("HELLO 3")]
    [TestCase("HELLO 2")]
    public void So_do_those_before_a_change_of_subscriptions_in_the_transaction(string hello)
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        _ = client.Call(hello);

        client.Expect(
            [
                "MULTI", "SUBSCRIBE a", "PUBLISH a 1", "SUBSCRIBE b", "PUBLISH b 2", "UNSUBSCRIBE a", "PUBLISH a 3",
                "EXEC",
            ],
            Ok, Queued, Queued, Queued, Queued, Queued, Queued,
            "[[$subscribe $a :1] :1 [$subscribe $b :2] :1 [$unsubscribe $a :1] :0]",
            "[$message $a $1]", "[$message $b $2]");
    }

    [Test]
    public void A_reply_that_is_sent_in_parts_is_not_torn_apart_by_messages()
    {
        using var server = new TurnServer(workers: 2);
        var client = Subscriber(server, "SUBSCRIBE ch");
        var other = server.Connect();
        client.Send("MULTI", "PUBLISH ch own", "CLIENT UNBLOCK 900", "CLIENT UNBLOCK 901", "PING", "EXEC", "PING");
        for (var i = 0; i < 20; i++)
        {
            other.Send($"PUBLISH ch {i}");
            server.Turn(1);
            server.Turn(0);
        }

        server.Settle();
        var replies = client.Replies();
        var messages = replies.Where(reply => reply.StartsWith("[$message", StringComparison.Ordinal)).ToList();
        Assert.That(replies.Except(messages), Is.EqualTo(new[] { Ok, Queued, "[:1 :0 :0 +PONG]", "+PONG" }));
        Assert.That(messages, Has.Count.EqualTo(21));
        Assert.That(messages.Where(message => !message.Contains("own", StringComparison.Ordinal)),
            Is.EqualTo(Enumerable.Range(0, 20).Select(i => $"[$message $ch ${i}]")), "in their order");
    }

    [Test]
    public void A_client_that_publishes_more_to_itself_than_it_may_is_closed_behind_the_reply()
    {
        using var server = new TurnServer(
            workers: 1, arguments: ["--client-output-buffer-limit", "pubsub 100kb 0 0"]);
        var client = Subscriber(server, "SUBSCRIBE ch");
        client.Send(["MULTI", .. Enumerable.Repeat("PUBLISH ch " + new string('x', 3000), 100), "EXEC"]);
        server.Settle();
        client.Close();
        server.Settle();

        Assert.That(server.Server.Services.Diagnostics.Clients.Connected, Is.Zero);
        Assert.That(server.Server.Workers[0].OutputLimitsPassed, Is.EqualTo(1));
    }

    [Test]
    public void A_client_that_goes_within_its_transaction_leaves_nothing()
    {
        using var server = new TurnServer(workers: 2);
        var client = Subscriber(server, "SUBSCRIBE ch");
        client.Send("MULTI", "PUBLISH ch a", "CLIENT UNBLOCK 900", "EXEC");
        server.Turn(0);
        client.Close();
        server.Settle();

        Assert.That(server.Server.Services.Diagnostics.Clients.Connected, Is.Zero);
    }

    private static TurnClient Subscriber(TurnServer server, params string[] subscribe)
    {
        var client = server.Connect();
        _ = client.Call(["HELLO 3", .. subscribe]);
        return client;
    }
}
