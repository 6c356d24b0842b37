using System.Collections.Concurrent;
using System.Globalization;
using System.Net.Sockets;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Rewrites of the append-only file, while clients change data.</summary>
[TestFixture("1")]
[TestFixture("3")]
internal sealed class RewriteTests(string workers) : JournalFixture(workers)
{
    [Test]
    public void The_files_are_as_short_as_the_data_allows([Values("yes", "no")] string withRdb)
    {
        using (var server = Start("--appendonly", "yes", "--aof-use-rdb-preamble", withRdb))
        {
            using var connection = server.Connect();
            for (var i = 0; i < 1000; i++)
            {
                _ = connection.Call("INCR", "counter");
            }

            _ = connection.Call("FUNCTION", "LOAD", "#!lua name=f\nredis.register_function('f', function() end)");
            _ = connection.Call("SELECT", "3");
            _ = connection.Call("RPUSH", "list", "a", "b");
            AofRewrites.Do(connection);
            _ = connection.Call("SELECT", "0");
            _ = connection.Call("INCR", "counter");
            Assert.That(AofRewrites.Field(connection, "aof_last_bgrewrite_status"), Is.EqualTo("ok"));
            Assert.That(AofRewrites.Field(connection, "aof_rewrites"), Is.EqualTo("1"));
            Assert.That(long.Parse(AofRewrites.Field(connection, "aof_base_size"), CultureInfo.InvariantCulture),
                Is.InRange(1, 1000));
            Assert.That(connection.Call("WAITAOF", "1", "0", "0").Items[0].Integer, Is.EqualTo(1));
            Assert.That(Names(), Is.EqualTo((string[])
            [
                $"appendonly.aof.1.base.{(withRdb == "yes" ? "rdb" : "aof")}", "appendonly.aof.2.incr.aof",
                "appendonly.aof.manifest",
            ]));
            Assert.That(
                File.ReadAllBytes(Path.Combine(Aof, Names()[0])).AsSpan().StartsWith("REDIS0010"u8),
                Is.EqualTo(withRdb == "yes"));
            server.Kill();
        }

        using var again = Start("--appendonly", "yes");
        using var reader = again.Connect();
        Assert.That(reader.Call("GET", "counter").Integer, Is.EqualTo(1001));
        Assert.That(reader.Call("FUNCTION", "LIST").Items, Has.Count.EqualTo(1));
        Assert.That(reader.Call("SELECT", "3").Text, Is.EqualTo("OK"));
        Assert.That(reader.Call("LRANGE", "list", "0", "-1").Items, Has.Count.EqualTo(2));
        again.StopGracefully();
    }

    [Test]
    public void Replies_are_those_of_Redis()
    {
        using var server = Start("--appendonly", "yes", "--snapshot-buffer", "1mb");
        using var connection = server.Connect();
        Assert.That(connection.Call("MULTI").Text, Is.EqualTo("OK"));
        Assert.That(connection.Call("BGREWRITEAOF").Text, Is.EqualTo("QUEUED"));
        Assert.That(
            connection.Call("EXEC").Items[0].Text, Is.EqualTo("Background append only file rewriting scheduled"));
        AofRewrites.Await(connection);

        // What is sent together is executed together.
        connection.Send([RespCommand.Of("BGREWRITEAOF"), RespCommand.Of("BGREWRITEAOF"), RespCommand.Of("BGSAVE"),
            RespCommand.Of("BGSAVE", "SCHEDULE")]);
        Assert.That(connection.ReadReply().Text, Is.EqualTo("Background append only file rewriting started"));
        Assert.That(
            connection.ReadReply(),
            Is.EqualTo(RespValue.Error("ERR Background append only file rewriting already in progress")));
        Assert.That(connection.ReadReply().Text, Does.StartWith("ERR Another child process is active (AOF?)"));
        Assert.That(connection.ReadReply().Text, Is.EqualTo("Background saving scheduled"));
        Patience.Await(() => AofRewrites.Field(connection, "rdb_saves") == "1"
            && AofRewrites.Field(connection, "rdb_bgsave_in_progress") == "0");
        connection.Send([RespCommand.Of("BGSAVE"), RespCommand.Of("BGREWRITEAOF")]);
        Assert.That(connection.ReadReply().Text, Is.EqualTo("Background saving started"));
        Assert.That(connection.ReadReply().Text, Is.EqualTo("Background append only file rewriting scheduled"));
        AofRewrites.Await(connection);
        Patience.Await(() => AofRewrites.Field(connection, "aof_rewrites") == "3");
        server.StopGracefully();
    }

