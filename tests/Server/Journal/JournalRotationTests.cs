using NUnit.Framework;
using Strata.Server.Journal;
using Strata.Server.Journal.Files;
using Strata.Tests.Server.Journal.Files;

namespace Strata.Tests.Server.Journal;

/// <summary>The journal goes on in another file at a rewrite's moment, and follows its base: nobody waits for the disk,
/// and whatever fails is made good by another base.</summary>
[TestFixture(1)]
[TestFixture(3)]
internal sealed class JournalRotationTests(int workers) : JournalKeeperFixture(workers)
{
    private NextIncrement? _next;

    [SetUp]
    public void Forget() => _next = null;

    [Test]
    public void After_a_failed_sync_changes_are_refused_until_there_is_a_new_base()
    {
        Start("always");
        var (client, other) = (Server.Connect(), Server.Connect());
        Assert.That(client.Call("SET a 1"), Is.Empty);
        Disk.SyncsBeforeFailure = 0;
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
        Assert.That(AofText.CommandsOf(Folder[$"appendonly.aof.{first}.incr.aof"]),
            Is.EqualTo((string[])["SELECT 0", "SET b 2"]));
    }

    [Test]
    public void A_file_whose_end_cannot_be_synced_is_needed_until_there_is_a_base([Values] bool isNextLost)
    {
        Start("everysec");
        var client = Server.Connect();
        client.Expect(["SET a 1"], "+OK");
        JournalKit.AssertNone(Files.PrepareIncrement(out _next));
        Disk.SyncsBeforeFailure = isNextLost ? 1 : 0;
        var first = Rotate();
        Assert.That(client.Call("SET b 2"), Has.One.Contains("MISCONF"));
        Assert.That(Listed(), Is.EqualTo((string[])["appendonly.aof.1.incr.aof", "appendonly.aof.2.incr.aof"]));
        Assert.That(Rebase(first), isNextLost ? Is.Not.Null : Is.Null);
        if (isNextLost)
        {
            Assert.That(client.Call("SET b 2"), Has.One.Contains("MISCONF"));
            Assert.That(Rebase(Rotate()), Is.Null);
        }

        client.Expect(["SET b 2"], "+OK");
    }

    [Test]
    public void What_is_behind_a_moment_is_written_and_listed_before_the_disk_has_what_is_before_it(
        [Values("always", "everysec")] string policy, [Values] bool isMadeAhead)
    {
        Start(policy);
        var other = Server.Connect();
        _ = Server.Connect().Call("SET a 1");
        if (isMadeAhead)
        {
            JournalKit.AssertNone(Files.PrepareIncrement(out _next));
        }

        var syncs = Disk.Syncs;
        Work.IsHeld = true;
        var rotated = BeginRotation();
        Turn();
        Assert.That(Work.IsWaiting);
        if (isMadeAhead && policy == "everysec")
        {
            Assert.That(Disk.Syncs, Is.EqualTo(syncs), "nobody has waited for the disk");
        }

        _ = other.Call("SET b 2");
        Turn();
        Assert.That(Listed(), Is.EqualTo((string[])["appendonly.aof.1.incr.aof", "appendonly.aof.2.incr.aof"]));
        Assert.That(AofText.CommandsOf(Folder["appendonly.aof.2.incr.aof"]),
            Is.EqualTo((string[])["SELECT 0", "SET b 2"]));
        Assert.That(rotated.IsCompleted, Is.False);
        Assert.That(Server.Server.Context.Durability.Durable, Is.LessThan(Journal.LastSequence));
        Work.IsHeld = false;
        Work.Do();
        Server.Clock.AdvanceMs(1001);
        Turn();
        Assert.That(rotated.Result, Is.EqualTo(2));
        Assert.That(other.Replies(), Is.EqualTo((string[])(policy == "always" ? ["+OK"] : [])));
        Assert.That(Server.Server.Context.Durability.Durable, Is.EqualTo(Journal.LastSequence));
    }

