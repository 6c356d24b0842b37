using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>Data that is saved by one server and loaded by another, of either kind.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class SnapshotTests
{
    private const int Elements = 20_000;

    /// <summary>Redis has no value of these commands that Strata would not have, and the other way round.</summary>
    [TestCase(ServerKind.Strata, ServerKind.Redis)]
    [TestCase(ServerKind.Redis, ServerKind.Strata)]
    [TestCase(ServerKind.Strata, ServerKind.Strata)]
    public void What_one_server_saves_another_loads(ServerKind first, ServerKind second)
    {
        using var folder = new TestFolder();
        Dictionary<string, string> expected;
        using (var server = Start(first, folder))
        {
            using var client = server.Connect();
            Fill(client);
            expected = Read(client);
            Assert.That(client.Call("SAVE").Text, Is.EqualTo("OK"));
            server.Kill();
        }

        using var other = Start(second, folder);
        using var reader = other.Connect();
        AwaitLoaded(reader);
        Assert.That(Read(reader), Is.EqualTo(expected));
    }

    [Test]
    public void A_server_that_is_stopped_saves_and_loads_again([Values] bool byCommand)
    {
        using var folder = new TestFolder();
        using (var server = Start(ServerKind.Strata, folder, "--save", "3600 1"))
        {
            using var client = server.Connect();
            Fill(client);
            if (byCommand)
            {
                client.Send("SHUTDOWN");
            }
            else
            {
                server.Terminate();
            }

            Assert.That(server.WaitForExit(), Is.Zero, server.Output);
            Assert.That(() => server.Output, Does.Contain("The data is saved").After(Patience.Ms, 10));
        }

        Assert.That(Directory.GetFiles(folder.Path).Select(Path.GetFileName), Is.EqualTo(new[] { "dump.rdb" }));
        using var second = Start(ServerKind.Strata, folder, "--save", "3600 1");
        using var reader = second.Connect();
        AwaitLoaded(reader);
        Assert.That(reader.Call("GET", "string").Text, Is.EqualTo("hello"));
        Assert.That(reader.Call("HLEN", "hash").Integer, Is.EqualTo(Elements));
        reader.Send("SHUTDOWN", "NOSAVE");
        Assert.That(second.WaitForExit(), Is.Zero);
        Assert.That(second.Output, Does.Not.Contain("Saving"));
    }

    /// <summary>A save point comes by time and changes together.</summary>
    [Test]
    public void Data_is_saved_by_itself()
    {
        using var folder = new TestFolder();
        using var server = Start(ServerKind.Strata, folder, "--save", "1 3");
        using var client = server.Connect();
        client.Call("SET", "a", "1");
        client.Call("SET", "b", "1");
        Assert.That(Info(client, "rdb_changes_since_last_save"), Is.EqualTo("2"));
        client.Call("SET", "c", "1");
        AwaitInfo(client, "rdb_changes_since_last_save", "0");
        Assert.That(File.Exists(folder.File("dump.rdb")));
        Assert.That(Info(client, "rdb_last_bgsave_status"), Is.EqualTo("ok"));
    }

    /// <summary>Redis is done with its own save when it answers FLUSHALL.</summary>
    [TestCase(ServerKind.Strata, "SAVE", "OK")]
    [TestCase(ServerKind.Strata, "BGSAVE", "Background saving started")]
    [TestCase(ServerKind.Redis, "SAVE", "OK")]
    [TestCase(ServerKind.Redis, "BGSAVE", "Background saving started")]
    public void What_is_saved_as_all_keys_are_deleted_refuses_no_other(ServerKind kind, string save, string expected)
    {
        using var folder = new TestFolder();
        using var server = Start(kind, folder, "--save", "3600 1");
        using var client = server.Connect();
        for (var round = 0; round < 5; round++)
        {
            client.Call("SET", "a", "1");
            client.Send([RespCommand.Of("FLUSHALL"), RespCommand.Of(save)]);
            Assert.That(client.ReadReply().Text, Is.EqualTo("OK"));
            Assert.That(client.ReadReply().Text, Is.EqualTo(expected));
            AwaitInfo(client, "rdb_bgsave_in_progress", "0");
        }
    }

    [Test]
    public void A_full_disk_refuses_writes_until_there_is_room()
    {
        using var folder = new TestFolder();
        using var server = Start(
            ServerKind.Strata, folder, "--save", "3600 1", "--enable-protected-configs", "yes");
        using var client = server.Connect();
        Fill(client);
        Assert.That(client.Call("SAVE").Text, Is.EqualTo("OK"));
        var before = File.ReadAllBytes(folder.File("dump.rdb"));
        client.Call("SET", "later", "1");

        // A folder of this name stands where the file is to be written.
        var taken = Directory.CreateDirectory(folder.File($"temp-{server.Pid}.rdb"));
        Assert.That(client.Call("SAVE").IsError, "who asked is told, and nobody else");
        Assert.That(client.Call("SET", "a", "1").Text, Is.EqualTo("OK"));
        client.Call("BGSAVE");
        AwaitInfo(client, "rdb_last_bgsave_status", "err");
        Assert.That(client.Call("SET", "a", "1").Text, Does.StartWith("MISCONF Redis is configured to save RDB"));
        Assert.That(client.Call("PING").Text, Does.StartWith("MISCONF"));
        Assert.That(client.Call("GET", "string").Text, Is.EqualTo("hello"));
        var script = client.Call("EVAL", "return redis.call('set', KEYS[1], 1)", "1", "a");
        Assert.That(script.Text, Does.Contain("MISCONF"));
        Assert.That(File.ReadAllBytes(folder.File("dump.rdb")), Is.EqualTo(before), "what was saved before");
        client.Call("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
        Assert.That(client.Call("SET", "a", "1").Text, Is.EqualTo("OK"));
        client.Call("CONFIG", "SET", "stop-writes-on-bgsave-error", "yes");

        taken.Delete();
        client.Call("BGSAVE");
        AwaitInfo(client, "rdb_last_bgsave_status", "ok");
        Assert.That(client.Call("SET", "a", "2").Text, Is.EqualTo("OK"));
    }

    /// <summary>Whatever is killed leaves the file that was there, or the whole new one.</summary>
    [Test]
    public void A_server_that_is_killed_while_it_saves_leaves_a_whole_file()
    {
        using var folder = new TestFolder();
        var random = new Random(1);
        for (var round = 0; round < 5; round++)
        {
            using var server = Start(ServerKind.Strata, folder);
            using var client = server.Connect();
            AwaitLoaded(client);
            var last = client.Call("GET", "round").Text;
            Assert.That(round == 0 || last == $"{round - 1}" || last == $"{round - 2}", $"{last} in round {round}");
            Fill(client);
            client.Call("SET", "round", (round - 1).ToString(CultureInfo.InvariantCulture));
            Assert.That(client.Call("SAVE").Text, Is.EqualTo("OK"));
            client.Call("SET", "round", round.ToString(CultureInfo.InvariantCulture));
            client.Call("BGSAVE");
            Thread.Sleep(random.Next(20));
            server.Kill();
        }
    }

    [TestCase(100)]
    [TestCase(-10)]
    public void A_damaged_file_is_never_served(int cut)
    {
        using var folder = new TestFolder();
        using (var server = Start(ServerKind.Strata, folder))
        {
            using var client = server.Connect();
            Fill(client);
            client.Call("SAVE");
        }

        var file = folder.File("dump.rdb");
        var bytes = File.ReadAllBytes(file);
        File.WriteAllBytes(file, cut > 0 ? bytes[..cut] : bytes[..^-cut]);
        using var refused = Launch(ServerKind.Strata, folder);
        Assert.That(refused.WaitForExit(), Is.EqualTo(6));
        Assert.That(() => refused.Output, Does.Contain(file).And.Contain("at byte").After(Patience.Ms, 10));
    }

    private static ServerProcess Start(ServerKind kind, TestFolder folder, params string[] flags)
        => ServerProcess.Start(kind, [.. Place(folder), .. flags]);

    private static ServerProcess Launch(ServerKind kind, TestFolder folder)
        => ServerProcess.Launch(kind, ["--save", "", .. Place(folder)]);

    private static string[] Place(TestFolder folder) => ["--dir", folder.Path, "--dbfilename", "dump.rdb"];

    private static void Fill(RespConnection client)
    {
        client.Call("FLUSHALL");
        client.Call("SET", "string", "hello");
        client.Call("SET", "number", "-12345");
        client.Call("SET", "long", new string('x', 300_000));
        client.Call("SET", "expires", "later", "PXAT", "4102444800000");
        client.Call("RPUSH", "list", "1", "two", "3");
        client.Call("SADD", "integers", "1", "2", "300000");
        client.Call("SADD", "members", "one", "two");
        client.Call("ZADD", "scores", "1.5", "a", "-inf", "b", "3", "c");
        client.Call("SELECT", "9");
        client.Call("SET", "string", "of database 9");
        client.Call("SELECT", "0");
        for (var i = 0; i < Elements; i += 100)
        {
            string[] numbers = [.. Enumerable.Range(i, 100).Select(n => $"element-{n}")];
            client.Call(["RPUSH", "biglist", .. numbers]);
            client.Call(["SADD", "bigset", .. numbers]);
            client.Call(["HSET", "hash", .. numbers.SelectMany(n => new[] { n, n })]);
            client.Call(["ZADD", "bigscores", .. numbers.SelectMany((n, at) => new[] { $"{i + at}", n })]);
        }
    }

    private static Dictionary<string, string> Read(RespConnection client)
    {
        var all = new Dictionary<string, string>();
        foreach (var database in (string[])["0", "9"])
        {
            client.Call("SELECT", database);
            foreach (var key in client.Call("KEYS", "*").Items.Select(item => item.Text))
            {
                all[$"{database}/{key}"] = $"{client.Call("PEXPIRETIME", key).Integer} {ValueOf(client, key)}";
            }
        }

        client.Call("SELECT", "0");
        return all;
    }

    private static string ValueOf(RespConnection client, string key)
    {
        var type = client.Call("TYPE", key).Text;
        var reply = type switch
        {
            "string" => [client.Call("GET", key).Text],
            "list" => Texts(client.Call("LRANGE", key, "0", "-1")),
            "set" => Texts(client.Call("SMEMBERS", key)).Order(StringComparer.Ordinal),
            "hash" => Texts(client.Call("HGETALL", key)).Chunk(2).Select(pair => $"{pair[0]}={pair[1]}")
                .Order(StringComparer.Ordinal),
            _ => Texts(client.Call("ZRANGE", key, "0", "-1", "WITHSCORES")),
        };
        return $"{type} {string.Join(',', reply)}";
    }

    private static IEnumerable<string> Texts(RespValue reply) => reply.Items.Select(item => item.Text);

    private static string Info(RespConnection client, string field)
        => client.Call("INFO", "persistence").Text.Split("\r\n")
            .First(line => line.StartsWith(field + ":", StringComparison.Ordinal))[(field.Length + 1)..];

    private static void AwaitLoaded(RespConnection client) => AwaitInfo(client, "loading", "0");

    private static void AwaitInfo(RespConnection client, string field, string value)
    {
        var isThere = SpinWait.SpinUntil(() => Info(client, field) == value, Patience.Ms);
        Assert.That(isThere, $"{field} becomes {value}");
    }

    private sealed class TestFolder : IDisposable
    {
        public string Path { get; } = Directory.CreateTempSubdirectory("strata-snapshot-").FullName;

        public string File(string name) => System.IO.Path.Combine(Path, name);

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
