using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using NUnit.Framework;
using Strata.Tests.Oracle;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Servers with a journal that are killed, and started again on what they have left. Environment: JOURNAL_SEED
/// (first seed, else 1) and JOURNAL_MINUTES (how long), for runs by hand.</summary>
[Category(TestCategories.Long)]
[TestFixture("1")]
[TestFixture("3")]
internal sealed class JournalTests(string workers) : JournalFixture(workers)
{
    private const int DefaultSequences = 12;

    /// <summary>Those that change keys, and that Redis 7.0 knows, too.</summary>
    private const string Families =
        "strings,bitmaps,hyperloglogs,keys,payloads,expiry,lists,sort,hashes,sets,sortedsets,geo,streams,"
        + "transactions,blocking,scripts,functions";

    [Test]
    public void All_that_was_answered_is_there_after_a_kill_also_for_redis(
        [Values("yes", "no")] string withRdb, [Values] bool rewrites)
    {
        if (!rewrites && withRdb == "no")
        {
            return; // What would make a difference is not there.
        }

        var generator = RandomCommandGenerator.Of(Families);
        var seed = Number("JOURNAL_SEED") ?? 1;
        var minutes = Number("JOURNAL_MINUTES");
        var clock = Stopwatch.StartNew();
        for (var i = 0; minutes == null ? i < DefaultSequences : clock.Elapsed.TotalMinutes < minutes; i++, seed++)
        {
            IReadOnlyList<string> before;
            var first = StartWith("always", "--aof-use-rdb-preamble", withRdb, "--enable-debug-command", "local");
            using (var connection = first.Connect())
            {
                Assert.That(connection.Call("DEBUG", "SMALL-STEPS", "1").Text, Is.EqualTo("OK"));
            }

            using (var target = new ServerTarget("strata", () => first))
            using (rewrites ? new RepeatedRewrites(first) : null)
            {
                _ = target.Run(RandomCommandGenerator.InBursts(generator.Sequence(seed), seed));
                before = KeyspaceImage.Of(first);
                first.Kill();
            }

            using (var server = StartWith("always"))
            {
                Assert.That(KeyspaceImage.Of(server), Is.EqualTo(before), $"seed {seed}, Strata again");
                server.StopGracefully();
            }

            using (var redis = StartRedis())
            {
                Assert.That(KeyspaceImage.Of(redis), Is.EqualTo(before), $"seed {seed}, redis-server");
            }
        }
    }

    [Test]
    public void What_redis_has_written_is_loaded([Values("yes", "no")] string withRdb)
    {
        var generator = RandomCommandGenerator.Of(Families);
        for (var seed = 1; seed <= DefaultSequences; seed++)
        {
            IReadOnlyList<string> before;
            var redis = StartRedis("--aof-use-rdb-preamble", withRdb);
            using (var target = new ServerTarget("redis", () => redis))
            using (new RepeatedRewrites(redis))
            {
                _ = target.Run(RandomCommandGenerator.InBursts(generator.Sequence(seed), seed));
                before = KeyspaceImage.Of(redis);
                redis.StopGracefully();
            }

            using var server = StartWith("everysec");
            Assert.That(KeyspaceImage.Of(server), Is.EqualTo(before), $"seed {seed}");
            server.StopGracefully();
        }
    }

    /// <summary>Redis before 7 had one file, which may begin with an RDB.</summary>
    [Test]
    public void A_file_of_commands_behind_an_rdb_is_loaded()
    {
        IReadOnlyList<string> before;
        var redis = StartRedis();
        using (var target = new ServerTarget("redis", () => redis))
        {
            _ = target.Run(RandomCommandGenerator.InBursts(RandomCommandGenerator.Of(Families).Sequence(1), 1));
            using var connection = redis.Connect();
            AofRewrites.Do(connection);
            _ = connection.Call("SET", "behind", "the rdb");
            _ = connection.Call("RPUSH", "list-behind", "1", "2");
            before = KeyspaceImage.Of(redis);
            redis.StopGracefully();
        }

        var files = Directory.GetFiles(Aof).Where(file => !file.EndsWith(".manifest", StringComparison.Ordinal));
        byte[] joined = [.. files.Order(StringComparer.Ordinal).SelectMany(File.ReadAllBytes)];
        Directory.Delete(Aof, recursive: true);
        File.WriteAllBytes(Path.Combine(Folder, "appendonly.aof"), joined);
        using (var server = StartWith("always"))
        {
            Assert.That(KeyspaceImage.Of(server), Is.EqualTo(before));
            using var connection = server.Connect();
            _ = connection.Call("SET", "later", "1");
            server.Kill();
        }

        using var again = StartWith("always");
        Assert.That(KeyspaceImage.Of(again), Has.Count.EqualTo(before.Count + 1));
    }

