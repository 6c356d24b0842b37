using System.Diagnostics;
using NUnit.Framework;
using Strata.Tests.EndToEnd;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Reports;

/// <summary>That INFO's fields say what happened.</summary>
public sealed class InfoValuesTests() : ServerFixture(ServerKind.Strata)
{
    private RespConnection _connection = null!;

    [SetUp]
    public void Connect()
    {
        _connection = Server.Connect();
        _ = _connection.Call("FLUSHALL");
    }

    [TearDown]
    public void Disconnect() => _connection.Dispose();

    [Test]
    public void Subscribers_are_counted_while_they_are()
    {
        using (var first = Server.Connect())
        using (var second = Server.Connect())
        {
            _ = first.Call("SUBSCRIBE", "a");
            _ = first.Call("PSUBSCRIBE", "b*");
            _ = second.Call("SSUBSCRIBE", "c");
            AssertBecomes("clients", "pubsub_clients", 2);
            _ = first.Call("UNSUBSCRIBE", "a");
            AssertBecomes("clients", "pubsub_clients", 2);
            _ = first.Call("PUNSUBSCRIBE");
            AssertBecomes("clients", "pubsub_clients", 1);
            _ = second.Call("RESET");
            AssertBecomes("clients", "pubsub_clients", 0);
            _ = second.Call("SUBSCRIBE", "a");
            AssertBecomes("clients", "pubsub_clients", 1);
        }

        AssertBecomes("clients", "pubsub_clients", 0);
    }

    [Test]
    public void Watchers_and_their_keys_are_counted_while_they_are()
    {
        using (var first = Server.Connect())
        using (var second = Server.Connect())
        {
            _ = first.Call("WATCH", "a", "b");
            _ = second.Call("WATCH", "b", "b", "c");
            AssertBecomes("clients", "watching_clients", 2);
            AssertBecomes("clients", "total_watched_keys", 3);
            Assert.That(second.Call("CLIENT", "INFO").Text, Does.Contain(" watch=2 "));
            _ = first.Call("UNWATCH");
            AssertBecomes("clients", "watching_clients", 1);
            _ = first.Call("UNWATCH");
            _ = second.Call("MULTI");
            _ = second.Call("EXEC");
            AssertBecomes("clients", "watching_clients", 0);
            _ = second.Call("WATCH", "a");
        }

        AssertBecomes("clients", "watching_clients", 0);
        AssertBecomes("clients", "total_watched_keys", 0);
    }

    [Test]
    public void Clients_closed_for_their_buffers_are_counted()
    {
        _ = _connection.Call("CONFIG", "SET", "client-query-buffer-limit", "1mb");
        using (var greedy = Server.Connect())
        {
            // Where the server closes while more comes, the client may learn of that first.
            Assert.That(() => SendAndRead(greedy, $"*1\r\n$4000000\r\n{new string('x', 3_000_000)}"), Throws.Exception);
        }

        AssertBecomes("stats", "client_query_buffer_limit_disconnections", 1);
        _ = _connection.Call("CONFIG", "SET", "client-query-buffer-limit", "1gb");
        _ = _connection.Call("CONFIG", "SET", "client-output-buffer-limit", "normal 1mb 0 0");
        _ = _connection.Call("SET", "big", new string('x', 500_000));
        using (var greedy = Server.Connect())
        {
            var flood = string.Concat(Enumerable.Repeat("GET big\r\n", 1_000));
            greedy.SendRaw(flood);
            AssertBecomes("stats", "client_output_buffer_limit_disconnections", 1);
        }

        _ = _connection.Call("CONFIG", "SET", "client-output-buffer-limit", "normal 0 0 0");
    }

    [Test]
    public void Wrong_passwords_are_counted()
    {
        var before = Number("stats", "acl_access_denied_auth");
        Assert.That(_connection.Call("AUTH", "nobody", "x").IsError, Is.True);
        Assert.That(_connection.Call("HELLO", "3", "AUTH", "nobody", "x").IsError, Is.True);
        Assert.That(Number("stats", "acl_access_denied_auth"), Is.EqualTo(before + 2));
    }

