using NUnit.Framework;
using Strata.Server.Journal;
using Strata.Server.Journal.Files;
using Strata.Server.Runtime;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal.Files;

namespace Strata.Tests.Server.Journal;

/// <summary>What clients see of the journal's files: with <c>appendfsync always</c> nobody is answered what the disk
/// does not have, and while it cannot be written nothing is changed. The journal's thread does a turn when the test
/// says so.</summary>
[TestFixture(1)]
[TestFixture(3)]
internal sealed class JournalKeeperTests(int workers)
{
    private TurnServer _server = null!;
    private SimulatedDisk _disk = null!;
    private SimulatedFolder _folder = null!;
    private JournalFiles _files = null!;
    private JournalKeeper _keeper = null!;
    private Func<bool> _await = () => false;
    private bool _isSnapshotUnderWay;

    private EffectJournal Journal => _server.Server.Services.Journal;

    [TearDown]
    public void Stop()
    {
        Journal.TurnOff();
        _server.Dispose();
        _keeper.Dispose();
    }

    [Test]
    public void A_reply_waits_until_the_disk_has_what_it_tells_of()
    {
        Start("always");
        var (writer, reader) = (_server.Connect(), _server.Connect());
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
        var (writer, reader) = (_server.Connect(), _server.Connect());
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
    public void One_sync_serves_all_who_wait()
    {
        Start("always");
        TurnClient[] clients = [.. Enumerable.Range(0, 5).Select(_ => _server.Connect())];
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
        var (waiter, pusher) = (_server.Connect(), _server.Connect());
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
        var (client, other, script) = (_server.Connect(), _server.Connect(), _server.Connect());
        Assert.That(client.Call("SET a 1"), Is.Empty);
        _disk.SpaceLeft = 0;
        var tries = 0;
        _await = () =>
        {
            var refused = other.Call("SET b 2", "DEL a", "GET free");
            Assert.That(refused.Take(2), Has.All.Contains("MISCONF Errors writing to the AOF file"));
            Assert.That(refused[2], Is.EqualTo("nil"));
            if (tries == 0)
            {
                Assert.That(script.Call("EVAL return(redis.call('set','c','3')) 0")[0], Does.Contain("MISCONF"));
            }

            _disk.SpaceLeft = ++tries < 3 ? 0 : long.MaxValue;
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
        var (client, admin) = (_server.Connect(), _server.Connect());
        Assert.That(client.Call("SET a 1"), Is.Empty);
        admin.Expect(["CONFIG SET appendfsync everysec"], "+OK");
        Assert.That(_server.Connect().Call("SET b 1"), Is.EqualTo((string[])["+OK"]));
        _server.Clock.AdvanceMs(1001);
        Turn();
        Assert.That(client.Replies(), Is.EqualTo((string[])["+OK"]));
    }

    [Test]
    public void Waitaof_ends_with_the_sync_or_its_time()
    {
        Start("everysec");
        var (client, other) = (_server.Connect(), _server.Connect());
        client.Expect(["WAITAOF 1 0 0", "SET a 1"], "[:1 :0]", "+OK");
        Turn();
        Assert.That(client.Call("WAITAOF 1 0 0"), Is.Empty);
        Assert.That(other.Call("WAITAOF 1 0 10"), Is.Empty);
        _server.Clock.AdvanceMs(20);
        _server.Settle();
        Assert.That(other.Replies(), Is.EqualTo((string[])["[:0 :0]"]));
        Assert.That(client.Replies(), Is.Empty);
        _server.Clock.AdvanceMs(1000);
        Turn();
        Assert.That(client.Replies(), Is.EqualTo((string[])["[:1 :0]"]));
    }

    private string Load(TurnClient client, string body)
    {
        client.SendRaw($"SCRIPT LOAD \"{body}\"\r\n");
        _server.Settle();
        return $"EVALSHA {client.Replies()[0][1..]} 1";
    }

    [Test]
    public void After_a_failed_sync_changes_are_refused_until_there_is_a_new_base()
    {
        Start("always");
        var (client, other) = (_server.Connect(), _server.Connect());
        Assert.That(client.Call("SET a 1"), Is.Empty);
        _disk.SyncsBeforeFailure = 0;
        Turn();
        Assert.That(client.Replies(), Is.Empty, "nobody knows whether the disk has it");
        Assert.That(other.Call("SET b 2"), Has.One.Contains("MISCONF Errors writing to the AOF file"));
        Turn();
        Assert.That(client.Replies(), Is.Empty, "a later sync that succeeds says nothing");
        var first = Rotate();
        Assert.That(other.Call("SET b 2"), Has.One.Contains("MISCONF"), "the base is not there");
        Assert.That(Listed(), Is.EqualTo((string[])["appendonly.aof.1.incr.aof"]));
        Assert.That(Rebase(first), Is.Null);
        Assert.That(client.Replies(), Is.EqualTo((string[])["+OK"]));
        Assert.That(other.Call("SET b 2"), Is.Empty);
        Turn();
        Assert.That(other.Replies(), Is.EqualTo((string[])["+OK"]));
        Assert.That(Listed(), Is.EqualTo((string[])["appendonly.aof.1.base.rdb", $"appendonly.aof.{first}.incr.aof"]));
        Assert.That(AofText.CommandsOf(_folder[$"appendonly.aof.{first}.incr.aof"]),
            Is.EqualTo((string[])["SELECT 0", "SET b 2"]));
    }

    [Test]
    public void A_file_whose_end_cannot_be_synced_gives_way_to_another([Values(1, 2)] int syncs)
    {
        Start("everysec");
        var client = _server.Connect();
        client.Expect(["SET a 1"], "+OK");
        _disk.SyncsBeforeFailure = syncs; // The new file's header comes first.
        var first = Rotate();
        Assert.That(client.Call("SET b 2"), Has.One.Contains("MISCONF"));
        Assert.That(Listed(), Is.EqualTo((string[])["appendonly.aof.1.incr.aof"]));
        Assert.That(Rebase(first), Is.Null);
        client.Expect(["SET b 2"], "+OK");
    }

    [Test]
    public void A_sync_that_fails_behind_the_moment_asks_for_another_base()
    {
        Start("always");
        var client = _server.Connect();
        var first = Rotate();
        Assert.That(client.Call("SET a 1"), Is.Empty);
        _disk.SyncsBeforeFailure = 0;
        Turn();
        Assert.That(Rebase(first), Does.Contain("sync"));
        Assert.That(client.Replies(), Is.Empty);
        Assert.That(_keeper.IsBaseAwaited);
        Assert.That(Rebase(Rotate()), Is.Null);
        Assert.That(client.Replies(), Is.EqualTo((string[])["+OK"]));
        Assert.That(_keeper.IsBaseAwaited, Is.False);
    }

    [Test]
    public void A_change_that_could_not_be_told_asks_for_a_base_behind_it([Values] bool isBehindMoment)
    {
        Start("everysec");
        var client = _server.Connect();
        if (!isBehindMoment)
        {
            Journal.RequireBase();
            Turn();
        }

        var rotated = BeginRotation();
        if (isBehindMoment)
        {
            Journal.RequireBase();
        }

        Turn();
        Assert.That(client.Call("SET b 2"), Has.One.Contains("MISCONF"));
        Assert.That(Rebase(rotated.Result), isBehindMoment ? Is.Not.Null : Is.Null);
        if (isBehindMoment)
        {
            Assert.That(client.Call("SET b 2"), Has.One.Contains("MISCONF"));
            Assert.That(Rebase(Rotate()), Is.Null);
        }

        client.Expect(["SET b 2"], "+OK");
    }

    [Test]
    public void A_base_that_is_late_is_given_up()
    {
        Start("everysec");
        var first = Rotate();
        JournalKit.AssertNone(_files.CreateBase(JournalBaseKind.Rdb, out var file));
        var newBase = new JournalBase(file, first, _ => Assert.Fail("it was taken back"));
        _keeper.TakeBase(newBase);
        Assert.That(_keeper.TryTakeBack(newBase));
        Turn();
        _files.DropBase(file!);
        Assert.That(Listed(), Has.Count.EqualTo(2));
    }

    [Test]
    public void Nothing_is_synced_while_data_is_saved_if_so_configured([Values("always", "everysec")] string policy)
    {
        Start(policy);
        var (client, admin) = (_server.Connect(), _server.Connect());
        admin.Expect(["CONFIG SET no-appendfsync-on-rewrite yes"], "+OK");
        _ = client.Call("SET a 1");
        _isSnapshotUnderWay = true;
        _server.Server.Context.Durability.EndAwaiting(); // As at the moment of a snapshot.
        Turn();
        Assert.That(client.Replies(), Is.EqualTo((string[])(policy == "always" ? ["+OK"] : [])));
        var syncs = _disk.Syncs;
        client.Expect(["SET b 1"], "+OK");
        _server.Clock.AdvanceMs(1500);
        Turn();
        Assert.That(_disk.Syncs, Is.EqualTo(syncs));
        Assert.That(admin.Call("WAITAOF 1 0 0"), Is.Empty);
        _isSnapshotUnderWay = false;
        Turn();
        Assert.That(admin.Replies(), Is.EqualTo((string[])["[:1 :0]"]));
    }

    [Test]
    public void What_cannot_be_written_at_the_end_is_taken_and_dropped()
    {
        Start("everysec");
        var client = _server.Connect();
        client.Expect(["SET a 1", "SET b 1"], "+OK", "+OK");
        _disk.SpaceLeft = 10;
        Assert.That(_keeper.Finish, Throws.InstanceOf<JournalAbandonedException>().With.Message.Contains("No space"));
        Assert.That(_keeper.Turn(), Is.False, "nothing is left");
    }

    private Task<long> BeginRotation()
    {
        var rotated = new TaskCompletionSource<long>();
        _keeper.RotateBehind(new JournalRotation(Journal.LastSequence, rotated.SetResult));
        return rotated.Task;
    }

    /// <summary>The moment of a rewrite.</summary>
    /// <returns>The number of the file behind it.</returns>
    private long Rotate()
    {
        var rotated = BeginRotation();
        Turn();
        Assert.That(rotated.IsCompleted);
        return rotated.Result;
    }

    /// <summary>The rewrite's end.</summary>
    /// <returns>What has failed, or null.</returns>
    private string? Rebase(long firstIncrement)
    {
        JournalKit.AssertNone(_files.CreateBase(JournalBaseKind.Rdb, out var file));
        var problem = "it was not taken";
        _keeper.TakeBase(new JournalBase(file, firstIncrement, told => problem = told));
        Turn();
        return problem;
    }

    private IReadOnlyList<string> Listed()
        => [.. ManifestText.Read(_folder["appendonly.aof.manifest"], "").Live.Select(part => part.Name)];

    private void Start(string policy)
    {
        _await = () => false;
        _isSnapshotUnderWay = false;
        _server = new TurnServer(workers, arguments: ["--appendfsync", policy]);
        _disk = new SimulatedDisk(seed: 1);
        _folder = _disk.CreateFolder("aof", exists: true);
        _files = JournalKit.NewFiles(_disk.CreateFolder("", exists: true), _folder);
        _ = _files.Load();
        JournalKit.AssertNone(_files.BeginIncrement(null, 0, out var writer));
        var context = _server.Server.Context;
        _keeper = new JournalKeeper(
            Journal,
            context.Durability,
            _files,
            writer!,
            writer!.Offset,
            writer.SizeBytes,
            context.Log,
            _server.Clock,
            () => context.Configuration.Current,
            () => _isSnapshotUnderWay,
            () => _await());
        Journal.Durable = () =>
        {
            foreach (WorkerContext worker in _server.Server.Workers)
            {
                worker.OnDurable();
            }
        };
        Journal.TurnOn();
        if (policy == "always")
        {
            Journal.AwaitDurability();
        }
    }

    private void Turn()
    {
        while (_keeper.Turn())
        {
            // What came together may be several batches.
        }

        _server.Settle();
    }
}