    /// <summary>What has expired by now had not when it was done first.</summary>
    [Test]
    public void A_key_that_was_kept_after_the_rdb_is_there_though_its_time_has_come()
    {
        var redis = StartRedis();
        long expiryMs;
        using (redis)
        using (var connection = redis.Connect())
        {
            for (var seconds = 1; ; seconds *= 2)
            {
                _ = connection.Call("SET", "kept", "v", "EX", $"{seconds}");
                expiryMs = connection.Call("PEXPIRETIME", "kept").Integer;
                AofRewrites.Do(connection);
                if (connection.Call("PERSIST", "kept").Integer == 1)
                {
                    break;
                }
            }

            redis.StopGracefully();
        }

        while (DateTimeOffset.UtcNow.ToUnixTimeMilliseconds() <= expiryMs)
        {
            Thread.Sleep(20);
        }

        using var server = StartWith("everysec");
        using var reader = server.Connect();
        Assert.That(reader.Call("GET", "kept").Text, Is.EqualTo("v"));
    }

    /// <summary>The load waits where one of the journal's commands does, until a client ends that.</summary>
    [Test]
    public void Clients_are_told_to_come_back_while_the_journal_is_loaded()
    {
        using var held = new HeldLoad();
        RespCommand[] commands =
        [
            RespCommand.Of("SET", "a", "1"),
            RespCommand.Of("SET", "kept", "v"),
            RespCommand.Of("PEXPIREAT", "kept", "1000"),
            held.Command("a"),
            RespCommand.Of("PERSIST", "kept"),
            RespCommand.Of("SET", "b", "2"),
        ];
        File.WriteAllBytes(
            Path.Combine(Folder, "appendonly.aof"), [.. commands.SelectMany(command => command.Encode())]);
        using var server = ServerProcess.Launch(
            ServerKind.Strata, [StrataProcess.Program()], [.. Flags("always"), "--requirepass", "secret"]);
        using var connection = ConnectionTo(server);
        Assert.That(connection.Call("AUTH", "secret").Text, Is.EqualTo("OK"));
        const string Loading = "LOADING Redis is loading the dataset in memory";
        Assert.That(connection.Call("PING").Text, Is.EqualTo(Loading));
        Assert.That(connection.Call("GET", "a").Text, Is.EqualTo(Loading));
        Assert.That(connection.Call("SET", "a", "2").Text, Is.EqualTo(Loading));
        Assert.That(connection.Call("INFO", "persistence").Text, Does.Contain("loading:1\r\n")
            .And.Contain($"loading_total_bytes:{commands.Sum(command => command.Encode().Length)}\r\n"));
        Assert.That(connection.Call("CLIENT", "PAUSE", "100000", "WRITE").Text, Is.EqualTo("OK"), "it holds clients");
        held.Await();
        Assert.That(connection.Call("CLIENT", "UNPAUSE").Text, Is.EqualTo("OK"), "nothing expires nevertheless");
        Thread.Sleep(300); // For what is not to be.
        held.GoOn();
        Patience.Await(() => connection.Call("PING").Text == "PONG");
        Assert.That(connection.Call("MGET", "a", "b", "kept"), Is.EqualTo(RespValue.Array(
            RespValue.Bulk("1"), RespValue.Bulk("2"), RespValue.Bulk("v"))));
        server.StopGracefully();
    }

    [Test]
    public void A_journal_that_is_switched_off_while_it_is_loaded_is_loaded_all_the_same()
    {
        using var held = new HeldLoad();
        RespCommand[] commands =
            [RespCommand.Of("SET", "a", "1"), held.Command("a"), RespCommand.Of("SET", "b", "2")];
        File.WriteAllBytes(
            Path.Combine(Folder, "appendonly.aof"), [.. commands.SelectMany(command => command.Encode())]);
        using var server = ServerProcess.Launch(ServerKind.Strata, [StrataProcess.Program()], Flags("always"));
        using var connection = ConnectionTo(server);
        Assert.That(connection.Call("CONFIG", "SET", "appendonly", "no").Text, Is.EqualTo("OK"));
        held.Await();
        held.GoOn();
        Patience.Await(() => connection.Call("PING").Text == "PONG");
        Assert.That(connection.Call("DBSIZE").Integer, Is.EqualTo(2));
        Patience.Await(() => connection.Call("WAITAOF", "1", "0", "0").IsError);
        Assert.That(connection.Call("SET", "c", "3").Text, Is.EqualTo("OK"));
        server.StopGracefully();
    }

