using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Links that lead out of the server's folder, or to the journal itself, in the place of files that it is
/// about to make: they are replaced, and nothing is written where they lead.</summary>
internal sealed class LinkedFileTests() : JournalFixture("2")
{
    private const string Untouched = "what others have";

    [Test]
    public void Nothing_is_written_through_a_link()
    {
        var outside = Path.Combine(Folder, "outside");
        File.WriteAllText(outside, Untouched);
        var data = Directory.CreateDirectory(Path.Combine(Folder, "data")).FullName;
        var conf = Path.Combine(data, "strata.conf");
        var users = Path.Combine(data, "users.acl");
        File.WriteAllText(conf, $"dir {data}\naclfile {users}\nappendonly yes\nsave \"\"\n");
        File.WriteAllText(users, "");
        using (var server = ServerProcess.Start(ServerKind.Strata, [StrataProcess.Program(), conf], []))
        {
            using var client = server.Connect();
            Assert.That(client.Call("SET", "key", "1").Text, Is.EqualTo("OK"));
            string[] links =
            [
                $"temp-{server.Pid}.rdb", $"strata.conf.{server.Pid}.tmp", $"users.acl.{server.Pid}.tmp",
                "appendonlydir/temp-appendonly.aof.base", "appendonlydir/temp-appendonly.aof.manifest",
                "appendonlydir/temp-appendonly.aof.manifest.next", "appendonlydir/appendonly.aof.2.incr.aof",
            ];
            foreach (var link in links)
            {
                File.CreateSymbolicLink(Path.Combine(data, link), outside);
            }

            Assert.That(client.Call("SAVE").Text, Is.EqualTo("OK"));
            Assert.That(client.Call("CONFIG", "REWRITE").Text, Is.EqualTo("OK"));
            Assert.That(client.Call("ACL", "SAVE").Text, Is.EqualTo("OK"));
            Rewrite(client);
            Assert.That(client.Call("SET", "key", "2").Text, Is.EqualTo("OK"));
            server.StopGracefully();
        }

        Assert.That(File.ReadAllText(outside), Is.EqualTo(Untouched));
        Assert.That(Directory.EnumerateFiles(data, "*", SearchOption.AllDirectories).Where(file =>
            new FileInfo(file).LinkTarget != null), Is.Empty);
        AssertValue("2", ServerProcess.Start(ServerKind.Strata, [StrataProcess.Program(), conf], []));
    }

    [TestCase("temp-appendonly.aof.base")]
    [TestCase("appendonly.aof.2.incr.aof")]
    public void A_rewrite_does_not_write_over_the_journal_that_a_link_leads_to(string name)
    {
        using (var server = Start("--appendonly", "yes"))
        {
            using var client = server.Connect();
            Assert.That(client.Call("SET", "key", "1").Text, Is.EqualTo("OK"));
            File.CreateSymbolicLink(Path.Combine(Aof, name), Path.Combine(Aof, "appendonly.aof.1.incr.aof"));
            Rewrite(client);
        }

        AssertValue("1", Start("--appendonly", "yes"));
    }

    /// <summary>Who opens it to write would wait for a reader.</summary>
    [Test]
    public void A_pipe_is_replaced()
    {
        using var server = Start("--save", "");
        using var client = server.Connect();
        var path = Path.Combine(Folder, $"temp-{server.Pid}.rdb");
        OddFile.Make(path, "pipe");
        Assert.That(client.Call("SAVE").Text, Is.EqualTo("OK"));
        Assert.That(client.Call("LASTSAVE").Integer, Is.Positive);
        Assert.That(File.Exists(path), Is.False);
    }

    private static void Rewrite(RespConnection client)
    {
        Assert.That(client.Call("BGREWRITEAOF").IsError, Is.False);
        ServerInfo.WaitFor(client, "persistence", "aof_rewrite_in_progress", 0);
        Assert.That(client.Call("INFO", "persistence").Text, Does.Contain("aof_last_bgrewrite_status:ok"));
    }

    private static void AssertValue(string value, ServerProcess server)
    {
        using (server)
        {
            using var client = server.Connect();
            Assert.That(client.Call("GET", "key").Text, Is.EqualTo(value));
        }
    }
}
