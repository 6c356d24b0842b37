using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Publish and subscribe as a client sees it.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class PubSubTests(ServerKind kind) : ServerFixture(kind)
{
    [Test]
    public void Subscriptions_are_counted_and_end()
    {
        using var client = Server.Connect();
        Assert.That(Show(client.Call("UNSUBSCRIBE")), Is.EqualTo("unsubscribe ~ 0"));
        client.Send("SUBSCRIBE", "a", "b", "a");
        Assert.That(Show(client, 3), Is.EqualTo("subscribe a 1|subscribe b 2|subscribe a 2"));
        Assert.That(Show(client.Call("PSUBSCRIBE", "c*")), Is.EqualTo("psubscribe c* 3"));
        Assert.That(Show(client.Call("SSUBSCRIBE", "a")), Is.EqualTo("ssubscribe a 1"));
        Assert.That(Show(client.Call("UNSUBSCRIBE", "b")), Is.EqualTo("unsubscribe b 2"));
        Assert.That(Show(client.Call("UNSUBSCRIBE", "none")), Is.EqualTo("unsubscribe none 2"));
        Assert.That(Show(client.Call("UNSUBSCRIBE")), Is.EqualTo("unsubscribe a 1"));
        Assert.That(Show(client.Call("PUNSUBSCRIBE")), Is.EqualTo("punsubscribe c* 0"));
        Assert.That(client.Call("GET", "x").Text, Does.StartWith("ERR Can't execute 'get': only (P|S)SUBSCRIBE"));
        Assert.That(Show(client.Call("SUNSUBSCRIBE")), Is.EqualTo("sunsubscribe a 0"));
        Assert.That(client.Call("GET", "x").IsNull, Is.True);
    }

    [Test]
    public void A_message_reaches_channels_and_patterns()
    {
        using var publisher = Server.Connect();
        using var byName = Server.Connect();
        using var byPattern = Server.Connect();
        using var byBoth = Server.Connect();
        _ = byName.Call("SUBSCRIBE", "news");
        _ = byPattern.Call("PSUBSCRIBE", "n?w*");
        _ = byBoth.Call("HELLO", "3");
        _ = byBoth.Call("SUBSCRIBE", "news");
        _ = byBoth.Call("PSUBSCRIBE", "new*");
        Assert.That(publisher.Call("PUBLISH", "news", "m").Integer, Is.EqualTo(4));
        Assert.That(publisher.Call("PUBLISH", "old", "m").Integer, Is.Zero);
        Assert.That(publisher.Call("SPUBLISH", "news", "m").Integer, Is.Zero);
        Assert.That(Show(byName.ReadReply()), Is.EqualTo("message news m"));
        Assert.That(Show(byPattern.ReadReply()), Is.EqualTo("pmessage n?w* news m"));
        var first = byBoth.ReadReply();
        Assert.That(first.Kind, Is.EqualTo(RespKind.Push));
        Assert.That(Show(first), Is.EqualTo("message news m"));
        Assert.That(Show(byBoth.ReadReply()), Is.EqualTo("pmessage new* news m"));
    }

    [Test]
    public void Shard_channels_are_a_name_space_of_their_own()
    {
        using var publisher = Server.Connect();
        using var subscriber = Server.Connect();
        _ = subscriber.Call("SSUBSCRIBE", "s");
        Assert.That(publisher.Call("PUBLISH", "s", "m").Integer, Is.Zero);
        Assert.That(publisher.Call("SPUBLISH", "s", "m").Integer, Is.EqualTo(1));
        Assert.That(Show(subscriber.ReadReply()), Is.EqualTo("smessage s m"));
        Assert.That(Show(publisher.Call("PUBSUB", "SHARDCHANNELS")), Is.EqualTo("s"));
        Assert.That(Show(publisher.Call("PUBSUB", "SHARDNUMSUB", "s", "t")), Is.EqualTo("s 1 t 0"));
    }

    [Test]
    public void Channels_are_listed_while_they_have_subscribers()
    {
        using var asking = Server.Connect();
        using var subscriber = Server.Connect();
        using var other = Server.Connect();
        subscriber.Send("SUBSCRIBE", "list:1", "list:2");
        _ = Show(subscriber, 2);
        _ = other.Call("SUBSCRIBE", "list:2");
        _ = other.Call("PSUBSCRIBE", "list:*");
        Assert.That(Sorted(asking.Call("PUBSUB", "CHANNELS", "list:*")), Is.EqualTo("list:1 list:2"));
        Assert.That(Show(asking.Call("PUBSUB", "CHANNELS", "*:1")), Is.EqualTo("list:1"));
        var counts = asking.Call("PUBSUB", "NUMSUB", "list:1", "list:2", "no");
        Assert.That(Show(counts), Is.EqualTo("list:1 1 list:2 2 no 0"));
        Assert.That(asking.Call("PUBSUB", "NUMPAT").Integer, Is.EqualTo(1));
        Assert.That(subscriber.Call("RESET").Text, Is.EqualTo("RESET"));
        Assert.That(subscriber.Call("PING").Text, Is.EqualTo("PONG"));
        Assert.That(other.Call("QUIT").Text, Is.EqualTo("OK"));
        Assert.That(other.ReadToEnd(), Is.Empty);
        Assert.That(() => Show(asking.Call("PUBSUB", "CHANNELS", "list:*")), Is.Empty.After(Patience.Ms, 10));
        Assert.That(asking.Call("PUBSUB", "NUMPAT").Integer, Is.Zero);
    }

    [Test]
    public void A_subscriber_s_ping_is_told_apart_from_messages()
    {
        using var client = Server.Connect();
        _ = client.Call("SUBSCRIBE", "ping");
        Assert.That(Show(client.Call("PING")), Is.EqualTo("pong "));
        Assert.That(Show(client.Call("PING", "x")), Is.EqualTo("pong x"));
        _ = client.Call("RESET");
        _ = client.Call("HELLO", "3");
        _ = client.Call("SUBSCRIBE", "ping");
        Assert.That(client.Call("PING").Text, Is.EqualTo("PONG"));
        Assert.That(client.Call("GET", "none").IsNull, Is.True);
    }

    [Test]
    public void A_pipeline_receives_what_it_publishes_between_its_subscriptions()
    {
        using var client = Server.Connect();
        _ = client.Call("HELLO", "3");
        var pipeline = new[] { "PUBLISH p 1", "SUBSCRIBE p", "PUBLISH p 2", "UNSUBSCRIBE p", "PUBLISH p 3" };
        client.SendRaw(string.Concat(pipeline.Select(line => line + "\r\n")));
        var replies = Enumerable.Range(0, 6).Select(_ => Show(client.ReadReply())).ToList();
        Assert.That(replies, Is.EquivalentTo(
            (string[])["0", "subscribe p 1", "1", "message p 2", "unsubscribe p 0", "0"]));
        Assert.That(replies.IndexOf("message p 2"), Is.InRange(2, 3));
        Assert.That(client.HasInput(withinMs: 50), Is.False);
    }

    [Test]
    public void Clients_that_subscribe_are_a_type_of_their_own()
    {
        using var asking = Server.Connect();
        using var subscriber = Server.Connect();
        _ = subscriber.Call("CLIENT", "SETNAME", "listener");
        subscriber.Send("SUBSCRIBE", "t1", "t2");
        _ = Show(subscriber, 2);
        _ = subscriber.Call("PSUBSCRIBE", "t*");
        _ = subscriber.Call("SSUBSCRIBE", "t");
        var list = asking.Call("CLIENT", "LIST", "TYPE", "pubsub").Text;
        Assert.That(list.TrimEnd('\n').Split('\n'), Has.Length.EqualTo(1));
        Assert.That(list, Does.Contain("name=listener").And.Contain(" flags=P ").And.Contain(" sub=2 psub=1 "));
        Assert.That(asking.Call("INFO", "stats").Text, Does.Contain("pubsub_channels:2\r\npubsub_patterns:1\r\n"));
        Assert.That(asking.Call("CLIENT", "KILL", "TYPE", "pubsub").Integer, Is.EqualTo(1));
        Assert.That(subscriber.ReadToEnd(), Is.Empty);
        Assert.That(asking.Call("PUBLISH", "t1", "m").Integer, Is.Zero);
    }

    [Test]
    public void Replies_switched_off_do_not_hold_messages_back()
    {
        using var publisher = Server.Connect();
        using var subscriber = Server.Connect();
        subscriber.Send("CLIENT", "REPLY", "OFF");
        subscriber.Send("PING");
        Assert.That(Show(subscriber.Call("SUBSCRIBE", "off")), Is.EqualTo("subscribe off 1"));
        Assert.That(publisher.Call("PUBLISH", "off", "m").Integer, Is.EqualTo(1));
        Assert.That(Show(subscriber.ReadReply()), Is.EqualTo("message off m"));

        using var itself = Server.Connect();
        _ = itself.Call("HELLO", "3");
        _ = itself.Call("SUBSCRIBE", "own");
        itself.SendRaw("CLIENT REPLY OFF\r\nPUBLISH own 1\r\nCLIENT REPLY ON\r\n");
        string[] received = [Show(itself.ReadReply()), Show(itself.ReadReply())];
        Assert.That(received, Is.EquivalentTo((string[])["message own 1", "OK"]));
    }

    [Test]
    public void A_message_of_many_megabytes_arrives_whole()
    {
        using var publisher = Server.Connect();
        using var subscriber = Server.Connect();
        _ = subscriber.Call("SUBSCRIBE", "big");
        var message = new string('m', 20_000_000);
        Assert.That(publisher.Call("PUBLISH", "big", message).Integer, Is.EqualTo(1));
        Assert.That(subscriber.ReadReply().Items[2].Bytes, Has.Length.EqualTo(message.Length));
        Assert.That(publisher.Call("PUBLISH", "big", "small").Integer, Is.EqualTo(1));
        Assert.That(Show(subscriber.ReadReply()), Is.EqualTo("message big small"));
    }

    [TestCase("PUBLISH", "c")]
    [TestCase("SUBSCRIBE")]
    [TestCase("PUBSUB")]
    [TestCase("PUBSUB", "NOSUCH")]
    [TestCase("PUBSUB", "NUMPAT", "x")]
    [TestCase("PUBSUB", "CHANNELS", "a", "b")]
    [TestCase("COMMAND", "GETKEYS", "SPUBLISH", "c", "m")]
    public void Wrong_commands_get_the_same_errors(params string[] command)
    {
        using var client = Server.Connect();
        using var redis = RedisProcess.Start();
        using var reference = redis.Connect();
        Assert.That(client.Call(command), Is.EqualTo(reference.Call(command)));
    }

    private static string Show(RespConnection connection, int replies)
        => string.Join('|', Enumerable.Range(0, replies).Select(_ => Show(connection.ReadReply())));

    private static string Show(RespValue value)
        => value.IsAggregate ? string.Join(' ', value.Items.Select(Show)) : value.IsNull ? "~" : value.Text;

    private static string Sorted(RespValue value)
        => string.Join(' ', value.Items.Select(item => item.Text).Order(StringComparer.Ordinal));
}