    [Test]
    public void A_server_that_loads_its_journal_can_be_stopped()
    {
        using var held = new HeldLoad();
        byte[] content = [.. RespCommand.Of("SET", "a", "1").Encode(), .. held.Command("a").Encode()];
        File.WriteAllBytes(Path.Combine(Folder, "appendonly.aof"), content);
        using var server = ServerProcess.Launch(ServerKind.Strata, [StrataProcess.Program()], Flags("always"));
        using var connection = ConnectionTo(server);
        held.Await();
        server.StopGracefully();
        var file = Path.Combine(Folder, "appendonlydir", "appendonly.aof");
        Assert.That(File.ReadAllBytes(file), Is.EqualTo(content));
    }

    [Test]
    public void Nothing_is_lost_by_a_stop()
    {
        using (var server = StartWith("everysec"))
        {
            using var connection = server.Connect();
            connection.Send(Enumerable.Range(0, 50_000).Select(i => RespCommand.Of("SET", $"k{i}", $"{i}")));
            for (var i = 0; i < 50_000; i++)
            {
                Assert.That(connection.ReadReply().Text, Is.EqualTo("OK"));
            }

            server.StopGracefully();
        }

        using var again = StartWith("everysec");
        using var reader = again.Connect();
        Assert.That(reader.Call("DBSIZE").Integer, Is.EqualTo(50_000));
        Assert.That(reader.Call("GET", "k49999").Text, Is.EqualTo("49999"));
    }

    [Test]
    public void A_damaged_journal_ends_the_start()
    {
        using (var server = StartWith("always"))
        {
            using var connection = server.Connect();
            for (var i = 0; i < 100; i++)
            {
                _ = connection.Call("SET", $"k{i}", "a value of some length");
            }

            server.Kill();
        }

        var file = Directory.GetFiles(Aof, "*.incr.aof").Single();
        var bytes = File.ReadAllBytes(file);
        bytes[bytes.AsSpan().LastIndexOf("#STRATA "u8) / 3] ^= 1; // Behind what was written there is filler.
        File.WriteAllBytes(file, bytes);
        using var again = ServerProcess.Launch(ServerKind.Strata, [StrataProcess.Program()], Flags("always"));
        Assert.That(again.WaitForExit(), Is.EqualTo(6));
        Assert.That(again.Output, Does.Contain(Path.GetFileName(file)).And.Contains("--check-aof"));
    }

    [Test]
    public void Who_waits_for_the_disk_is_answered_when_it_has_what_was_written()
    {
        using var server = StartWith("everysec");
        using var connection = server.Connect();
        Assert.That(connection.Call("WAITAOF", "1", "0", "0"), Is.EqualTo(Acknowledged(1)));
        _ = connection.Call("SET", "k", "v");
        Assert.That(connection.Call("WAITAOF", "1", "0", "0"), Is.EqualTo(Acknowledged(1)));
        Assert.That(connection.Call("WAITAOF", "1", "1", "10"), Is.EqualTo(Acknowledged(1)));
        server.StopGracefully();
    }

    private static RespConnection ConnectionTo(ServerProcess server)
    {
        RespConnection? connection = null;
        Patience.Await(() =>
        {
            try
            {
                connection = server.Connect();
                return true;
            }
            catch (SocketException)
            {
                return false;
            }
        });
        return connection!;
    }

    private static RespValue Acknowledged(int local) => RespValue.Array(RespValue.Number(local), RespValue.Number(0));

    private static int? Number(string name)
        => Environment.GetEnvironmentVariable(name) is { Length: > 0 } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : null;

    private string[] Flags(string policy)
        => ["--dir", Folder, "--appendonly", "yes", "--appendfsync", policy, "--workers", Workers,
            "--enable-debug-command", "local"];

    private ServerProcess StartWith(string policy, params string[] flags)
        => StrataProcess.Start([.. Flags(policy), .. flags]);

    private ServerProcess StartRedis(params string[] flags)
    {
        var redis = ServerProcess.Start(
            ServerKind.Redis,
            [RedisProcess.Program()],
            ["--dir", Folder, "--save", "", "--appendonly", "yes", "--enable-debug-command", "local", .. flags]);
        using var connection = redis.Connect();
        while (connection.Call("PING").IsError)
        {
            Thread.Sleep(20); // It answers while it loads.
        }

        return redis;
    }
}
