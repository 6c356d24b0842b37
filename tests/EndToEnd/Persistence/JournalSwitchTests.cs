using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Persistence;

/// <summary>The journal begun and ended while the server runs, and rewritten by itself.</summary>
[TestFixture("1")]
[TestFixture("3")]
internal sealed class JournalSwitchTests(string workers) : JournalFixture(workers)
{
    private const int Clients = 4;
    private const int Failures = 8;

    /// <summary>Clients count while the journal is switched on, and off and on again.</summary>
    [Test]
    public void What_was_there_and_what_comes_is_kept_from_when_it_is_switched_on(
        [Values("yes", "no")] string withRdb, [Values("always", "everysec")] string policy)
    {
        long[] counts;
        using (var server = Start("--aof-use-rdb-preamble", withRdb, "--appendfsync", policy))
        {
            using var connection = server.Connect();
            for (var i = 0; i < 2000; i++)
            {
                _ = connection.Call("SADD", "before", $"{i}");
            }

            using (var counters = new Counters(server, Clients))
            {
                foreach (var value in (string[])["yes", "no", "yes", "no", "yes"])
                {
                    Set(connection, "appendonly", value);
                    Assert.That(AofRewrites.Field(connection, "aof_enabled"), Is.EqualTo(value == "yes" ? "1" : "0"));
                    counters.AwaitMore();
                }

                AwaitListed(connection);
                counters.AwaitMore();
                counts = counters.End();
            }

            Assert.That(connection.Call("WAITAOF", "1", "0", "0").Items[0].Integer, Is.EqualTo(1));
            server.Kill();
        }

        using var again = Start("--appendonly", "yes");
        using var reader = again.Connect();
        Assert.That(reader.Call("SCARD", "before").Integer, Is.EqualTo(2000));
        for (var i = 0; i < Clients; i++)
        {
            Assert.That(reader.Call("GET", $"counter-{i}").Integer, Is.EqualTo(counts[i]));
        }
    }

    /// <summary>From the reply to CONFIG SET on no write is answered that the disk does not have.</summary>
    [Test]
    public void What_is_written_right_behind_the_switch_to_always_is_kept()
    {
        const int Writes = 50;
        for (var round = 0; round < 5; round++)
        {
            using (var server = Start("--appendonly", "yes"))
            {
                using var connection = server.Connect();
                connection.Send(
                [
                    RespCommand.Of("CONFIG", "SET", "appendfsync", "always"),
                    .. Enumerable.Range(1, Writes).Select(i => RespCommand.Of("SET", "last", $"{round}-{i}")),
                ]);
                for (var i = 0; i <= Writes; i++)
                {
                    Assert.That(connection.ReadReply().Text, Is.EqualTo("OK"));
                }

                server.Kill();
            }

            using var again = Start("--appendonly", "yes");
            using var reader = again.Connect();
            Assert.That(reader.Call("GET", "last").Text, Is.EqualTo($"{round}-{Writes}"));
        }
    }

    /// <summary>Where it needed more each time, one day there would be none, in the midst of a rewrite.</summary>
    [Test]
    public void It_takes_no_more_descriptors_each_time()
    {
        const int Times = 8;
        using var server = Start();
        using var connection = server.Connect();
        Switch(connection);
        var before = Signals(server);
        for (var i = 0; i < Times; i++)
        {
            Switch(connection);
        }

        Assert.That(Signals(server), Is.EqualTo(before));
    }

    /// <summary>What was changed before the switch is kept by the base alone, which takes its time.</summary>
    [Test]
    public void Who_waits_for_the_disk_right_behind_the_switch_waits_for_the_base()
    {
        const int Keys = 300_000;
        using (var server = Start("--enable-debug-command", "yes"))
        {
            using var connection = server.Connect();
            Assert.That(connection.Call("DEBUG", "POPULATE", $"{Keys}").Text, Is.EqualTo("OK"));
            Set(connection, "appendonly", "yes");
            Assert.That(connection.Call("WAITAOF", "1", "0", "0").Items[0].Integer, Is.EqualTo(1));
            server.Kill();
        }

        using var again = Start("--appendonly", "yes");
        using var reader = again.Connect();
        Assert.That(reader.Call("DBSIZE").Integer, Is.EqualTo(Keys));
    }

    [Test]
    public void A_journal_that_begins_is_told_of_as_a_rewrite()
    {
        using var server = Start();
        using var connection = server.Connect();
        Set(connection, "appendonly", "yes");
        AofRewrites.Await(connection);
        Assert.That(connection.Call("WAITAOF", "1", "0", "1").Items[0].Integer, Is.EqualTo(1), "it is in force");
    }

