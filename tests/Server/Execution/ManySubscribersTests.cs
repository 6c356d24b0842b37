using NUnit.Framework;
using Strata.Server;

namespace Strata.Tests.Server.Execution;

/// <summary>What is published to many subscribers is sent to some of them in each turn: others come between.</summary>
[TestFixture]
internal sealed class ManySubscribersTests
{
    private const int Subscribers = (2 * ServerLimits.SendsAtOnce) + 50;

    private TurnServer _server = null!;
    private TurnClient _publisher = null!;
    private TurnClient[] _subscribers = null!;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers: 1);
        _publisher = _server.Connect();
        _subscribers = [.. Enumerable.Range(0, Subscribers).Select(_ => _server.Connect())];
        foreach (var subscriber in _subscribers)
        {
            subscriber.Send("SUBSCRIBE ch");
        }

        _server.Settle();
        foreach (var subscriber in _subscribers)
        {
            Assert.That(subscriber.Replies(), Is.EqualTo(new[] { "[$subscribe $ch :1]" }));
        }
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void Others_come_between()
    {
        var other = _server.Connect();
        _publisher.Send("PUBLISH ch one");
        _server.Turn(0);
        other.Send("ECHO other");
        _server.Turn(0);
        Assert.That(other.Replies(), Is.EqualTo(new[] { "$other" }));
        Assert.That(_publisher.Replies(), Is.EqualTo(new[] { $":{Subscribers}" }));
        var served = _subscribers.Count(subscriber => subscriber.Replies().Count == 1);
        Assert.That(served, Is.Positive.And.LessThan(Subscribers));
        _server.Settle();
        var rest = _subscribers.Count(subscriber => subscriber.Replies().Count == 1);
        Assert.That(served + rest, Is.EqualTo(Subscribers));
    }

    [Test]
    public void Each_gets_all_in_its_order_whatever_comes_between()
    {
        _publisher.Send("PUBLISH ch one", "PUBLISH ch two");
        _server.Turn(0);
        _publisher.Send("PUBLISH ch three");
        _subscribers[^1].Send("PING");
        _subscribers[^2].Send("UNSUBSCRIBE ch");
        _subscribers[^3].Close();
        _server.Settle();
        Assert.That(_publisher.Replies(), Is.All.EqualTo($":{Subscribers}"));
        _publisher.Expect(["PUBLISH ch four"], $":{Subscribers - 2}");
        string[] first = ["[$message $ch $one]", "[$message $ch $two]"];
        string[] rest = ["[$message $ch $three]", "[$message $ch $four]"];
        foreach (var subscriber in _subscribers[..^3])
        {
            Assert.That(subscriber.Replies(), Is.EqualTo(first.Concat(rest)));
        }

        var busy = _subscribers[^1].Replies();
        Assert.That(busy.Where(reply => !reply.Contains("pong")), Is.EqualTo(first.Concat(rest)));
        Assert.That(busy, Has.Count.EqualTo(5));
        var leaving = _subscribers[^2].Replies();
        Assert.That(leaving.Take(2), Is.EqualTo(first));
        Assert.That(leaving, Does.Contain("[$unsubscribe $ch :0]").And.Not.Contain(rest[1]));
    }
}
