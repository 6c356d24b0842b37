using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>DEBUG RELOAD: the data is saved, deleted and loaded while the server runs.</summary>
[Parallelizable(ParallelScope.All)]
public sealed class ReloadTests
{
    private const int Reloads = 5;
    private const int Writers = 4;

    private static readonly RespValue s_ok = RespValue.Simple("OK");

    [Test]
    public void The_data_is_the_same_afterwards([Values] ServerKind kind)
    {
        using var server = Start(kind);
        using var client = server.Connect();
        Fill(client);
        var before = KeyspaceImage.Of(server);
        Assert.That(before, Has.Count.GreaterThan(5));
        Assert.That(client.Call("DEBUG", "RELOAD"), Is.EqualTo(s_ok));
        Assert.That(KeyspaceImage.Of(server), Is.EqualTo(before));
        Assert.That(client.Call("FUNCTION", "LIST").Items, Has.Count.EqualTo(1));
        Assert.That(client.Call("FCALL", "f", "0").Text, Is.EqualTo("one"));
    }

    [Test]
    public void What_is_saved_replaces_the_data_or_comes_to_it([Values] ServerKind kind)
    {
        using var server = Start(kind);
        using var client = server.Connect();
        client.Call("SET", "saved", "1");
        client.Call("FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', function() return 'one' end)");
        client.Call("SAVE");
        client.Call("SET", "saved", "2");
        client.Call("SET", "new", "2");
        Assert.That(client.Call("DEBUG", "reload", "nosave", "NOFLUSH", "Merge"), Is.EqualTo(s_ok));
        Assert.That(client.Call("GET", "saved").Text, Is.EqualTo("1"));
        Assert.That(client.Call("GET", "new").Text, Is.EqualTo("2"));
        Assert.That(client.Call("DEBUG", "RELOAD", "NOSAVE"), Is.EqualTo(s_ok));
        Assert.That(client.Call("DBSIZE").Integer, Is.EqualTo(1));
        Assert.That(
            client.Call("DEBUG", "RELOAD", "junk").Text,
            Is.EqualTo("ERR DEBUG RELOAD only supports the MERGE, NOFLUSH and NOSAVE options."));
    }

    /// <summary>Redis ends where a key is there that is loaded.</summary>
    [Test]
    public void Keys_that_are_there_are_refused_without_merge()
    {
        using var server = Start(ServerKind.Strata);
        using var client = server.Connect();
        client.Call("SET", "key", "1");
        client.Call("SAVE");
        client.Call("SET", "key", "2");
        var reply = client.Call("DEBUG", "RELOAD", "NOSAVE", "NOFLUSH");
        Assert.That(reply.Text, Does.StartWith("ERR Error trying to load"));
        Assert.That(client.Call("GET", "key").Text, Is.EqualTo("2"));
        Assert.That(() => server.Output, Does.Contain("a key is there twice").After(Patience.Ms, 10));
    }

    [Test]
    public void Of_a_damaged_file_nothing_is_served()
    {
        using var server = Start(ServerKind.Strata);
        using var client = server.Connect();
        Fill(client);
        client.Call("SAVE");
        var file = Path.Combine(server.Folder, "dump.rdb");
        var bytes = File.ReadAllBytes(file);
        bytes[^1] ^= 1;
        File.WriteAllBytes(file, bytes);
        Assert.That(client.Call("DEBUG", "RELOAD", "NOSAVE").Text, Does.StartWith("ERR Error trying to load"));
        Assert.That(client.Call("DBSIZE").Integer, Is.Zero);
        Assert.That(client.Call("SET", "key", "1"), Is.EqualTo(s_ok));
    }

