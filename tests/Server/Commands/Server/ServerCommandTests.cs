using System.Globalization;
using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Server;

/// <summary>Commands about the server itself, against Strata and against Redis.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
public sealed class ServerCommandTests(ServerKind kind) : ServerFixture(kind)
{
    private static readonly string[] s_memoryNames =
    [
        "peak.allocated", "total.allocated", "startup.allocated", "replication.backlog", "clients.slaves",
        "clients.normal", "cluster.links", "aof.buffer", "lua.caches", "functions.caches", "db.0", "overhead.total",
        "keys.count", "keys.bytes-per-key", "dataset.bytes", "dataset.percentage", "peak.percentage",
        "allocator.allocated", "allocator.active", "allocator.resident", "allocator-fragmentation.ratio",
        "allocator-fragmentation.bytes", "allocator-rss.ratio", "allocator-rss.bytes", "rss-overhead.ratio",
        "rss-overhead.bytes", "fragmentation", "fragmentation.bytes",
    ];

    private static readonly string[] s_slowArguments = ["SET", "big", new string('x', 128) + "... (72 more bytes)"];

    [Test]
    public void Errors_are_counted_by_code_until_the_counters_are_reset()
    {
        using var client = Server.Connect();
        client.Call("CONFIG", "RESETSTAT");
        client.Call("SET", "k", "text");
        client.Call("INCR", "k");
        client.Call("INCR", "k");
        client.Call("NONSENSE");

        Assert.That(Info(client, "errorstats")["errorstat_ERR"], Is.EqualTo("count=3"));
        Assert.That(Info(client, "stats")["total_error_replies"], Is.EqualTo("3"));
        Assert.That(
            Info(client, "commandstats")["cmdstat_incr"], Does.StartWith("calls=2,").And.EndsWith("failed_calls=2"));

        client.Call("CONFIG", "RESETSTAT");

        Assert.That(Info(client, "errorstats"), Is.Empty);
        Assert.That(Info(client, "commandstats"), Does.Not.ContainKey("cmdstat_incr"));
    }

    [Test]
    public void Memory_is_told_by_the_same_names()
    {
        using var client = Server.Connect();
        client.Call("FLUSHALL");
        client.Call("SET", "k", "v");

        var stats = client.Call("MEMORY", "STATS");

        Assert.That(stats.Items.Where((_, i) => i % 2 == 0).Select(name => name.Text).Take(s_memoryNames.Length),
            Is.EqualTo(s_memoryNames));
        Assert.That(stats.Field("db.0")!.Items.Where((_, i) => i % 2 == 0).Select(name => name.Text), Is.EqualTo(
            new[] { "overhead.hashtable.main", "overhead.hashtable.expires", "overhead.hashtable.slot-to-keys" }));
        Assert.That(stats.Field("keys.count")!.Integer, Is.EqualTo(1));
        Assert.That(stats.Field("total.allocated")!.Integer, Is.GreaterThan(stats.Field("startup.allocated")!.Integer));
    }

    [Test]
    public void Every_command_of_a_pipeline_is_in_the_slow_log_when_it_takes_all()
    {
        using var client = Server.Connect();
        client.Call("CONFIG", "SET", "slowlog-log-slower-than", "0");
        client.Call("SLOWLOG", "RESET");
        client.Send("SET", "a", "1");
        client.Send("GET", "a");
        client.Send("SET", "big", new string('x', 200));
        for (var i = 0; i < 3; i++)
        {
            client.ReadReply();
        }

        client.Call("CONFIG", "SET", "slowlog-log-slower-than", "10000");
        var entries = client.Call("SLOWLOG", "GET", "-1").Items;

        var verbs = entries.Select(entry => entry.Items[3].Items[0].Text);
        Assert.That(verbs.Reverse().Take(4), Is.EqualTo(new[] { "SLOWLOG", "SET", "GET", "SET" }));
        Assert.That(entries[^4].Items[3].Items.Select(argument => argument.Text), Is.EqualTo(s_slowArguments));
        client.Call("SLOWLOG", "RESET");
        Assert.That(client.Call("SLOWLOG", "LEN").Integer, Is.Zero);
    }