    [Test]
    public void The_loops_and_their_commands_are_timed()
    {
        var (cycles, busy, commands) = Times();
        var (reads, writes) = (Number("stats", "total_reads_processed"), Number("stats", "total_writes_processed"));
        for (var i = 0; i < 100; i++)
        {
            _ = _connection.Call("SET", "k", new string('x', 1000));
        }

        var (cyclesNow, busyNow, commandsNow) = Times();
        Assert.That(cyclesNow, Is.AtLeast(cycles + 100));
        Assert.That(busyNow, Is.GreaterThan(busy));
        Assert.That(commandsNow, Is.GreaterThan(commands));
        Assert.That(commandsNow - commands, Is.AtMost(busyNow - busy));
        Assert.That(Number("stats", "total_reads_processed"), Is.AtLeast(reads + 100));
        Assert.That(Number("stats", "total_writes_processed"), Is.AtLeast(writes + 100));
    }

    [Test]
    public void The_greatest_turns_are_told_until_the_counters_are_reset()
    {
        using var server = ServerProcess.Start(ServerKind.Strata, "--enable-debug-command", "yes");
        using var connection = server.Connect();
        long Debug(string field) => ServerInfo.Number(connection, "debug", field);
        _ = connection.Call("DEBUG", "SLEEP", "0.4"); // Nothing else takes so long, on the busiest machine.
        Assert.That(Debug("eventloop_duration_max"), Is.AtLeast(400_000));
        connection.SendRaw(string.Concat(Enumerable.Repeat("PING\r\n", 500)));
        for (var i = 0; i < 500; i++)
        {
            _ = connection.ReadReply();
        }

        Assert.That(() => Debug("eventloop_cmd_per_cycle_max"), Is.GreaterThan(100).After(Patience.Ms, 5));
        Assert.That(() => Debug("eventloop_duration_cron_sum"), Is.GreaterThan(0).After(Patience.Ms, 5));
        Assert.That(
            Debug("eventloop_duration_cron_sum"),
            Is.LessThan(ServerInfo.Number(connection, "stats", "eventloop_duration_sum")));
        _ = connection.Call("CONFIG", "RESETSTAT");
        Assert.That(Debug("eventloop_cmd_per_cycle_max"), Is.LessThan(100));
        Assert.That(Debug("eventloop_duration_max"), Is.LessThan(400_000));
    }

    /// <summary>How much, and which of the two, the kernel only estimates.</summary>
    [Test]
    public void The_processor_time_of_the_first_worker_is_told()
        => Assert.That(
            () => Seconds("used_cpu_user_main_thread") + Seconds("used_cpu_sys_main_thread"),
            Is.GreaterThan(0).After(Patience.Ms, 1));

    [Test]
    public void What_is_freed_later_is_counted()
    {
        var before = Number("memory", "lazyfreed_objects");
        for (var i = 0; i < 3; i++)
        {
            _ = _connection.Call(["SADD", $"s{i}", .. Enumerable.Range(0, 5_000).Select(member => $"member:{member}")]);
            _ = _connection.Call("DEL", $"s{i}");
        }

        AssertBecomes("memory", "lazyfreed_objects", before + 3);
        AssertBecomes("memory", "lazyfree_pending_objects", 0);
    }

    [Test]
    public void Time_over_maxmemory_is_counted()
    {
        for (var i = 0; i < 3; i++)
        {
            _ = _connection.Call("SET", $"k{i}", new string('x', 20_000_000));
        }

        _ = _connection.Call("CONFIG", "SET", "maxmemory", "32mb");
        AssertBecomes("stats", "current_eviction_exceeded_time", ms => ms > 0);
        Assert.That(Number("stats", "total_eviction_exceeded_time"), Is.GreaterThan(0));
        _ = _connection.Call("CONFIG", "SET", "maxmemory", "0");
        AssertBecomes("stats", "current_eviction_exceeded_time", 0);
    }

