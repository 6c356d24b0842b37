using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>What CLIENT TRACKING does beyond what Redis would do in the same place.</summary>
public sealed class TrackingTests
{
    private const int Keys = 400;

    [Test]
    public void Keys_that_expire_or_are_evicted_are_told([Values(1, 2)] int workers)
    {
        using var server = StrataProcess.Start(
            "--workers", $"{workers}", "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
        using var tracker = Track(server);
        using var other = server.Connect();
        _ = other.Call("SET", "soon", "v", "PX", "400");
        _ = other.Call("HSET", "hash", "f", "v", "g", "v");
        _ = other.Call("HPEXPIRE", "hash", "500", "FIELDS", "1", "f");
        _ = other.Call("SET", "evicted", "v");
        _ = tracker.Call("MGET", "soon", "evicted");
        _ = tracker.Call("HGETALL", "hash");
        Assert.That((string[])[Told(tracker), Told(tracker)], Is.EquivalentTo(["soon", "hash"]));
        var value = new string('v', 100_000);
        for (var i = 0; i < 1500; i++)
        {
            Assert.That(other.Call("SET", $"fill{i}", value).Text, Is.EqualTo("OK"));
        }

        Assert.That(Told(tracker), Is.EqualTo("evicted"));
    }

    [Test]
    public void A_table_over_its_bound_gives_keys_up_and_tells([Values(1, 2)] int workers)
    {
        using var server = StrataProcess.Start("--workers", $"{workers}", "--tracking-table-max-keys", "100");
        using var tracker = Track(server);
        for (var i = 0; i < Keys; i++)
        {
            tracker.Send("GET", $"key{i}");
        }

        var told = new HashSet<string>();
        for (var replies = 0; replies < Keys;)
        {
            var reply = tracker.ReadReply();
            replies += reply.Kind == RespKind.Push ? 0 : 1;
            told.UnionWith(reply.Kind == RespKind.Push ? reply.Items[1].Items.Select(key => key.Text) : []);
        }

        using var other = server.Connect();
        Patience.Await(() => ServerInfo.Number(other, "stats", "tracking_total_keys") <= 100);
        var left = ServerInfo.Number(other, "stats", "tracking_total_keys");
        Assert.That(left, Is.Positive);
        while (told.Count < Keys - left) // Of the last ones it is told at the end of a turn.
        {
            told.UnionWith(tracker.ReadReply().Items[1].Items.Select(key => key.Text));
        }

        Assert.That(told, Has.Count.EqualTo(Keys - left));
    }

    [Test]
    public void Exchanged_databases_have_all_dropped()
    {
        using var server = StrataProcess.Start("--workers", "2");
        using var tracker = Track(server);
        using var other = server.Connect();
        _ = tracker.Call("GET", "k");
        _ = other.Call("SWAPDB", "0", "1");
        Assert.That(tracker.ReadReply().Items[1].IsNull);
        _ = other.Call("SELECT", "1");
        _ = tracker.Call("GET", "k");
        _ = other.Call("SET", "k", "v");
        _ = other.Call("SELECT", "0");
        _ = other.Call("SET", "k", "w");
        Assert.That(Told(tracker), Is.EqualTo("k"));
        Assert.That(tracker.Call("PING").Text, Is.EqualTo("PONG"));
    }

    [Test]
    public void In_BCAST_mode_nothing_is_told_of_what_was_read_before()
    {
        using var server = StrataProcess.Start("--workers", "1");
        var others = Enumerable.Range(0, 64).Select(_ => Track(server)).ToList(); // Of these more is known.
        using var tracker = Track(server);
        using var other = server.Connect();
        _ = tracker.Call("MGET", "read", "p1");
        _ = tracker.Call("CLIENT", "TRACKING", "OFF");
        _ = tracker.Call("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "p");
        _ = other.Call("MSET", "read", "v", "p1", "v");
        _ = other.Call("SET", "p2", "v");
        Assert.That((string[])[Told(tracker), Told(tracker)], Is.EqualTo(["p1", "p2"]));
        others.ForEach(static client => client.Dispose());
    }

    [Test]
    public void With_NOLOOP_a_client_is_told_of_what_others_change()
    {
        using var server = StrataProcess.Start("--workers", "1");
        using var one = Track(server, "BCAST", "NOLOOP");
        using var two = Track(server, "BCAST", "NOLOOP");
        using var three = Track(server, "BCAST");
        _ = one.Call("MSET", "a", "v", "b", "v");
        Assert.That((string[])[Told(two), Told(three)], Is.EqualTo(["a b", "a b"]));
        Assert.That(two.Call("SET", "c", "v").Text, Is.EqualTo("OK"));
        Assert.That((string[])[Told(one), Told(three)], Is.EqualTo(["c", "c"]));
        Assert.That((string[])[one.Call("PING").Text, two.Call("PING").Text], Is.All.EqualTo("PONG"));
    }

    [Test]
    public void A_key_with_a_long_name_has_all_dropped()
    {
        using var server = StrataProcess.Start("--workers", "2");
        using var tracker = Track(server);
        Assert.That(tracker.Call("GET", new string('k', 20_000)).IsNull);
        Assert.That(tracker.ReadReply().Items[1].IsNull);
    }

    [Test]
    public void The_table_goes_with_the_last_client()
    {
        using var server = StrataProcess.Start("--workers", "1");
        using var other = server.Connect();
        _ = other.Call("INFO");
        using (var tracker = Track(server))
        {
            for (var i = 0; i < Keys; i++)
            {
                _ = tracker.Call("GET", $"key{i}");
            }

            Assert.That(ServerInfo.Number(other, "clients", "tracking_clients"), Is.EqualTo(1));
            Assert.That(ServerInfo.Number(other, "stats", "tracking_total_keys"), Is.EqualTo(Keys));
            Assert.That(ServerInfo.Number(other, "stats", "tracking_total_items"), Is.EqualTo(Keys));
            Assert.That(tracker.Call("CLIENT", "INFO").Text, Does.Contain(" flags=t ").And.Contain(" redir=0 "));
        }

        ServerInfo.WaitFor(other, "clients", "tracking_clients", 0);
        Assert.That(ServerInfo.Number(other, "stats", "tracking_total_keys"), Is.Zero);
    }

    [Test]
    public void Clients_that_come_are_not_told_of_what_others_had_read_that_went()
    {
        const int Clients = 150; // More than have a slot.
        using var server = StrataProcess.Start("--workers", "1");
        using var other = server.Connect();
        using var first = Track(server);
        _ = first.Call("GET", "k");
        for (var i = 0; i < 2; i++)
        {
            var clients = Enumerable.Range(0, Clients).Select(_ => Track(server)).ToList();
            clients.ForEach(client => client.Call("GET", "k"));
            clients.ForEach(static client => client.Dispose());
            ServerInfo.WaitFor(other, "clients", "tracking_clients", 1);
        }

        var late = Enumerable.Range(0, Clients).Select(_ => Track(server)).ToList();
        _ = late[^1].Call("GET", "k");
        _ = other.Call("SET", "k", "v");
        Assert.That(Told(first), Is.EqualTo("k"));
        Assert.That(Told(late[^1]), Is.EqualTo("k"));
        Assert.That(late.Select(static client => client.Call("PING").Text), Is.All.EqualTo("PONG"));
        late.ForEach(static client => client.Dispose());
    }

    private static RespConnection Track(ServerProcess server, params string[] options)
    {
        var client = server.Connect();
        _ = client.Call("HELLO", "3");
        Assert.That(client.Call(["CLIENT", "TRACKING", "ON", .. options]).Text, Is.EqualTo("OK"));
        return client;
    }

    private static string Told(RespConnection client)
        => string.Join(' ', client.ReadReply().Items[1].Items.Select(static key => key.Text));
}