    /// <summary>What others write waits, or is refused, and is there afterwards if it was acknowledged.</summary>
    [Test]
    public void What_others_write_meanwhile_is_kept([Values(1, 3)] int workers)
    {
        using var server = Start(ServerKind.Strata, "--workers", $"{workers}");
        using var client = server.Connect();
        Fill(client);
        using var end = new CancellationTokenSource();
        using var begun = new CountdownEvent(Writers);
        var writers = Enumerable.Range(0, Writers)
            .Select(number => Task.Run(() => Count(server, number, begun, end.Token))).ToArray();
        begun.Wait();
        for (var i = 0; i < Reloads; i++)
        {
            Assert.That(client.Call("DEBUG", "RELOAD"), Is.EqualTo(s_ok));
        }

        end.Cancel();
        Task.WaitAll(writers);
        for (var i = 0; i < writers.Length; i++)
        {
            Assert.That(client.Call("GET", $"count-{i}").Text, Is.EqualTo($"{writers[i].Result}"));
        }
    }

    /// <summary>The journal does not tell of it, and so begins anew.</summary>
    [Test]
    public void The_journal_has_what_was_loaded()
    {
        var folder = Directory.CreateTempSubdirectory("strata-reload-").FullName;
        try
        {
            string[] flags = ["--dir", folder, "--appendonly", "yes", "--appendfsync", "always"];
            using (var server = Start(ServerKind.Strata, flags))
            {
                using var client = server.Connect();
                client.Call("SET", "saved", "1");
                client.Call("SAVE");
                client.Call("SET", "not-saved", "1");
                Assert.That(client.Call("DEBUG", "RELOAD", "NOSAVE"), Is.EqualTo(s_ok));
                client.Call("SET", "later", "1");
                Assert.That(SpinWait.SpinUntil(
                    () => server.Output.Contains("The append-only file is rewritten", StringComparison.Ordinal),
                    Patience.Ms), server.Output);
                server.Kill();
            }

            using var second = Start(ServerKind.Strata, flags);
            using var reader = second.Connect();
            Assert.That(SpinWait.SpinUntil(
                () => reader.Call("DBSIZE") is { IsError: false, Integer: 2 }, Patience.Ms));
            Assert.That(reader.Call("EXISTS", "saved", "later").Integer, Is.EqualTo(2));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>A base of what is there in part would take the place of all that was kept.</summary>
    [Test]
    public void The_journal_is_not_rewritten_meanwhile([Values(1, 2)] int workers)
    {
        const int Keys = 100_000;
        var folder = Directory.CreateTempSubdirectory("strata-reload-").FullName;
        try
        {
            string[] flags = ["--dir", folder, "--appendonly", "yes", "--save", "", "--workers", $"{workers}"];
            using (var server = Start(ServerKind.Strata, flags))
            {
                using var client = server.Connect();
                using var other = server.Connect();
                client.Call("DEBUG", "POPULATE", $"{Keys}");
                AofRewrites.Do(client);
                client.Send("DEBUG", "RELOAD");
                Patience.Await(() =>
                {
                    _ = other.Call("BGREWRITEAOF"); // It is refused while data is loaded.
                    return server.Output.Contains("Loading ", StringComparison.Ordinal);
                });
                Patience.Await(() => server.Output.Split("is rewritten: ").Length > 2); // The first was before.
                server.Kill();
            }

            using var second = Start(ServerKind.Strata, flags);
            using var reader = second.Connect();
            Patience.Await(() => !reader.Call("DBSIZE").IsError);
            Assert.That(reader.Call("DBSIZE").Integer, Is.EqualTo(Keys));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>Where nothing is left of the data the journal keeps what it has.</summary>
    [Test]
    public void A_damaged_file_does_not_empty_the_journal()
    {
        var folder = Directory.CreateTempSubdirectory("strata-reload-").FullName;
        try
        {
            string[] flags = ["--dir", folder, "--appendonly", "yes", "--appendfsync", "always", "--save", ""];
            using (var server = Start(ServerKind.Strata, flags))
            {
                using var client = server.Connect();
                client.Call("SET", "kept", "1");
                client.Call("SAVE");
                var file = Path.Combine(folder, "dump.rdb");
                File.WriteAllBytes(file, File.ReadAllBytes(file)[..^3]);
                Assert.That(client.Call("DEBUG", "RELOAD", "NOSAVE").Text, Does.StartWith("ERR Error trying to load"));
                client.Call("SET", "later", "1");
                Assert.That(AofRewrites.Field(client, "aof_rewrite_scheduled"), Is.EqualTo("0"));
                Assert.That(AofRewrites.Field(client, "aof_rewrite_in_progress"), Is.EqualTo("0"));
                server.StopGracefully();
            }

            using var second = Start(ServerKind.Strata, flags);
            using var reader = second.Connect();
            Assert.That(reader.Call("EXISTS", "kept", "later").Integer, Is.EqualTo(2));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    /// <summary>Who has asked for it is answered, so that nobody waits for his replies.</summary>
    [Test]
    public void A_server_that_stops_meanwhile_does_not_wait_for_it()
    {
        using var server = Start(ServerKind.Strata, "--save", "", "--loglevel", "notice");
        using var client = server.Connect();
        using var other = server.Connect();
        client.Call("DEBUG", "POPULATE", "300000");
        client.Send("DEBUG", "RELOAD");
        other.Send("SAVE");
        Patience.Await(() => server.Output.Contains("Loading ", StringComparison.Ordinal));
        server.StopGracefully();
        Assert.That(server.Output, Does.Not.Contain("did not read them in time"));
    }

    [Test]
    public void Data_on_the_device_is_loaded_again([Values(1, 2)] int workers)
    {
        using var server = Start(
            ServerKind.Strata, "--storage-tier", "yes", "--segment-size", "1mb", "--workers", $"{workers}");
        using var client = server.Connect();
        client.Call("DEBUG", "TIER-EAGER", "1");
        Fill(client);
        var before = KeyspaceImage.Of(server);
        for (var i = 0; i < Reloads; i++)
        {
            Assert.That(client.Call("DEBUG", "RELOAD"), Is.EqualTo(s_ok));
        }

        Assert.That(KeyspaceImage.Of(server), Is.EqualTo(before));
        Assert.That(client.Call("DEBUG", "RELOAD", "NOFLUSH").Text, Does.StartWith("ERR with storage-tier yes"));
    }

    private static ServerProcess Start(ServerKind kind, params string[] flags)
        => ServerProcess.Start(kind, ["--enable-debug-command", "local", .. flags]);

    private static void Fill(RespConnection client)
    {
        client.Call("FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', function() return 'one' end)");
        for (var i = 0; i < 1000; i++)
        {
            client.Call("SET", $"string-{i}", $"value of {i}");
        }

        client.Call("SET", "long", new string('x', 2 << 20));
        client.Call("SET", "expires", "later", "PXAT", "4102444800000");
        client.Call("RPUSH", "list", "1", "two", "3");
        client.Call("SADD", "integers", "1", "2", "300000");
        client.Call("ZADD", "scores", "1.5", "a", "-inf", "b", "3", "c");
        client.Call("HSET", "hash", "field", "value");
        client.Call("SELECT", "9");
        client.Call("SET", "string", "of database 9");
        client.Call("SELECT", "0");
    }

    /// <summary>Counts up until it is to end.</summary>
    /// <returns>How often that was acknowledged.</returns>
    private static int Count(ServerProcess server, int number, CountdownEvent begun, CancellationToken end)
    {
        using var client = server.Connect();
        var count = 0;
        while (!end.IsCancellationRequested)
        {
            var reply = client.Call("INCR", $"count-{number}");
            count += reply.IsError ? 0 : 1;
            _ = !begun.IsSet && count == 1 && begun.Signal();
            Assert.That(!reply.IsError || reply.Text.StartsWith("LOADING", StringComparison.Ordinal), reply.Text);
        }

        return count;
    }
}