    [Test]
    public void A_moment_that_comes_in_the_midst_of_a_batch_ends_it()
    {
        Start("everysec");
        var (client, other) = (Server.Connect(), Server.Connect());
        var value = new string('x', 600_000);
        Task<long>? rotated = null;
        Writing = () =>
        {
            if (rotated == null)
            {
                rotated = BeginRotation();
                other.Expect(["SET b 2"], "+OK");
            }
        };
        client.Expect([$"SET a {value}"], "+OK");
        Turn();
        Assert.That(rotated?.IsCompleted, Is.True);
        Assert.That(AofText.CommandsOf(Folder["appendonly.aof.1.incr.aof"]),
            Is.EqualTo((string[])["SELECT 0", $"SET a {value}"]));
        Assert.That(AofText.CommandsOf(Folder["appendonly.aof.2.incr.aof"]),
            Is.EqualTo((string[])["SELECT 0", "SET b 2"]));
    }

    [Test]
    public void A_file_that_was_made_ahead_of_another_base_is_made_again()
    {
        Start("everysec");
        JournalKit.AssertNone(Files.PrepareIncrement(out var ahead));
        Assert.That(Rebase(Rotate()), Is.Null);
        _next = ahead;
        Assert.That(Rotate(), Is.EqualTo(3));
        Assert.That(Listed()[^1], Is.EqualTo("appendonly.aof.3.incr.aof"));
        Assert.That(Folder.Names, Does.Contain("appendonly.aof.3.incr.aof"));
    }

    [Test]
    public void A_moment_whose_file_cannot_be_made_leaves_the_journal_as_it_was()
    {
        Start("always");
        var client = Server.Connect();
        Disk.FailsOneOf = 1;
        var rotated = BeginRotation();
        Turn();
        Disk.FailsOneOf = 0;
        Assert.That(rotated.Exception?.InnerException, Is.InstanceOf<IOException>());
        Assert.That(client.Call("SET a 1"), Is.Empty, "it is not refused");
        Turn();
        Assert.That(client.Replies(), Is.EqualTo((string[])["+OK"]));
        Assert.That(Listed(), Is.EqualTo((string[])["appendonly.aof.1.incr.aof"]));
        Assert.That(AofText.CommandsOf(Folder["appendonly.aof.1.incr.aof"]),
            Is.EqualTo((string[])["SELECT 0", "SET a 1"]));
        Assert.That(Rebase(Rotate()), Is.Null);
    }

    [Test]
    public void A_moment_whose_manifest_is_in_doubt_is_over_when_it_is_not()
    {
        Start("everysec");
        var client = Server.Connect();
        JournalKit.AssertNone(Files.PrepareIncrement(out _next));
        var refused = new List<string>();
        Await = () =>
        {
            refused.AddRange(client.Call("SET a 1"));
            Disk.FailsOneOf = 0;
            return true;
        };
        Disk.FailsOneOf = 1;
        Assert.That(Rotate(), Is.EqualTo(2));
        Assert.That(refused, Has.One.Contains("MISCONF"));
        client.Expect(["SET a 1"], "+OK");
    }

    [Test]
    public void A_base_is_listed_beside_what_is_written()
    {
        Start("everysec");
        var client = Server.Connect();
        var first = Rotate();
        Work.IsHeld = true;
        JournalKit.AssertNone(Files.CreateBase(JournalBaseKind.Rdb, out var file));
        var told = false;
        Keeper.Listing.Give(new JournalBase(file, first, problem => told = problem == null));
        Turn();
        Assert.That(Work.IsWaiting);
        client.Expect(["SET a 1"], "+OK");
        Turn();
        Assert.That(AofText.CommandsOf(Folder["appendonly.aof.2.incr.aof"]), Has.Some.EqualTo("SET a 1"));
        Assert.That(told, Is.False);
        Work.Do();
        Turn();
        Assert.That(told);
        Assert.That(Listed(), Is.EqualTo((string[])["appendonly.aof.1.base.rdb", "appendonly.aof.2.incr.aof"]));
        Assert.That(Keeper.SizeBytes, Is.EqualTo(Folder["appendonly.aof.2.incr.aof"].Length));
    }