    [Test]
    public void Who_waits_for_a_journal_that_is_switched_off_is_told()
    {
        using var server = Start();
        using var connection = server.Connect();
        for (var i = 0; i < 20; i++)
        {
            using var waiting = server.Connect();
            connection.Send("CONFIG", "SET", "appendonly", "yes");
            waiting.Send("WAITAOF", "1", "0", "0");
            connection.Send("CONFIG", "SET", "appendonly", "no");
            Assert.That(connection.ReadReply().Text, Is.EqualTo("OK"));
            Assert.That(connection.ReadReply().Text, Is.EqualTo("OK"));
            var reply = waiting.ReadReply();
            Assert.That(reply.IsError || reply.Items[0].Integer == 1, "it is not left waiting");
        }
    }

    [Test]
    public void What_is_changed_after_it_was_switched_off_is_not_written()
    {
        using (var server = Start("--appendonly", "yes", "--appendfsync", "always"))
        {
            using var connection = server.Connect();
            _ = connection.Call("SET", "k", "on");
            Set(connection, "appendonly", "no");
            Assert.That(connection.Call("SET", "k", "off").Text, Is.EqualTo("OK"));
            Patience.Await(() => connection.Call("WAITAOF", "1", "0", "0").Text
                == "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.");
            Assert.That(connection.Call("SET", "k2", "off").Text, Is.EqualTo("OK"));
            server.Kill();
        }

        using var again = Start("--appendonly", "yes");
        using var reader = again.Connect();
        Assert.That(reader.Call("EXISTS", "k2").Integer, Is.Zero);
        Assert.That(reader.Call("EXISTS", "k").Integer, Is.EqualTo(1));
    }

    [Test]
    public void A_server_that_stops_waits_for_the_first_base()
    {
        using (var server = Start())
        {
            using var connection = server.Connect();
            _ = connection.Call("SET", "k", "v");
            Set(connection, "appendonly", "yes");
            server.StopGracefully();
        }

        using var again = Start("--appendonly", "yes");
        using var reader = again.Connect();
        Assert.That(reader.Call("GET", "k").Text, Is.EqualTo("v"));
    }

    [Test]
    public void It_is_refused_where_the_folder_cannot_be_used()
    {
        File.WriteAllText(Aof, "no folder");
        using var server = Start();
        using var connection = server.Connect();
        _ = connection.Call("SET", "k", "v");
        Assert.That(
            connection.Call("CONFIG", "SET", "maxclients", "20", "appendonly", "yes").Text,
            Is.EqualTo("ERR CONFIG SET failed (possibly related to argument 'appendonly') - "
                + "Unable to turn on AOF. Check server logs."));
        Patience.Await(
            () => server.Output.Contains("CONFIG SET appendonly yes is refused", StringComparison.Ordinal));
        Assert.That(() => server.Output, Does.Contain(Aof).After(Patience.Ms, 10));
        Assert.That(connection.Call("CONFIG", "GET", "appendonly").Items[1].Text, Is.EqualTo("no"));
        Assert.That(connection.Call("SET", "k", "w").Text, Is.EqualTo("OK"), "nothing is refused by that");
        File.Delete(Aof);
        Set(connection, "appendonly", "yes");
        AwaitListed(connection);
        Assert.That(Directory.GetFiles(Aof, "temp-*"), Is.Empty);
    }

    [Test]
    public void It_is_refused_where_the_files_there_are_not_as_they_must_be()
    {
        var manifest = Path.Combine(Directory.CreateDirectory(Aof).FullName, "appendonly.aof.manifest");
        File.WriteAllText(manifest, "nothing of a manifest");
        using var server = Start();
        using var connection = server.Connect();
        Assert.That(connection.Call("CONFIG", "SET", "appendonly", "yes").Text, Does.Contain("Unable to turn on AOF"));
        Patience.Await(() => server.Output.Contains(manifest, StringComparison.Ordinal));
        Assert.That(File.ReadAllText(manifest), Is.EqualTo("nothing of a manifest"));
    }

    /// <summary>What is in the way of a manifest is there however often a rewrite is tried.</summary>
    [Test]
    public void It_is_refused_where_the_manifest_is_no_file([Values("folder", "pipe", "loop")] string kind)
    {
        var manifest = Path.Combine(Directory.CreateDirectory(Aof).FullName, "appendonly.aof.manifest");
        OddFile.Make(manifest, kind);
        using var server = Start();
        using var connection = server.Connect();
        Assert.That(connection.Call("CONFIG", "SET", "appendonly", "yes").Text, Does.Contain("Unable to turn on AOF"));
        Patience.Await(() => server.Output.Contains(manifest, StringComparison.Ordinal));
        OddFile.Remove(manifest);
        Set(connection, "appendonly", "yes");
        AwaitListed(connection);
    }

