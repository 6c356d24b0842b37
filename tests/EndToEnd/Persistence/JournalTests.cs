using System.Diagnostics;
using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Oracle;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Servers with a journal that are killed, and started again on what they have left. Environment: JOURNAL_SEED
/// (first seed, else 1) and JOURNAL_MINUTES (how long), for runs by hand.</summary>
[Category(TestCategories.Long)]
[TestFixture("1")]
[TestFixture("3")]
internal sealed class JournalTests(string workers)
{
    private const int DefaultSequences = 12;

    /// <summary>Those that change keys, and that Redis 7.0 knows, too.</summary>
    private const string Families =
        "strings,bitmaps,keys,expiry,lists,sort,hashes,sets,sortedsets,transactions,blocking,scripts,functions";

    private string _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = Directory.CreateTempSubdirectory("strata-journal-").FullName;

    [TearDown]
    public void RemoveFolder() => Directory.Delete(_folder, recursive: true);

    [Test]
    public void All_that_was_answered_is_there_after_a_kill_also_for_redis()
    {
        var generator = RandomCommandGenerator.Of(Families);
        var seed = Number("JOURNAL_SEED") ?? 1;
        var minutes = Number("JOURNAL_MINUTES");
        var clock = Stopwatch.StartNew();
        for (var i = 0; minutes == null ? i < DefaultSequences : clock.Elapsed.TotalMinutes < minutes; i++, seed++)
        {
            IReadOnlyList<string> before;
            var first = Start("always");
            using (var target = new ServerTarget("strata", () => first))
            {
                _ = target.Run(RandomCommandGenerator.InBursts(generator.Sequence(seed), seed));
                before = KeyspaceImage.Of(first);
                first.Kill();
            }

            using (var server = Start("always"))
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
    public void What_redis_has_written_is_loaded()
    {
        var generator = RandomCommandGenerator.Of(Families);
        for (var seed = 1; seed <= DefaultSequences; seed++)
        {
            IReadOnlyList<string> before;
            var redis = StartRedis("--aof-use-rdb-preamble", "no");
            using (var target = new ServerTarget("redis", () => redis))
            {
                _ = target.Run(RandomCommandGenerator.InBursts(generator.Sequence(seed), seed));
                before = KeyspaceImage.Of(redis);
                redis.StopGracefully();
            }

            using var server = Start("everysec");
            Assert.That(KeyspaceImage.Of(server), Is.EqualTo(before), $"seed {seed}");
            server.StopGracefully();
        }
    }

    [Test]
    public void Nothing_is_lost_by_a_stop()
    {
        using (var server = Start("everysec"))
        {
            using var connection = server.Connect();
            connection.Send(Enumerable.Range(0, 50_000).Select(i => RespCommand.Of("SET", $"k{i}", $"{i}")));
            for (var i = 0; i < 50_000; i++)
            {
                Assert.That(connection.ReadReply().Text, Is.EqualTo("OK"));
            }

            server.StopGracefully();
        }

        using var again = Start("everysec");
        using var reader = again.Connect();
        Assert.That(reader.Call("DBSIZE").Integer, Is.EqualTo(50_000));
        Assert.That(reader.Call("GET", "k49999").Text, Is.EqualTo("49999"));
    }

    [Test]
    public void A_damaged_journal_ends_the_start()
    {
        using (var server = Start("always"))
        {
            using var connection = server.Connect();
            for (var i = 0; i < 100; i++)
            {
                _ = connection.Call("SET", $"k{i}", "a value of some length");
            }

            server.Kill();
        }

        var file = Directory.GetFiles(Path.Combine(_folder, "appendonlydir"), "*.incr.aof").Single();
        var bytes = File.ReadAllBytes(file);
        bytes[bytes.Length / 3] ^= 1;
        File.WriteAllBytes(file, bytes);
        using var again = ServerProcess.Launch(ServerKind.Strata, [StrataProcess.Program()], Flags("always"));
        Assert.That(again.WaitForExit(), Is.Not.Zero);
        Assert.That(again.Output, Does.Contain(Path.GetFileName(file)).And.Contains("--check-aof"));
    }

    [Test]
    public void Who_waits_for_the_disk_is_answered_when_it_has_what_was_written()
    {
        using var server = Start("everysec");
        using var connection = server.Connect();
        Assert.That(connection.Call("WAITAOF", "1", "0", "0"), Is.EqualTo(Acknowledged(1)));
        _ = connection.Call("SET", "k", "v");
        Assert.That(connection.Call("WAITAOF", "1", "0", "0"), Is.EqualTo(Acknowledged(1)));
        Assert.That(connection.Call("WAITAOF", "1", "1", "10"), Is.EqualTo(Acknowledged(1)));
        server.StopGracefully();
    }

    private static RespValue Acknowledged(int local) => RespValue.Array(RespValue.Number(local), RespValue.Number(0));

    private static int? Number(string name)
        => Environment.GetEnvironmentVariable(name) is { Length: > 0 } text
            ? int.Parse(text, CultureInfo.InvariantCulture)
            : null;

    private string[] Flags(string policy)
        => ["--dir", _folder, "--appendonly", "yes", "--appendfsync", policy, "--workers", workers,
            "--enable-debug-command", "local"];

    private ServerProcess Start(string policy) => StrataProcess.Start(Flags(policy));

    private ServerProcess StartRedis(params string[] flags)
    {
        var redis = ServerProcess.Start(
            ServerKind.Redis,
            [RedisProcess.Program()],
            ["--dir", _folder, "--save", "", "--appendonly", "yes", "--enable-debug-command", "local", .. flags]);
        using var connection = redis.Connect();
        while (connection.Call("PING").IsError)
        {
            Thread.Sleep(20); // It answers while it loads.
        }

        return redis;
    }
}
