using NUnit.Framework;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Messaging;

/// <summary>PUBLISH with thousands of patterns: others come between its steps, and between those of the delivery; what
/// cannot match by its beginning is not looked at.</summary>
internal sealed class PublishPassTests
{
    private const int Patterns = 10_000;

    private TurnServer _server = null!;
    private TurnClient _subscriber = null!;
    private TurnClient _publisher = null!;
    private TurnClient _other = null!;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(1);
        (_subscriber, _publisher, _other) = (_server.Connect(), _server.Connect(), _server.Connect());
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void Others_have_their_turn_between_steps()
    {
        Subscribe("*.", "", "ch*", "*");
        Assert.That(_publisher.CallBesides(_other, "PUBLISH ch.42 m"), Is.EqualTo(new[] { ":3", "$after" }));
        string[] messages = ["[$pmessage $* $ch.42 $m]", "[$pmessage $*.42 $ch.42 $m]", "[$pmessage $ch* $ch.42 $m]"];
        Assert.That(_subscriber.Replies(), Is.EquivalentTo(messages));
    }

    /// <summary>One pattern, and one name, that are long.</summary>
    [Test]
    public void Others_have_their_turn_in_the_midst_of_a_match()
    {
        _subscriber.Send($"PSUBSCRIBE *{string.Concat(Enumerable.Repeat("a?", 300))}b");
        _server.Settle();
        var replies = _publisher.CallBesides(_other, $"PUBLISH {new string('a', 2000)} m");
        Assert.That(replies, Is.EqualTo(new[] { ":0", "$after" }));
    }

