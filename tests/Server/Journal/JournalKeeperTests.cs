using NUnit.Framework;
using Strata.Server.Journal;
using Strata.Server.Journal.Files;
using Strata.Server.Options.Keys;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal.Files;

namespace Strata.Tests.Server.Journal;

/// <summary>What clients see of the journal's files: with <c>appendfsync always</c> nobody is answered what the disk
/// does not have, and while it cannot be written nothing is changed. The journal's thread does a turn when the test
/// says so.</summary>
[TestFixture(1)]
[TestFixture(3)]
internal sealed class JournalKeeperTests(int workers) : JournalKeeperFixture(workers)
{
    [Test]
    public void A_reply_waits_until_the_disk_has_what_it_tells_of()
    {
        Start("always");
        var (writer, reader) = (Server.Connect(), Server.Connect());
        Assert.That(writer.Call("SET a 1"), Is.Empty);
        Assert.That(reader.Call("GET other"), Is.EqualTo((string[])["nil"]), "others are served");
        Assert.That(reader.Call("GET a"), Is.Empty, "it is not on the disk yet");
        Assert.That(writer.Call("PING"), Is.Empty, "replies keep their order");
        Turn();
        Assert.That(writer.Replies(), Is.EqualTo((string[])["+OK", "+PONG"]));
        Assert.That(reader.Replies(), Is.EqualTo((string[])["$1"]));
        Assert.That(reader.Call("GET a", "MGET a other"), Is.EqualTo((string[])["$1", "[$1 nil]"]));
    }

    [Test]
    public void A_script_waits_for_what_it_has_done_and_for_what_it_has_read()
    {
        Start("always");
        var (writer, reader) = (Server.Connect(), Server.Connect());
        var set = Load(writer, "return redis.call('SET', KEYS[1], ARGV[1])");
        var get = Load(writer, "return redis.call('GET', KEYS[1])");
        for (var i = 0; i < 2; i++)
        {
            _ = writer.Call($"{set} known 1", $"{get} known"); // From here on they are known to keep to their keys.
            Turn();
        }

        _ = writer.Replies();
        Assert.That(writer.Call($"{set} a 1", $"{set} b 2"), Is.Empty);
        Assert.That(reader.Call($"{get} other"), Is.EqualTo((string[])["nil"]), "others are served");
        Assert.That(reader.Call($"{get} b", $"{get} other"), Is.Empty);
        Turn();
        Assert.That(writer.Replies(), Is.EqualTo((string[])["+OK", "+OK"]));
        Assert.That(reader.Replies(), Is.EqualTo((string[])["$2", "nil"]));
    }

    [Test]
    public void Who_sees_a_library_or_counts_keys_waits_for_what_has_made_them()
    {
        Start("always");
        var (writer, reader) = (Server.Connect(), Server.Connect());
        writer.SendRaw(
            "FUNCTION LOAD \"#!lua name=l\\nredis.register_function('f', function() return 1 end)\"\r\n");
        Server.Settle();
        Assert.That(writer.Replies(), Is.Empty);
        Assert.That(reader.Call("FCALL f 0"), Is.Empty);
        Turn();
        Assert.That(writer.Replies(), Is.EqualTo((string[])["$l"]));
        Assert.That(reader.Replies(), Is.EqualTo((string[])[":1"]));
        Assert.That(reader.Call("FCALL f 0", "DBSIZE"), Is.EqualTo((string[])[":1", ":0"]), "the disk has all");
        Assert.That(writer.Call("SET a 1"), Is.Empty);
        Assert.That(reader.Call("FCALL f 0"), Is.EqualTo((string[])[":1"]), "it has read no key");
        Assert.That(reader.Call("DBSIZE"), Is.Empty);
        Turn();
        Assert.That(reader.Replies(), Is.EqualTo((string[])[":1"]));
    }

    [Test]
    public void What_neither_changes_nor_reads_data_does_not_wait()
    {
        Start("always");
        var (writer, other) = (Server.Connect(), Server.Connect());
        Assert.That(writer.Call("SET a 1"), Is.Empty);
        Assert.That(other.Call("PING", "BGSAVE", "LASTSAVE"), Has.Count.EqualTo(3));
        Assert.That(other.Call("RANDOMKEY"), Is.Empty);
        Turn();
        Assert.That(other.Replies(), Is.EqualTo((string[])["$a"]));
    }

    [Test]
    public void A_command_that_is_refused_while_changes_must_wait_is_answered_once()
    {
        Start("everysec");
        var (client, snapshots) = (Server.Connect(), Server.Server.Services.Snapshots);
        Journal.Problem = new JournalProblem("the disk is full");
        snapshots.HoldsWrites = true;
        List<string> replies = [.. client.Call("APPEND k x"), .. client.Call("ECHO z")];
        snapshots.HoldsWrites = false;
        Server.Settle();
        replies.AddRange(client.Replies());
        Assert.That(replies, Has.Count.EqualTo(2));
        Assert.That(replies[0], Does.StartWith("-MISCONF"));
        Assert.That(replies[1], Is.EqualTo("$z"));
        Journal.Problem = null;
        client.Expect(["EXISTS k"], ":0");
    }

