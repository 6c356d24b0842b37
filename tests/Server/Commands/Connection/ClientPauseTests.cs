using System.Diagnostics;
using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Connection;

/// <summary>CLIENT PAUSE and UNPAUSE, as clients on all workers see them.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ClientPauseTests(ServerKind kind) : ServerFixture(kind)
{
    private const int LongMs = 10 * Patience.Ms;
    private const int Clients = 4;

    [TearDown]
    public void EndPause()
    {
        using var control = Server.Connect();
        control.Call("CLIENT", "UNPAUSE");
    }

    [Test]
    public void Writes_wait_until_unpause_and_reads_do_not()
    {
        using var control = Server.Connect();
        using var clients = new ConnectionSet(Server, Clients);
        control.Call("SET", "counter", "0");
        Assert.That(control.Call("CLIENT", "PAUSE", $"{LongMs}", "WRITE").Text, Is.EqualTo("OK"));
        foreach (var client in clients.All)
        {
            Assert.That(client.Call("GET", "counter").Text, Is.EqualTo("0"));
            client.SendRaw("INCR counter\r\nECHO after\r\n");
        }

        Assert.That(clients.All.Any(client => client.HasInput(withinMs: 50)), Is.False, "a write was executed");
        Assert.That(control.Call("GET", "counter").Text, Is.EqualTo("0"));
        Assert.That(
            control.Call("CLIENT", "LIST").Text.Split('\n').Count(line => line.Contains("flags=b ")),
            Is.EqualTo(Clients));

        Assert.That(ServerInfo.Number(control, "clients", "blocked_clients"), Is.EqualTo(Clients));
        Assert.That(control.Call("CLIENT", "UNPAUSE").Text, Is.EqualTo("OK"));
        var counts = clients.All.Select(client => client.ReadReply().Integer);
        Assert.That(counts, Is.EquivalentTo(Enumerable.Range(1, Clients)));
        Assert.That(clients.All.Select(client => client.ReadReply().Text), Is.All.EqualTo("after"));
        ServerInfo.WaitFor(control, "clients", "blocked_clients", 0);
    }

    [Test]
    public void A_script_that_says_it_writes_nothing_does_not_wait_and_one_that_may_write_does()
    {
        const string reads = "#!lua flags=no-writes\nreturn redis.call('GET', KEYS[1])";
        const string writes = "#!lua\nreturn redis.call('INCR', KEYS[1])";
        const string library = "#!lua name=pausing\nredis.register_function{function_name='pausing_read', "
            + "callback=function(keys) return redis.call('GET', keys[1]) end, flags={'no-writes'}}";
        using var control = Server.Connect();
        using var transaction = Server.Connect();
        using var clients = new ConnectionSet(Server, 3);
        control.Call("SET", "counter", "0");
        control.Call("FUNCTION", "LOAD", "REPLACE", library);
        var id = control.Call("SCRIPT", "LOAD", reads).Text;
        control.Call("CLIENT", "PAUSE", $"{LongMs}", "WRITE");

        Assert.That(control.Call("EVAL", reads, "1", "counter").Text, Is.EqualTo("0"));
        Assert.That(control.Call("EVALSHA", id, "1", "counter").Text, Is.EqualTo("0"));
        Assert.That(control.Call("FCALL", "pausing_read", "1", "counter").Text, Is.EqualTo("0"));
        transaction.Call("MULTI");
        transaction.Call("EVALSHA", id, "1", "counter");
        Assert.That(transaction.Call("EXEC").Items.Single().Text, Is.EqualTo("0"));

        clients.All[0].Send("EVAL", writes, "1", "counter");
        clients.All[1].Send("EVAL_RO", writes, "1", "counter");
        clients.All[2].Send("EVAL", "return redis.call('INCR', KEYS[1])", "1", "counter");
        Assert.That(clients.All.Any(client => client.HasInput(withinMs: 50)), Is.False, "what may write was executed");
        control.Call("CLIENT", "UNPAUSE");
        Assert.That(clients.All[1].ReadReply().Text, Does.StartWith("ERR Can not execute a script with write flag"));
        Assert.That(new[] { clients.All[0].ReadReply().Integer, clients.All[2].ReadReply().Integer },
            Is.EquivalentTo(new[] { 1, 2 }));
    }

    /// <summary>They look gone, and stay; whoever comes by after the pause deletes them.</summary>
    [Test]
    public void Nothing_that_expires_is_deleted_meanwhile()
    {
        const int keys = 300;
        using var control = Server.Connect();
        control.Call("FLUSHALL");
        control.Call("SET", "lasting", "v");
        var before = ServerInfo.Number(control, "stats", "expired_keys");
        control.Call("MULTI");
        for (var i = 0; i < keys; i++)
        {
            control.Call("SET", $"key:{i}", "v", "PX", "2000");
        }

        control.Call("EXEC");
        control.Call("CLIENT", "PAUSE", $"{LongMs}", "WRITE");
        var left = control.Call("DBSIZE").Integer;
        Assert.That(left, Is.GreaterThan(1), "the pause came too late for this to mean something");
        Thread.Sleep(2700); // All keys' time, and several background cycles.
        for (var i = 0; i < keys; i++)
        {
            Assert.That(control.Call("GET", $"key:{i}").IsNull, Is.True);
            Assert.That(control.Call("EXISTS", $"key:{i}").Integer, Is.Zero);
            Assert.That(control.Call("STRLEN", $"key:{i}").Integer, Is.Zero);
            Assert.That(control.Call("TTL", $"key:{i}").Integer, Is.EqualTo(-2));
        }

        Assert.That(control.Call("KEYS", "*").Items.Single().Text, Is.EqualTo("lasting"));
        Assert.That(control.Call("SCAN", "0", "COUNT", "10000").Items[1].Items.Single().Text, Is.EqualTo("lasting"));
        Assert.That(control.Call("DBSIZE").Integer, Is.EqualTo(left));
        var expired = ServerInfo.Number(control, "stats", "expired_keys");
        Assert.That(expired - before, Is.EqualTo(keys + 1 - left));

        control.Call("CLIENT", "UNPAUSE");
        Assert.That(() => control.Call("DBSIZE").Integer, Is.EqualTo(1).After(Patience.Ms, 10));
    }

    [Test]
    public void Watching_deletes_nothing_meanwhile()
    {
        using var control = Server.Connect();
        using var early = Server.Connect();
        using var late = Server.Connect();
        control.Call("FLUSHALL");
        var before = ServerInfo.Number(control, "stats", "expired_keys");
        control.Call("SET", "k", "v", "PX", "300");
        early.Call("WATCH", "k");
        control.Call("CLIENT", "PAUSE", $"{LongMs}", "WRITE");
        Thread.Sleep(400);
        late.Call("WATCH", "k");

        Assert.That(Transaction(early).IsNull, Is.True, "what it watched has expired");
        Assert.That(control.Call("DBSIZE").Integer, Is.EqualTo(1));
        Assert.That(ServerInfo.Number(control, "stats", "expired_keys"), Is.EqualTo(before));

        control.Call("CLIENT", "UNPAUSE");
        Assert.That(() => control.Call("DBSIZE").Integer, Is.Zero.After(Patience.Ms, 10));
        Assert.That(Transaction(late).Items[0].Text, Is.EqualTo("PONG"), "it was gone when it began to be watched");
        late.Call("WATCH", "k");
        control.Call("SET", "k", "v");
        Assert.That(Transaction(late).IsNull, Is.True);

        static RespValue Transaction(RespConnection client)
        {
            client.Call("MULTI");
            client.Call("PING");
            return client.Call("EXEC");
        }
    }

    [Test]
    public void Nothing_is_evicted_meanwhile()
    {
        const int keys = 3000;
        using var control = Server.Connect();
        control.Call("FLUSHALL");
        var value = new string('x', 10_000);
        for (var i = 0; i < keys; i++)
        {
            control.Send("SET", $"key:{i}", value);
        }

        for (var i = 0; i < keys; i++)
        {
            _ = control.ReadReply();
        }

        try
        {
            control.Call("CLIENT", "PAUSE", $"{LongMs}", "WRITE");
            control.Call("CONFIG", "SET", "maxmemory-policy", "allkeys-random", "maxmemory", "20mb");
            Thread.Sleep(500);
            Assert.That(control.Call("GET", "key:0").Text, Is.EqualTo(value));
            Assert.That(control.Call("DBSIZE").Integer, Is.EqualTo(keys));

            control.Call("CLIENT", "UNPAUSE");
            Assert.That(() => control.Call("SET", "key:0", value).IsError ? keys : control.Call("DBSIZE").Integer,
                Is.LessThan(keys * 8 / 10).After(Patience.Ms, 10));
        }
        finally
        {
            control.Call("CONFIG", "SET", "maxmemory", "0", "maxmemory-policy", "noeviction");
            control.Call("FLUSHALL");
        }
    }

    [Test]
    public void Fields_that_expire_stay_as_well()
    {
        if (Kind == ServerKind.Redis)
        {
            Assert.Ignore("Fields expire since Redis 7.4.");
        }

        using var control = Server.Connect();
        control.Call("FLUSHALL");
        control.Call("HSET", "h", "a", "1", "b", "2");
        control.Call("HPEXPIRE", "h", "1500", "FIELDS", "1", "a");
        control.Call("CLIENT", "PAUSE", $"{LongMs}", "WRITE");
        Thread.Sleep(2000);
        Assert.That(control.Call("HGET", "h", "a").IsNull, Is.True);
        Assert.That(control.Call("HGETALL", "h").Items.Select(item => item.Text), Is.EqualTo(new[] { "b", "2" }));
        Assert.That(control.Call("HRANDFIELD", "h", "10").Items.Select(item => item.Text),
            Is.EquivalentTo(new[] { "a", "b" }), "who draws by number sees it, as in Redis 7.4");
        Assert.That(control.Call("HLEN", "h").Integer, Is.EqualTo(2));
        control.Call("CLIENT", "UNPAUSE");
        Assert.That(() => control.Call("HLEN", "h").Integer, Is.EqualTo(1).After(Patience.Ms, 10));
    }

    [Test]
    public void A_pause_of_all_commands_ends_by_itself()
    {
        using var control = Server.Connect();
        using var clients = new ConnectionSet(Server, Clients);
        var clock = Stopwatch.StartNew();
        control.Call("CLIENT", "PAUSE", "400");
        foreach (var client in clients.All)
        {
            client.Send("PING");
        }

        Assert.That(clients.All.Select(client => client.ReadReply().Text), Is.All.EqualTo("PONG"));
        Assert.That(clock.ElapsedMilliseconds, Is.AtLeast(390));
    }

    [Test]
    public void A_quoted_line_that_had_to_wait_is_what_was_typed()
    {
        using var control = Server.Connect();
        using var client = Server.Connect();
        control.Call("CLIENT", "PAUSE", "100");
        client.SendRaw("PING\r\nECHO 'in line' \r\nECHO \"a\\x41 \\\"b\\\"\"\r\nECHO \"\"\r\n");
        string[] expected = ["PONG", "in line", "aA \"b\"", ""];
        Assert.That(expected.Select(_ => client.ReadReply().Text).ToList(), Is.EqualTo(expected));

        control.Call("CLIENT", "PAUSE", "100");
        client.SendRaw("ECHO \"a\\x41 \\\"b\\\"\"\r\n");
        Assert.That(client.ReadReply().Text, Is.EqualTo("aA \"b\""));
    }

    [Test]
    public void A_paused_client_that_leaves_is_gone_at_once()
    {
        using var control = Server.Connect();
        var client = Server.Connect();
        var id = client.Call("CLIENT", "ID").Text;
        control.Call("CLIENT", "PAUSE", $"{LongMs}", "WRITE");
        client.SendRaw("SET left behind\r\n");
        Assert.That(Eventually(() => control.Call("CLIENT", "LIST", "ID", id).Text.Contains("flags=b ")));

        client.Dispose();

        Assert.That(Eventually(() => control.Call("CLIENT", "LIST", "ID", id).Text.Length == 0));
        control.Call("CLIENT", "UNPAUSE");
        Assert.That(control.Call("EXISTS", "left").Integer, Is.Zero);
    }

    private static bool Eventually(Func<bool> condition)
    {
        var clock = Stopwatch.StartNew();
        while (!condition())
        {
            if (clock.ElapsedMilliseconds > Patience.Ms)
            {
                return false;
            }

            Thread.Sleep(10);
        }

        return true;
    }
}