    /// <summary>Delivering takes as long as finding out who receives it.</summary>
    [Test]
    public void Others_have_their_turn_while_it_is_delivered()
    {
        Subscribe("*.", "", "*");
        _publisher.Send("PUBLISH ch m");
        TurnUntilDelivering();
        Assert.That(_publisher.Replies(), Is.EqualTo(new[] { ":1" }));
        _other.Send("ECHO other");
        _server.Turn(0);
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "$other" }));
        Assert.That(_server.Server.Services.Messages.IsDeliveryPaused);
        _server.Settle();
        Assert.That(_subscriber.Replies(), Is.EqualTo(new[] { "[$pmessage $* $ch $m]" }));
        Assert.That(_server.Server.Services.Messages.IsDeliveryPaused, Is.False);
    }

    [Test]
    public void Messages_come_in_their_order_and_replies_behind_what_was_before()
    {
        Subscribe("*.", "", "*");
        _publisher.Send("PUBLISH a 1", "PUBLISH b 2", "PING", "PUBLISH c 3");
        SettleWell();
        Assert.That(_publisher.Replies(), Is.EqualTo(new[] { ":1", ":1", "+PONG", ":1" }));
        Assert.That(_subscriber.Replies(), Is.EqualTo(
            new[] { "[$pmessage $* $a $1]", "[$pmessage $* $b $2]", "[$pmessage $* $c $3]" }));
    }

    /// <summary>Those who subscribed when it was published, and nobody else.</summary>
    [Test]
    public void Who_changes_subscriptions_does_so_behind_what_was_published_before()
    {
        Subscribe("*.", "", "z*");
        _other.Expect(["PSUBSCRIBE *"], "[$psubscribe $* :1]");
        _publisher.Send("PUBLISH zz 1");
        TurnUntilDelivering();
        _subscriber.Send("PUNSUBSCRIBE z*");
        _publisher.Send("SUBSCRIBE zz");
        SettleWell();
        Assert.That(_publisher.Replies(), Is.EqualTo(new[] { ":2", "[$subscribe $zz :1]" }));
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "[$pmessage $* $zz $1]" }));
        Assert.That(_subscriber.Replies(), Is.EqualTo(
            new[] { "[$pmessage $z* $zz $1]", $"[$punsubscribe $z* :{Patterns}]" }));
    }

    [Test]
    public void Its_own_message_comes_to_the_publisher_before_the_next_reply()
    {
        Subscribe("*.", "", "zz");
        _publisher.Send("HELLO 3", "PSUBSCRIBE *");
        _server.Settle();
        _ = _publisher.Replies();
        _publisher.Send("PUBLISH zz 1", "PUBLISH zz 2", "PING");
        SettleWell();
        Assert.That(_publisher.Replies(), Is.EqualTo(
            new[] { ":2", "[$pmessage $* $zz $1]", ":2", "[$pmessage $* $zz $2]", "+PONG" }));
    }

    [Test]
    public void A_publisher_without_replies_has_its_own_messages_alone()
    {
        Subscribe("*.", "", "zz");
        _publisher.Send("HELLO 3", "PSUBSCRIBE *", "CLIENT REPLY OFF");
        _server.Settle();
        _ = _publisher.Replies();
        _publisher.Send("PUBLISH zz 1", "PUBLISH zz 2", "CLIENT REPLY ON", "PING");
        SettleWell();
        Assert.That(_publisher.Replies(), Is.EqualTo(
            new[] { "[$pmessage $* $zz $1]", "[$pmessage $* $zz $2]", "+OK", "+PONG" }));
    }

    [Test]
    public void A_transaction_publishes_in_one_go()
    {
        Subscribe("*.", "", "*");
        _publisher.Expect(["MULTI", "PUBLISH a 1", "EXEC"], "+OK", "+QUEUED", "[:1]");
        _publisher.Expect(["EVAL return{redis.call('publish','b','2')} 0"], "[:1]");
        SettleWell();
        Assert.That(_subscriber.Replies(), Is.EqualTo(new[] { "[$pmessage $* $a $1]", "[$pmessage $* $b $2]" }));
    }

    /// <summary>Its command is executed all the same.</summary>
    [Test]
    public void Who_goes_in_its_midst_has_published()
    {
        Subscribe("*.", "", "*");
        _publisher.Send("PUBLISH a 1");
        _server.Turn(0);
        _publisher.Close();
        SettleWell();
        Assert.That(_subscriber.Replies(), Is.EqualTo(new[] { "[$pmessage $* $a $1]" }));
    }

    /// <summary>As long as they begin with other bytes, all these patterns are no work at all.</summary>
    [Test]
    public void Patterns_that_begin_otherwise_are_not_looked_at()
    {
        Subscribe("user:", ":*", "user:*", "us*", "user:42:events");
        _publisher.Send("PUBLISH user:42:events m");
        _server.Turn(0);
        Assert.That(_publisher.Replies(), Is.EqualTo(new[] { ":4" }));
        _server.Turn(0);
        Assert.That(_subscriber.Replies(), Has.Count.EqualTo(4));
        _publisher.Expect(["PUBLISH other m"], ":0");
        _subscriber.Send("PUNSUBSCRIBE us*", "PUNSUBSCRIBE user:42:*");
        _server.Settle();
        _publisher.Expect(["PUBLISH user:42:events m", "PUBSUB NUMPAT"], ":2", $":{Patterns + 1}");
    }

    /// <summary>Many patterns, and more beside them.</summary>
    private void Subscribe(string before, string after, params string[] more)
    {
        var all = Enumerable.Range(0, Patterns).Select(i => $"{before}{i}{after}").Concat(more);
        foreach (var some in all.Chunk(1000))
        {
            _subscriber.Send("PSUBSCRIBE " + string.Join(' ', some));
            _server.Settle();
            Assert.That(_subscriber.Replies(), Has.Count.EqualTo(some.Length));
        }
    }

    private void TurnUntilDelivering()
    {
        for (var turn = 0; turn < 1000 && !_server.Server.Services.Messages.IsDeliveryPaused; turn++)
        {
            _server.Turn(0);
        }

        Assert.That(_server.Server.Services.Messages.IsDeliveryPaused);
    }

    private void SettleWell()
    {
        for (var i = 0; i < 4; i++)
        {
            _server.Settle();
        }
    }
}