    [Test]
    public void One_sync_serves_all_who_wait()
    {
        Start("always");
        TurnClient[] clients = [.. Enumerable.Range(0, 5).Select(_ => Server.Connect())];
        for (var i = 0; i < clients.Length; i++)
        {
            Assert.That(clients[i].Call($"SET k{i} v", $"INCR n{i}", "MULTI", $"APPEND k{i} w", "EXEC"), Is.Empty);
        }

        Turn();
        foreach (var client in clients)
        {
            Assert.That(client.Replies(), Is.EqualTo((string[])["+OK", ":1", "+OK", "+QUEUED", "[:2]"]));
        }
    }

    [Test]
    public void Who_waited_for_a_key_waits_for_the_disk_too()
    {
        Start("always");
        var (waiter, pusher) = (Server.Connect(), Server.Connect());
        Assert.That(waiter.Call("BLPOP l 0"), Is.Empty);
        Assert.That(pusher.Call("RPUSH l x"), Is.Empty);
        Assert.That(waiter.Replies(), Is.Empty);
        Turn();
        Assert.That(waiter.Replies(), Is.EqualTo((string[])["[$l $x]"]));
        Assert.That(pusher.Replies(), Is.EqualTo((string[])[":1"]));
    }

    [Test]
    public void Nothing_is_changed_while_the_disk_is_full_and_nothing_is_lost()
    {
        Start("always");
        var (client, other, script) = (Server.Connect(), Server.Connect(), Server.Connect());
        Assert.That(client.Call("SET a 1"), Is.Empty);
        Disk.SpaceLeft = 0;
        var tries = 0;
        Await = () =>
        {
            var refused = other.Call("SET b 2", "DEL a", "GET free");
            Assert.That(refused.Take(2), Has.All.Contains("MISCONF Errors writing to the AOF file"));
            Assert.That(refused[2], Is.EqualTo("nil"));
            if (tries == 0)
            {
                Assert.That(script.Call("EVAL return(redis.call('set','c','3')) 0")[0], Does.Contain("MISCONF"));
            }

            Disk.SpaceLeft = ++tries < 3 ? 0 : long.MaxValue;
            return true;
        };
        Turn();
        Assert.That(tries, Is.EqualTo(3));
        Assert.That(client.Replies(), Is.EqualTo((string[])["+OK"]));
        Assert.That(other.Call("SET b 2"), Is.Empty);
        Turn();
        Assert.That(other.Replies(), Is.EqualTo((string[])["+OK"]));
    }

    [Test]
    public void Replies_go_when_nobody_waits_for_the_disk_any_more()
    {
        Start("always");
        var (client, admin) = (Server.Connect(), Server.Connect());
        Assert.That(client.Call("SET a 1"), Is.Empty);
        admin.Expect(["CONFIG SET appendfsync everysec"], "+OK");
        Assert.That(Server.Connect().Call("SET b 1"), Is.EqualTo((string[])["+OK"]));
        Server.Clock.AdvanceMs(1001);
        Turn();
        Assert.That(client.Replies(), Is.EqualTo((string[])["+OK"]));
    }

    [Test]
    public void Waitaof_ends_with_the_sync_or_its_time()
    {
        Start("everysec");
        var (client, other) = (Server.Connect(), Server.Connect());
        client.Expect(["WAITAOF 1 0 0", "SET a 1"], "[:1 :0]", "+OK");
        Turn();
        Assert.That(client.Call("WAITAOF 1 0 0"), Is.Empty);
        Assert.That(other.Call("WAITAOF 1 0 10"), Is.Empty);
        Server.Clock.AdvanceMs(20);
        Server.Settle();
        Assert.That(other.Replies(), Is.EqualTo((string[])["[:0 :0]"]));
        Assert.That(client.Replies(), Is.Empty);
        Server.Clock.AdvanceMs(1000);
        Turn();
        Assert.That(client.Replies(), Is.EqualTo((string[])["[:1 :0]"]));
    }

    private string Load(TurnClient client, string body)
    {
        client.SendRaw($"SCRIPT LOAD \"{body}\"\r\n");
        Server.Settle();
        return $"EVALSHA {client.Replies()[0][1..]} 1";
    }

