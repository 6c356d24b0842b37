using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>rename-command and the journal: what is written goes by the commands' own names, so that any server can
/// load it, and what a Redis with the same lines has written is loaded.</summary>
internal sealed class RenamedJournalTests() : JournalFixture("2")
{
    private const string Library = "#!lua name=l\nredis.register_function('f', function() return 1 end)";

    private static readonly string[] s_renames =
    [
        "--rename-command", "SET", "write", "--rename-command", "INCR", "up", "--rename-command", "FUNCTION", "fn",
        "--rename-command", "DEL", "incr", "--rename-command", "RPUSH", "",
    ];

    [Test]
    public void What_is_written_any_server_can_load()
    {
        using (var server = StartOn(ServerKind.Strata, s_renames))
        {
            Write(server);
            using var client = server.Connect();
            var body = "return redis.call('write', 'of script', 'v')";
            Assert.That(client.Call("EVAL", body, "0").Text, Is.EqualTo("OK"));
            server.StopGracefully();
        }

        foreach (var kind in new[] { ServerKind.Strata, ServerKind.Redis })
        {
            using var server = StartOn(kind);
            using var client = server.Connect();
            Assert.That(client.Call("GET", "k").Text, Is.EqualTo("v"), $"{kind}");
            Assert.That(client.Call("GET", "n").Text, Is.EqualTo("2"), $"{kind}");
            Assert.That(client.Call("EXISTS", "gone").Text, Is.EqualTo("0"), $"{kind}");
            Assert.That(client.Call("GET", "of script").Text, Is.EqualTo("v"), $"{kind}");
            Assert.That(client.Call("FCALL", "f", "0").Text, Is.EqualTo("1"), $"{kind}");
            client.Call("RPUSH", "list", "a");
            server.StopGracefully();
        }

        using var again = StartOn(ServerKind.Strata, s_renames);
        using var last = again.Connect();
        Assert.That(last.Call("GET", "n").Text, Is.EqualTo("2"));
        Assert.That(last.Call("LLEN", "list").Text, Is.EqualTo("2"), "by a command that clients may not name");
    }

    [Test]
    public void What_redis_with_the_same_lines_has_written_is_loaded()
    {
        using (var redis = StartOn(ServerKind.Redis, s_renames))
        {
            Write(redis);
            redis.StopGracefully();
        }

        using var server = StartOn(ServerKind.Strata, s_renames[..^6]);
        using var client = server.Connect();
        Assert.That(client.Call("GET", "k").Text, Is.EqualTo("v"));
        Assert.That(client.Call("GET", "n").Text, Is.EqualTo("2"));
        Assert.That(client.Call("FCALL", "f", "0").Text, Is.EqualTo("1"));
    }

    private static void Write(ServerProcess server)
    {
        using var client = server.Connect();
        Assert.That(client.Call("write", "k", "v").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("up", "n").Text, Is.EqualTo("1"));
        Assert.That(client.Call("MULTI").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("up", "n").Text, Is.EqualTo("QUEUED"));
        Assert.That(client.Call("write", "gone", "v").Text, Is.EqualTo("QUEUED"));
        Assert.That(client.Call("EXEC").Items, Has.Count.EqualTo(2));
        Assert.That(client.Call("EXPIRE", "gone", "-1").Text, Is.EqualTo("1"));
        Assert.That(client.Call("fn", "LOAD", Library).Text, Is.EqualTo("l"));
    }

    private ServerProcess StartOn(ServerKind kind, params string[] flags)
        => ServerProcess.Start(
            kind,
            [
                "--dir", Folder, "--appendonly", "yes", "--aof-use-rdb-preamble", "no",
                .. kind == ServerKind.Strata ? (string[])["--workers", Workers] : [], .. flags,
            ]);
}