    [Test]
    public void Every_command_of_a_transaction_is_counted_and_in_the_slow_log_when_it_takes_all()
    {
        string[] commands = ["SET a text", "GET a", "INCR a", "SELECT 0", "MGET a b", "GET b", "APPEND a x"];
        using var client = Server.Connect();
        client.Call("CONFIG", "RESETSTAT");
        client.Call("CONFIG", "SET", "slowlog-log-slower-than", "0");
        client.Call("SLOWLOG", "RESET");
        client.Call("MULTI");
        foreach (var command in commands)
        {
            client.Call(command.Split(' '));
        }

        client.Call("EXEC");
        client.Call("CONFIG", "SET", "slowlog-log-slower-than", "10000");
        var statistics = Info(client, "commandstats");
        var logged = client.Call("SLOWLOG", "GET", "-1").Items
            .Select(entry => string.Join(' ', entry.Items[3].Items.Select(argument => argument.Text)))
            .Where(commands.Contains);

        Assert.That(logged.Reverse(), Is.EqualTo(commands));
        Assert.That(statistics["cmdstat_get"], Does.StartWith("calls=2,").And.EndsWith("failed_calls=0"));
        Assert.That(statistics["cmdstat_incr"], Does.StartWith("calls=1,").And.EndsWith("failed_calls=1"));
        Assert.That(statistics["cmdstat_mget"], Does.StartWith("calls=1,"));
        Assert.That(statistics["cmdstat_exec"], Does.StartWith("calls=1,"));
        Assert.That(Info(client, "stats")["keyspace_hits"], Is.EqualTo("2"));
        Assert.That(Info(client, "stats")["keyspace_misses"], Is.EqualTo("2"));
    }

    [Test]
    public void A_slow_command_is_seen_by_the_latency_monitor()
    {
        using var server = StartWith("--enable-debug-command", "yes");
        using var client = server.Connect();
        client.Call("CONFIG", "SET", "latency-monitor-threshold", "300");

        client.Call("DEBUG", "SLEEP", "0.4"); // Nothing else takes so long, on the busiest machine.

        var latest = client.Call("LATENCY", "LATEST").Items;
        Assert.That(latest.Select(series => series.Items[0].Text), Is.EqualTo(new[] { "command" }));
        Assert.That(latest[0].Items[3].Integer, Is.AtLeast(400));
        Assert.That(client.Call("LATENCY", "HISTORY", "command").Items, Has.Count.EqualTo(1));
        Assert.That(client.Call("LATENCY", "RESET").Integer, Is.EqualTo(1));
    }

    [Test]
    public void Debug_is_refused_unless_it_is_enabled()
    {
        using var client = Server.Connect();

        var reply = client.Call("DEBUG", "SLEEP", "0");

        Assert.That(
            reply.Text, Does.StartWith("ERR DEBUG command not allowed. If the enable-debug-command option is set"));
    }

    [Test]
    public void Info_keyspace_tells_how_long_keys_have_left_on_average()
    {
        if (Kind == ServerKind.Redis)
        {
            Assert.Ignore("Redis estimates it now and then.");
        }

        using var client = Server.Connect();
        client.Call("FLUSHALL");
        client.Call("MSET", "a", "1", "b", "2", "c", "3");
        client.Call("EXPIRE", "a", "1000");
        client.Call("EXPIRE", "b", "5000");
        client.Call("EXPIRE", "b", "3000");

        var line = Info(client, "keyspace")["db0"];
        Assert.That(line, Does.StartWith("keys=3,expires=2,avg_ttl="));
        var averageMs = int.Parse(line.Split('=', ',')[5], CultureInfo.InvariantCulture);
        Assert.That(averageMs, Is.InRange(1_900_000, 2_000_000));
        client.Call("PERSIST", "b");
        Assert.That(Info(client, "keyspace")["db0"], Does.Match("expires=1,avg_ttl=(9[0-9]{5}|1000000),"));
    }

    [Test]
    public void Swapdb_exchanges_what_clients_of_two_databases_see()
    {
        using var client = Server.Connect();
        client.Call("FLUSHALL");
        client.Call("SET", "k", "in 0");
        Assert.That(client.Call("SWAPDB", "0", "1").Text, Is.EqualTo("OK"));

        Assert.That(client.Call("GET", "k").IsNull);
        client.Call("SELECT", "1");
        Assert.That(client.Call("GET", "k").Text, Is.EqualTo("in 0"));
        Assert.That(client.Call("FLUSHDB").Text, Is.EqualTo("OK"));
        Assert.That(Info(client, "keyspace"), Is.Empty);
    }

    [Test]
    public void Shutdown_ends_the_connection_and_the_process()
    {
        using var server = StartWith();
        using var client = server.Connect();

        client.Send("SHUTDOWN", "NOSAVE");

        Assert.That(client.ReadToEnd(), Is.Empty);
        Assert.That(server.WaitForExit(), Is.Zero);
    }

    private static Dictionary<string, string> Info(RespConnection client, string section)
        => client.Call("INFO", section).Text.Split("\r\n", StringSplitOptions.RemoveEmptyEntries)
            .Where(line => line[0] != '#')
            .Select(line => line.Split(':', 2))
            .ToDictionary(parts => parts[0], parts => parts[1]);
}