    /// <summary>What is not synced is waited for until it is written: the end of the process does not lose it then.
    /// </summary>
    [Test]
    public void Nothing_is_synced_while_data_is_saved_if_so_configured([Values("always", "everysec")] string policy)
    {
        Start(policy);
        var (client, admin) = (Server.Connect(), Server.Connect());
        admin.Expect(["CONFIG SET no-appendfsync-on-rewrite yes"], "+OK");
        IsSnapshotUnderWay = true;
        var syncs = Disk.Syncs;
        string[] atOnce = policy == "always" ? [] : ["+OK"];
        Assert.That(client.Call("SET a 1"), Is.EqualTo(atOnce));
        Assert.That(client.Call("GET a"), Is.EqualTo((string[])(policy == "always" ? [] : ["$1"])));
        Turn();
        Assert.That(client.Replies(), Is.EqualTo((string[])(policy == "always" ? ["+OK", "$1"] : [])));
        Assert.That(client.Call("SET b 1"), Is.EqualTo(atOnce));
        Server.Clock.AdvanceMs(1500);
        Turn();
        Assert.That(client.Replies(), Has.Count.EqualTo(1 - atOnce.Length));
        Assert.That(Disk.Syncs, Is.EqualTo(syncs));
        Assert.That(admin.Call("WAITAOF 1 0 0"), Is.Empty);
        IsSnapshotUnderWay = false;
        Turn();
        Assert.That(admin.Replies(), Is.EqualTo((string[])["[:1 :0]"]));
    }

    [Test]
    public void Who_waits_for_the_disk_when_that_is_no_longer_so_is_answered(
        [Values("no", "everysec")] string policy, [Values] bool isLost)
    {
        Start("always");
        var (client, admin) = (Server.Connect(), Server.Connect());
        Assert.That(client.Call("SET a 1"), Is.Empty);
        if (isLost)
        {
            Disk.SyncsBeforeFailure = 0;
            Turn();
            Assert.That(client.Replies(), Is.Empty);
        }

        _ = admin.Call($"CONFIG SET appendfsync {policy}");
        Server.Server.Context.Durability.IsAwaited = false; // As its subscriber does.
        var syncs = Disk.Syncs;
        Turn();
        Assert.That(client.Replies(), Is.EqualTo((string[])["+OK"]));
        Assert.That(Disk.Syncs, Is.EqualTo(syncs));
    }

    [Test]
    public void Who_waits_for_the_disk_waits_on_where_that_is_to_be_no_longer_so_and_is_refused()
    {
        Start("always");
        Server.Server.Context.Configuration.Subscribe(JournalKeys.LoadTruncated, (_, _) => "it is refused");
        var (client, admin) = (Server.Connect(), Server.Connect());
        Assert.That(client.Call("SET a 1"), Is.Empty);
        Assert.That(
            admin.Call("CONFIG SET appendfsync no aof-load-truncated no"),
            Has.One.Contains("it is refused"));
        Server.Clock.AdvanceMs(1000);
        Server.Settle();
        Assert.That(client.Replies(), Is.Empty);
        Turn();
        Assert.That(client.Replies(), Is.EqualTo((string[])["+OK"]));
    }

    /// <summary>What is written behind its answer is as durable as it says.</summary>
    [Test]
    public void Waitaof_waits_until_replies_wait_for_the_disk_if_they_are_to()
    {
        Start("everysec");
        var (client, admin) = (Server.Connect(), Server.Connect());
        client.Expect(["SET a 1"], "+OK");
        var lease = Server.Server.Context.Shards[0].Lease;
        Assert.That(lease.TryAcquire(), "as by a long command");
        _ = admin.Call("CONFIG SET appendfsync always");
        Assert.That(client.Call("WAITAOF 1 0 0"), Is.Empty);
        Turn();
        Assert.That(client.Replies(), Is.Empty);
        lease.Release();
        Server.Settle();
        Assert.That(client.Replies(), Is.EqualTo((string[])["[:1 :0]"]));
    }

    /// <summary>What is damaged then is not taken for an end that was not written.</summary>
    [Test]
    public void A_journal_that_rests_says_that_the_disk_has_all([Values("always", "everysec")] string policy)
    {
        Start(policy);
        _ = Server.Connect().Call("SET key value");
        for (var i = 0; i < 3; i++)
        {
            Turn();
            Assert.That(IsCutWithDamage(), Is.EqualTo(i < (policy == "always" ? 1 : 2)), $"{i}");
            Server.Clock.AdvanceMs(1100);
        }
    }

    [Test]
    public void What_cannot_be_written_at_the_end_is_taken_and_dropped()
    {
        Start("everysec");
        var client = Server.Connect();
        client.Expect(["SET a 1", "SET b 1"], "+OK", "+OK");
        Disk.SpaceLeft = 10;
        Assert.That(Keeper.Finish, Throws.InstanceOf<JournalAbandonedException>().With.Message.Contains("No space"));
        Assert.That(Keeper.Turn(), Is.False, "nothing is left");
    }

    /// <summary>Whether the file is taken for one whose end is torn, when a byte of it has changed.</summary>
    private bool IsCutWithDamage()
    {
        var content = (byte[])Folder["appendonly.aof.1.incr.aof"].Clone();
        content[content.AsSpan().IndexOf("value"u8)] ^= 1;
        try
        {
            var options = new JournalReadOptions(MayEndTorn: true, IsBase: false, LoadsTruncated: true);
            _ = JournalKit.Read(content, options, out var end);
            return end.CutBytes > 0;
        }
        catch (JournalException)
        {
            return false;
        }
    }
}