    [Test]
    public void Hashes_with_fields_that_expire_are_counted_by_database()
    {
        for (var i = 0; i < 20; i++)
        {
            _ = _connection.Call("HSET", $"h{i}", "a", "1", "b", "2");
            _ = _connection.Call("HEXPIRE", $"h{i}", "1000", "FIELDS", "1", "a");
        }

        Assert.That(Keyspace("db0"), Does.EndWith(",subexpiry=20"));
        for (var i = 0; i < 5; i++)
        {
            _ = _connection.Call("MOVE", $"h{i}", "1");
            _ = _connection.Call("COPY", $"h{i + 5}", $"h{i + 5}", "DB", "1");
        }

        _ = _connection.Call("HPERSIST", "h10", "FIELDS", "1", "a");
        _ = _connection.Call("DEL", "h11");
        _ = _connection.Call("HDEL", "h12", "a");
        _ = _connection.Call("RENAME", "h13", "h14");
        Assert.That(Keyspace("db0"), Does.EndWith(",subexpiry=11"));
        Assert.That(Keyspace("db1"), Does.EndWith(",subexpiry=10"));
        _ = _connection.Call("SWAPDB", "0", "1");
        Assert.That(Keyspace("db0"), Does.EndWith(",subexpiry=10"));
        _ = _connection.Call("FLUSHDB");
        _ = _connection.Call("SET", "k", "v");
        Assert.That(Keyspace("db0"), Does.EndWith(",subexpiry=0"));
        Assert.That(Keyspace("db1"), Does.EndWith(",subexpiry=11"));
    }

    /// <summary>The rates are those of the last second or two: traffic that goes on longer fills them.</summary>
    [Test]
    public void The_rates_fit_the_traffic()
    {
        var clock = Stopwatch.StartNew();
        var sent = 0L;
        while (clock.ElapsedMilliseconds < 2_500)
        {
            for (var i = 0; i < 50; i++, sent++)
            {
                _connection.SendRaw("PING\r\n");
            }

            for (var i = 0; i < 50; i++)
            {
                _ = _connection.ReadReply();
            }

            Thread.Sleep(10);
        }

        // A busy machine sends unevenly: the mean of all of it is met within a wide margin, far from any wrong unit.
        var mean = sent / clock.Elapsed.TotalSeconds;
        Assert.That(Number("stats", "instantaneous_ops_per_sec"), Is.InRange(mean / 5, mean * 5));
        Assert.That(Kilobytes("instantaneous_input_kbps"), Is.InRange(mean * 6 / 1024 / 5, mean * 6 / 1024 * 5));
        Assert.That(Kilobytes("instantaneous_output_kbps"), Is.InRange(mean * 7 / 1024 / 5, mean * 7 / 1024 * 5));
    }

    private static void SendAndRead(RespConnection connection, string text)
    {
        connection.SendRaw(text);
        _ = connection.ReadReply();
    }

    // Of one answer: between several, one that takes long would count as a command, and not yet as a turn.
    private (long Cycles, long Busy, long Commands) Times()
    {
        var stats = ServerInfo.Read(_connection, "stats");
        return (ServerInfo.NumberIn(stats, "eventloop_cycles"), ServerInfo.NumberIn(stats, "eventloop_duration_sum"),
            ServerInfo.NumberIn(stats, "eventloop_duration_cmd_sum"));
    }

    private long Number(string section, string field) => ServerInfo.Number(_connection, section, field);

    private double Seconds(string field) => Fraction("cpu", field);

    private double Kilobytes(string field) => Fraction("stats", field);

    private double Fraction(string section, string field)
    {
        var line = ServerInfo.Read(_connection, section).Split("\r\n")
            .First(line => line.StartsWith(field + ":", StringComparison.Ordinal));
        return double.Parse(line[(field.Length + 1)..], System.Globalization.CultureInfo.InvariantCulture);
    }

    private string Keyspace(string database) => ServerInfo.Read(_connection, "keyspace").Split("\r\n")
        .First(line => line.StartsWith(database + ":", StringComparison.Ordinal));

    private void AssertBecomes(string section, string field, long value)
        => ServerInfo.WaitFor(_connection, section, field, value);

    private void AssertBecomes(string section, string field, Predicate<long> condition)
        => Assert.That(() => condition(Number(section, field)), Is.True.After(Patience.Ms, 5), field);
}