    /// <summary>Whether files can be made is tried by one, and nothing else is written to for that.</summary>
    [Test]
    public void What_a_link_in_the_place_of_the_probe_leads_to_stays_as_it_is([Values] bool isFolderThere)
    {
        var precious = Path.Combine(Folder, "precious");
        File.WriteAllText(precious, "precious");
        var probe = Path.Combine(
            isFolderThere ? Directory.CreateDirectory(Aof).FullName : Folder, "temp-appendonly.aof.probe");
        File.CreateSymbolicLink(probe, precious);
        using var server = Start();
        using var connection = server.Connect();
        Set(connection, "appendonly", "yes");
        Assert.That(File.ReadAllText(precious), Is.EqualTo("precious"));
        Assert.That(new FileInfo(probe).LinkTarget, Is.Null, "it was in the way");
        AwaitListed(connection);
    }

    [Test]
    public void It_is_tried_again_while_the_first_files_cannot_be_made()
    {
        var obstacle = Directory.CreateDirectory(Path.Combine(Aof, "temp-appendonly.aof.manifest")).FullName;
        using var server = Start();
        using var connection = server.Connect();
        _ = connection.Call("SET", "k", "v");
        Set(connection, "appendonly", "yes");
        Patience.Await(() => AofRewrites.Field(connection, "aof_last_bgrewrite_status") == "err");
        Assert.That(connection.Call("SET", "k", "w").Text, Is.EqualTo("OK"), "nothing is refused by that");
        Patience.Await(() => server.Output.Contains("appendonly cannot be switched on", StringComparison.Ordinal));
        Assert.That(() => server.Output, Does.Contain(obstacle).After(Patience.Ms, 10));
        for (var i = 0; i < Failures; i++) // It would wait for longer and longer.
        {
            Assert.That(connection.Call("BGREWRITEAOF").IsError, Is.False);
            Patience.Await(() => AofRewrites.Field(connection, "aof_rewrite_scheduled") == "0");
        }

        Directory.Delete(obstacle);
        Assert.That(connection.Call("BGREWRITEAOF").IsError, Is.False);
        AwaitListed(connection);
        Patience.Await(() => AofRewrites.Field(connection, "aof_last_bgrewrite_status") == "ok");
    }

    [Test]
    public void The_files_are_rewritten_by_themselves_when_they_have_grown()
    {
        using var server = Start(
            "--appendonly", "yes", "--auto-aof-rewrite-min-size", "10kb", "--auto-aof-rewrite-percentage", "50");
        using var connection = server.Connect();
        var value = new string('v', 1000);
        Patience.Await(() =>
        {
            for (var i = 0; i < 20; i++)
            {
                _ = connection.Call("SET", "k", value);
            }

            return int.Parse(AofRewrites.Field(connection, "aof_rewrites"), CultureInfo.InvariantCulture) >= 3;
        });
        Set(connection, "auto-aof-rewrite-percentage", "0");
        AofRewrites.Await(connection);
        var rewrites = AofRewrites.Field(connection, "aof_rewrites");
        for (var i = 0; i < 100; i++)
        {
            _ = connection.Call("SET", "k", value);
        }

        Thread.Sleep(300); // For what is not to be.
        Assert.That(AofRewrites.Field(connection, "aof_rewrites"), Is.EqualTo(rewrites));
        Patience.Await(() => server.Output.Contains("rewritten by itself", StringComparison.Ordinal));
    }

    private static void Set(RespConnection connection, string name, string value)
        => Assert.That(connection.Call("CONFIG", "SET", name, value).Text, Is.EqualTo("OK"));

    /// <summary>Waits until the journal counts.</summary>
    private static void AwaitListed(RespConnection connection)
        => Assert.That(connection.Call("WAITAOF", "1", "0", "0").Items[0].Integer, Is.EqualTo(1));

    private static void Switch(RespConnection connection)
    {
        Set(connection, "appendonly", "yes");
        AwaitListed(connection);
        Set(connection, "appendonly", "no");
        Patience.Await(() => connection.Call("WAITAOF", "1", "0", "0").IsError);
    }

    /// <summary>Descriptors by which threads wake each other.</summary>
    private static int Signals(ServerProcess server)
        => Directory.EnumerateFiles($"/proc/{server.Pid}/fd")
            .Count(path => new FileInfo(path).LinkTarget == "anon_inode:[eventfd]");
}