    /// <summary>Without <c>appendonly</c> the base alone is written.</summary>
    [Test]
    public void A_rewrite_needs_no_journal([Values("yes", "no")] string withRdb)
    {
        using (var server = Start("--aof-use-rdb-preamble", withRdb))
        {
            using var connection = server.Connect();
            for (var round = 0; round < 2; round++)
            {
                _ = connection.Call("SET", "round", $"{round}");
                AofRewrites.Do(connection);
            }

            Assert.That(AofRewrites.Field(connection, "aof_enabled"), Is.EqualTo("0"));
            Assert.That(Names(), Has.Count.EqualTo(2).And.Member("appendonly.aof.manifest"));
            server.Kill();
        }

        using var again = Start("--appendonly", "yes");
        using var reader = again.Connect();
        Assert.That(reader.Call("GET", "round").Text, Is.EqualTo("1"));
    }

    [Test]
    public void All_keys_may_go_while_the_files_are_rewritten()
    {
        using (var server = Start("--appendonly", "yes", "--appendfsync", "always"))
        {
            using var connection = server.Connect();
            using var rewrites = new RepeatedRewrites(server);
            for (var round = 0; round < 30; round++)
            {
                for (var i = 0; i < 50; i++)
                {
                    _ = connection.Call("SET", $"k{i}", $"{round}");
                }

                _ = connection.Call("FLUSHALL");
                _ = connection.Call("SET", "round", $"{round}");
            }

            server.Kill();
        }

        using var again = Start("--appendonly", "yes");
        using var reader = again.Connect();
        Assert.That(reader.Call("DBSIZE").Integer, Is.EqualTo(1));
        Assert.That(reader.Call("GET", "round").Text, Is.EqualTo("29"));
    }

    /// <summary>Each client counts keys of its own up, and knows how far it was told.</summary>
    [Test]
    [Category(TestCategories.Long)]
    public void Nothing_that_was_answered_is_lost_by_a_kill_in_a_rewrite([Values("yes", "no")] string withRdb)
    {
        const int Clients = 8;
        const int Keys = 200;
        var told = new ConcurrentDictionary<string, long>();
        var random = new Random(1);
        for (var round = 0; round < 6; round++)
        {
            using (var server = Start(
                "--appendonly", "yes", "--appendfsync", "always", "--aof-use-rdb-preamble", withRdb))
            {
                using (var reader = server.Connect())
                {
                    foreach (var (key, least) in told)
                    {
                        var found = reader.Call("GET", key).Integer;
                        Assert.That(found, Is.InRange(least, least + 1), $"{key} in round {round}");
                        told[key] = found;
                    }
                }

                using var rewrites = new RepeatedRewrites(server);
                Thread[] clients = [.. Enumerable.Range(0, Clients).Select(i => Count(server, i, Keys, told))];
                using var watcher = server.Connect();
                var enough = long.Parse(AofRewrites.Field(watcher, "aof_rewrites"), CultureInfo.InvariantCulture) + 3;
                Patience.Await(() => long.Parse(
                    AofRewrites.Field(watcher, "aof_rewrites"), CultureInfo.InvariantCulture) >= enough);
                Thread.Sleep(random.Next(30));
                server.Kill();
                foreach (var client in clients)
                {
                    client.Join();
                }
            }
        }

        Assert.That(told, Is.Not.Empty);
    }

    private static Thread Count(ServerProcess server, int client, int keys, ConcurrentDictionary<string, long> told)
    {
        var thread = new Thread(() =>
        {
            try
            {
                using var connection = server.Connect();
                for (var i = 0; ; i++)
                {
                    var key = $"counter-{client}-{i % keys}";
                    told[key] = connection.Call("INCR", key).Integer;
                }
            }
            catch (Exception exception) when (exception is SocketException or EndOfStreamException)
            {
                Assert.That(SpinWait.SpinUntil(() => server.HasExited, Patience.Ms));
            }
        });
        thread.Start();
        return thread;
    }

    private IReadOnlyList<string> Names() =>
        [.. Directory.GetFiles(Aof).Select(file => Path.GetFileName(file)).Order(StringComparer.Ordinal)];
}
