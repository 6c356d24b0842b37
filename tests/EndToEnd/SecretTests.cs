using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd;

/// <summary>A secret is told nowhere but where somebody with the right to it asks for it: each that is given here, in
/// every way there is, has one word in it.</summary>
internal sealed class SecretTests
{
    private const string Word = "hush";

    private static readonly string[] s_flags =
    [
        "--requirepass", $"{Word} flag", "--masterauth", $"{Word}-master", $"--masteruser={Word}-user",
        "--tls-key-file-pass", $"{Word}-key", "--user", "alice", "on", $">{Word}-alice", "~*", "+@all",
        "--loglevel", "debug", "--slowlog-log-slower-than", "0", "--slowlog-max-len", "1000", "--appendonly", "yes",
    ];

    [Test]
    public void No_secret_is_told()
    {
        using var server = StrataProcess.Start(s_flags);
        Assert.That(CommandLine(server), Does.Contain("--requirepass").And.Not.Contain(Word), "what ps shows");
        using var client = server.Connect();
        using var monitor = server.Connect();
        foreach (var each in new[] { client, monitor })
        {
            Assert.That(each.Call("AUTH", $"{Word} flag").Text, Is.EqualTo("OK"));
        }

        monitor.Call("MONITOR");
        using var stranger = server.Connect();
        Use(client, stranger);
        Assert.That(client.Call("ECHO", "the end").Text, Is.EqualTo("the end"));
        foreach (var told in Told(client))
        {
            Assert.That(told, Does.Not.Contain(Word));
        }

        var line = "";
        while (!line.Contains("the end", StringComparison.Ordinal))
        {
            line = monitor.ReadReply().Text;
            Assert.That(line, Does.Not.Contain(Word));
        }

        Assert.That(client.Call("CONFIG", "GET", "requirepass").Items[1].Text, Is.EqualTo($"{Word}-new"), "as Redis");
        server.StopGracefully();
        Assert.That(server.Output, Is.Not.Empty.And.Not.Contain(Word), "the log");
        foreach (var file in Directory.EnumerateFiles(server.Folder, "*", SearchOption.AllDirectories))
        {
            Assert.That(File.ReadAllText(file, Encoding.Latin1), Does.Not.Contain(Word), file);
        }
    }

    /// <summary>Gives secrets, right and wrong ones, in right and wrong commands.</summary>
    private static void Use(RespConnection client, RespConnection stranger)
    {
        stranger.Call("AUTH", $"{Word}-wrong");
        stranger.Call("AUTH", "alice", $"{Word}-wrong");
        stranger.Call("AUTH", "nobody", Word, $"{Word}-more");
        stranger.Call("HELLO", "3", "AUTH", "alice", $"{Word}-wrong");
        stranger.Call("HELLO", "3", "AUTH", "alice", $"{Word}-alice", "SETNAME", "a");
        string[][] commands =
        [
            ["CONFIG", "SET", "requirepass", $"{Word}-new"], ["CONFIG", "SET", "maxclients", "100", "masterauth", Word],
            ["CONFIG", "SET", "tls-key-file-pass", Word, "nonsense", "1"], ["CONFIG", "SET", "MasterAuth", Word, "x"],
            ["ACL", "SETUSER", "bob", "on", $">{Word}-bob", $"<{Word}-other", "~*"],
            ["ACL", "SETUSER", "bob", $"({Word}"], ["ACL", "SETUSER", "carol", $">{Word}", $"nonsense-{Word}"],
            ["MIGRATE", "127.0.0.1", "1", "k", "0", "10", "AUTH", Word],
            ["MIGRATE", "127.0.0.1", "1", "k", "0", "10", "AUTH2", "user", Word, "KEYS", "a"],
            ["AUTH", $"{Word}-new"], ["HELLO", "2", "AUTH", "alice", $"{Word}-alice"], ["MULTI"],
            ["CONFIG", "SET", "masterauth", $"{Word}-queued"], ["EXEC"], ["AUTH", $"{Word}-new"],
        ];
        foreach (var command in commands)
        {
            client.Call(command);
        }

        client.Send(
        [
            RespCommand.Of("AUTH", $"{Word}-new"), RespCommand.Of("CONFIG", "SET", "requirepass", $"{Word}-new"),
        ]);
        client.ReadReply();
        client.ReadReply();
    }

    /// <summary>What the server tells of itself.</summary>
    private static IEnumerable<string> Told(RespConnection client)
    {
        string[][] questions =
        [
            ["INFO", "everything"], ["SLOWLOG", "GET", "-1"], ["ACL", "LOG"], ["ACL", "LIST"],
            ["ACL", "GETUSER", "bob"], ["CLIENT", "LIST"], ["CLIENT", "INFO"],
            ["LATENCY", "DOCTOR"], ["MEMORY", "DOCTOR"],
        ];
        return questions.Select(question => client.Call(question).ToString());
    }

    private static string CommandLine(ServerProcess server)
        => File.ReadAllText($"/proc/{server.Pid}/cmdline").Replace('\0', ' ');
}
