using System.Runtime.InteropServices;
using System.Text;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>Journals that no server writes: with commands that wait for something, or end, silence or turn the client
/// that repeats them; and with what is no file in the place of one. Neither may keep the server from its start, or from
/// saying why there is none.</summary>
internal sealed partial class JournalContentTests() : JournalFixture("2")
{
    [Test]
    public void What_would_wait_finds_nothing_and_goes_on()
    {
        using var server = StartWith(
            "BLPOP none 0", "BRPOP none 0", "BLMOVE none other LEFT LEFT 0", "BRPOPLPUSH none other 0",
            "BLMPOP 0 1 none LEFT", "BZPOPMIN none 0", "BZMPOP 0 1 none MIN", "XREAD BLOCK 0 STREAMS none $",
            "XGROUP CREATE s g $ MKSTREAM", "XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "RPUSH list a b",
            "BLPOP list 0", "WAIT 1 0", "WAITAOF 1 0 0");
        using var client = server.Connect();
        Assert.That(client.Call("LRANGE", "list", "0", "-1").Items!.Select(item => item.Text),
            Is.EqualTo((string[])["b"]));
        Assert.That(client.Call("DBSIZE").Integer, Is.EqualTo(2));
    }

    [TestCase("CLIENT REPLY OFF")]
    [TestCase("CLIENT REPLY SKIP")]
    [TestCase("SUBSCRIBE c")]
    [TestCase("MONITOR")]
    [TestCase("HELLO 3")]
    [TestCase("QUIT")]
    [TestCase("RESET")]
    [TestCase("CLIENT KILL TYPE normal")]
    [TestCase("CLIENT PAUSE 1000000")]
    [TestCase("DEBUG SLEEP 1000000")]
    [TestCase("SHUTDOWN NOSAVE")]
    [TestCase("BGREWRITEAOF")]
    [TestCase("CONFIG SET maxmemory 1")]
    public void What_is_no_change_of_data_is_not_done(string command)
    {
        using var server = StartWith("SET before 1", command, "SELECT 0", "SET behind 2");
        using var client = server.Connect();
        Assert.That(client.Call("MGET", "before", "behind").Items!.Select(item => item.Text),
            Is.EqualTo((string[])["1", "2"]));
        Assert.That(() => server.Output,
            Does.Contain("changes no data and is not executed from an AOF").After(Patience.Ms, 10));
    }

    [Test]
    public void When_entries_were_delivered_is_kept_though_nothing_expires_meanwhile()
    {
        var delivered = DateTimeOffset.UtcNow.AddMinutes(-10).ToUnixTimeMilliseconds();
        using var server = StartWith(
            "XADD s 1-1 f v", "XGROUP CREATE s g 0", "XGROUP CREATECONSUMER s g idle",
            $"XCLAIM s g c 0 1-1 TIME {delivered} RETRYCOUNT 1 FORCE JUSTID LASTID 1-1");
        using var client = server.Connect();
        var pending = client.Call("XPENDING", "s", "g", "-", "+", "10").Items[0];
        Assert.That(pending.Items[2].Integer, Is.InRange(600_000, 600_000 + Patience.Ms));
        foreach (var consumer in client.Call("XINFO", "CONSUMERS", "s", "g").Items)
        {
            Assert.That(consumer.Items[5].Integer, Is.InRange(0, Patience.Ms), "of the load");
        }

        Assert.That(client.Call("XAUTOCLAIM", "s", "g", "thief", "3600000", "0").Items[1].Items, Is.Empty);
    }

    [TestCase("appendonly.aof.manifest")]
    [TestCase("appendonly.aof.1.incr.aof")]
    [TestCase("appendonly.aof.1.base.rdb")]
    public void A_pipe_in_the_place_of_a_file_is_refused(string name)
    {
        Directory.CreateDirectory(Aof);
        var kind = name.Contains("base", StringComparison.Ordinal) ? 'b' : 'i';
        if (!name.EndsWith(".manifest", StringComparison.Ordinal))
        {
            File.WriteAllText(Path.Combine(Aof, "appendonly.aof.manifest"), $"file {name} seq 1 type {kind}\n");
        }

        Assert.That(MakePipe(Path.Combine(Aof, name), 0x1FF), Is.Zero);
        AssertRefused(name, "--appendonly", "yes");
    }

    [Test]
    public void A_pipe_in_the_place_of_the_rdb_is_refused()
    {
        Assert.That(MakePipe(Path.Combine(Folder, "dump.rdb"), 0x1FF), Is.Zero);
        AssertRefused("dump.rdb");
    }

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);

    private void AssertRefused(string name, params string[] flags)
    {
        using var server = ServerProcess.Launch(
            ServerKind.Strata, [StrataProcess.Program()], ["--dir", Folder, "--save", "", .. flags]);
        Assert.That(server.WaitForExit(), Is.EqualTo(6), server.Output);
        Assert.That(() => server.Output, Does.Contain(name).After(Patience.Ms, 10));
    }

    private ServerProcess StartWith(params string[] commands)
    {
        var text = new StringBuilder();
        foreach (var words in commands.Select(command => command.Split(' ')))
        {
            text.Append('*').Append(words.Length).Append("\r\n");
            foreach (var word in words)
            {
                text.Append('$').Append(word.Length).Append("\r\n").Append(word).Append("\r\n");
            }
        }

        Directory.CreateDirectory(Aof);
        File.WriteAllText(
            Path.Combine(Aof, "appendonly.aof.manifest"), "file appendonly.aof.1.incr.aof seq 1 type i\n");
        File.WriteAllText(Path.Combine(Aof, "appendonly.aof.1.incr.aof"), text.ToString());
        return Start("--appendonly", "yes", "--enable-debug-command", "yes");
    }
}
