using NUnit.Framework;
using Strata.Storage;

namespace Strata.Tests.Server.Execution;

/// <summary>Changes of whole databases while keys are watched: of few it is looked which of them are concerned; of many
/// all count as changed, and none is looked at, nor moved.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class ManyWatchesTests(int workers)
{
    private const int Many = 2 * Limits.WatchesTold;

    [Test]
    public void Those_of_many_keys_that_are_not_there_count_as_changed([Values("SWAPDB 0 1", "FLUSHALL")] string change)
    {
        using var server = new TurnServer(workers);
        var (client, other) = (server.Connect(), server.Connect());
        Watch(server, client, Many);
        other.Expect([change], "+OK");
        foreach (var shard in server.Server.Context.Shards.All)
        {
            Assert.That(shard.Watches.Copy().Select(watch => (int)watch.Key.Database), Is.All.Zero, "none has moved");
        }

        client.Expect(["MULTI", "PING", "EXEC"], "+OK", "+QUEUED", "nil");
        server.Settle();
        Assert.That(other.Call("INFO clients")[0], Does.Contain("total_watched_keys:0\r\n"));
    }

    [Test]
    public void Those_of_few_do_not([Values("SWAPDB 0 1", "FLUSHALL")] string change)
    {
        using var server = new TurnServer(workers);
        var (client, other) = (server.Connect(), server.Connect());
        Watch(server, client, 10);
        other.Expect([change], "+OK");
        client.Expect(["MULTI", "PING", "EXEC"], "+OK", "+QUEUED", "[+PONG]");
    }

    /// <summary>Whoever begins to watch after the change is not concerned, though the others' keys are there
    /// yet.</summary>
    [Test]
    public void Those_that_are_watched_from_then_on_do_not()
    {
        using var server = new TurnServer(workers);
        var (client, late, other) = (server.Connect(), server.Connect(), server.Connect());
        Watch(server, client, Many);
        other.Expect(["SWAPDB 0 1"], "+OK");
        late.Expect(["WATCH name:1", "MULTI", "PING", "EXEC"], "+OK", "+OK", "+QUEUED", "[+PONG]");
        late.Expect(["WATCH name:1"], "+OK");
        other.Expect(["SET name:1 v"], "+OK");
        late.Expect(["MULTI", "PING", "EXEC"], "+OK", "+QUEUED", "nil");
        client.Expect(["UNWATCH"], "+OK");
        Watch(server, client, Many);
        client.Expect(["MULTI", "PING", "EXEC"], "+OK", "+QUEUED", "[+PONG]");
    }

    private static void Watch(TurnServer server, TurnClient client, int count)
    {
        client.Send("WATCH " + string.Join(' ', Enumerable.Range(0, count).Select(i => $"name:{i}")));
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { "+OK" }));
    }
}