    [Test]
    public void A_sync_that_fails_beside_what_is_written_loses_the_file()
    {
        Start("everysec");
        var client = Server.Connect();
        client.Expect(["SET a 1"], "+OK");
        Work.IsHeld = true;
        Server.Clock.AdvanceMs(1001);
        Turn();
        client.Expect(["SET b 2"], "+OK");
        Turn();
        Disk.SyncsBeforeFailure = 0;
        Work.IsHeld = false;
        Work.Do();
        Turn();
        Assert.That(client.Call("SET c 3"), Has.One.Contains("MISCONF"));
        Assert.That(Keeper.IsBaseAwaited);
        Assert.That(Rebase(Rotate()), Is.Null);
        client.Expect(["SET c 3"], "+OK");
    }

    [Test]
    public void A_sync_that_fails_beside_the_moment_is_found_behind_it()
    {
        Start("everysec");
        var client = Server.Connect();
        client.Expect(["SET a 1"], "+OK");
        Work.IsHeld = true;
        Server.Clock.AdvanceMs(1001);
        Turn();
        var rotated = BeginRotation();
        Turn();
        client.Expect(["SET b 2"], "+OK");
        Turn();
        Disk.SyncsBeforeFailure = 0;
        Work.IsHeld = false;
        Work.Do();
        Turn();
        Assert.That(rotated.Result, Is.EqualTo(2));
        Assert.That(client.Call("SET c 3"), Has.One.Contains("MISCONF"), "the base is not there");
        Assert.That(Rebase(rotated.Result), Is.Null);
        client.Expect(["SET c 3"], "+OK");
        Assert.That(AofText.CommandsOf(Folder["appendonly.aof.2.incr.aof"]),
            Is.EqualTo((string[])["SELECT 0", "SET b 2"]));
    }

    [Test]
    public void A_sync_that_fails_behind_the_moment_asks_for_another_base()
    {
        Start("always");
        var client = Server.Connect();
        var first = Rotate();
        Assert.That(client.Call("SET a 1"), Is.Empty);
        Disk.SyncsBeforeFailure = 0;
        Turn();
        Assert.That(Rebase(first), Does.Contain("sync"));
        Assert.That(client.Replies(), Is.Empty);
        Assert.That(Keeper.IsBaseAwaited);
        Assert.That(Rebase(Rotate()), Is.Null);
        Assert.That(client.Replies(), Is.EqualTo((string[])["+OK"]));
        Assert.That(Keeper.IsBaseAwaited, Is.False);
    }

    [Test]
    public void A_change_that_could_not_be_told_asks_for_a_base_behind_it([Values] bool isBehindMoment)
    {
        Start("everysec");
        var client = Server.Connect();
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
        JournalKit.AssertNone(Files.CreateBase(JournalBaseKind.Rdb, out var file));
        var newBase = new JournalBase(file, first, _ => Assert.Fail("it was taken back"));
        Keeper.Listing.Give(newBase);
        Assert.That(Keeper.Listing.TryTakeBack(newBase));
        Turn();
        Files.DropBase(file!);
        Assert.That(Listed(), Has.Count.EqualTo(2));
    }

    private Task<long> BeginRotation()
    {
        var rotated = new TaskCompletionSource<long>();
        Keeper.RotateBehind(new JournalRotation(Journal.LastSequence, _next, rotated));
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
        JournalKit.AssertNone(Files.CreateBase(JournalBaseKind.Rdb, out var file));
        var problem = "it was not taken";
        Keeper.Listing.Give(new JournalBase(file, firstIncrement, told => problem = told));
        Turn();
        return problem;
    }

    private IReadOnlyList<string> Listed()
        => [.. ManifestText.Read(Folder["appendonly.aof.manifest"], "").Live.Select(part => part.Name)];
}
