using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Server.Execution;

/// <summary>Pipelines of single-key commands some of which must wait: whatever they wait for, they are executed in the
/// order of the wire.</summary>
[TestFixture]
internal sealed class RunExecutorTests
{
    private const string WrongType = "-WRONGTYPE Operation against a key holding the wrong kind of value";

    [Test]
    public void Behind_a_lease_that_is_taken_nothing_is_executed([Values(0, 1, 2, 3)] int taken)
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var other = server.Connect();
        var keys = Enumerable.Range(0, 4).Select(shard => server.KeyOf(shard)).ToArray();
        var shard = server.Server.Context.Shards[taken];
        Assert.That(shard.Lease.TryAcquire());
        client.Send([.. Enumerable.Range(0, 20).Select(i => $"APPEND {keys[i * 7 % 4]} {new string('x', i + 1)}")]);
        server.Settle();
        var all = LengthsOfAppends(keys);
        var before = Enumerable.Range(0, 4).First(i => server.ShardOf(keys[i * 7 % 4]) == shard);
        Assert.That(client.Replies(), Is.EqualTo(all.Take(before)), "those before it are answered");
        foreach (var key in keys.Where(key => server.ShardOf(key) != shard))
        {
            var isBefore = Enumerable.Range(0, before).Any(i => keys[i * 7 % 4] == key);
            Assert.That(other.Call($"STRLEN {key}")[0] != ":0", Is.EqualTo(isBefore), key);
        }

        var groups = server.Server.Workers[0].Groups;
        Assert.That(groups.Lent, Is.EqualTo(1));
        shard.Lease.Release(); // Here, where nobody's worker is, the command is executed.
        Assert.That(groups.Lent, Is.EqualTo(1));
        server.Turn(0);
        Assert.That(groups.Lent, Is.Zero);
        Assert.That(client.Replies(), Is.EqualTo(all.Skip(before)));
    }

    [Test]
    public void Neighbours_of_one_shard_are_left_to_the_holder_of_its_lease_together()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var other = server.Connect();
        var (taken, free) = (server.KeyOf(0), server.KeyOf(1));
        var lease = server.Server.Context.Shards[0].Lease;
        Assert.That(lease.TryAcquire());
        client.Send($"INCR {taken}", $"INCR {taken}", $"INCR {free}", $"INCR {taken}");
        server.Settle();
        lease.Release();
        other.Send($"GET {taken}", $"GET {free}");
        server.Turn(1);
        Assert.That(other.Replies(), Is.EqualTo(new[] { "$2", "nil" }), "what is behind them is not executed yet");
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { ":1", ":2", ":1", ":3" }));
    }

    [Test]
    public void Who_was_woken_on_another_thread_comes_before_the_next_command([Values] bool isOfOneShard)
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var waiter = server.Connect();
        var (queue, target) = (server.KeyOf(0), server.KeyOf(isOfOneShard ? 0 : 1, "t"));
        waiter.Send($"BLMOVE {queue} {target} LEFT LEFT 0");
        server.Settle();
        var lease = server.Server.Context.Shards[0].Lease;
        Assert.That(lease.TryAcquire());
        client.Send($"RPUSH {queue} x", $"EXISTS {queue}", $"DEL {target}");
        server.Settle();
        lease.Release();
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { ":1", ":0", ":1" }));
        Assert.That(waiter.Replies(), Is.EqualTo(new[] { "$x" }));
    }

    [Test]
    public void Two_leases_that_are_taken_are_waited_for_one_after_the_other()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var (first, last) = (server.Server.Context.Shards[0], server.Server.Context.Shards[3]);
        Assert.That(first.Lease.TryAcquire() && last.Lease.TryAcquire());
        client.Send($"INCR {server.KeyOf(3)}", $"INCR {server.KeyOf(0)}", $"INCR {server.KeyOf(3)}", "PING");
        server.Settle();
        first.Lease.Release();
        server.Settle();
        Assert.That(client.Replies(), Is.Empty, "the first command waits, and what is behind it");
        Assert.That(first.Lease.TryAcquire());
        last.Lease.Release();
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { ":1" }), "now the second");
        first.Lease.Release();
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { ":1", ":2", "+PONG" }));
    }

    [Test]
    public void An_error_in_the_midst_is_one_reply_among_others([Values(1, 2)] int workers, [Values] bool isTaken)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var shard = server.ShardOf("k");
        isTaken &= workers > 1;
        Assert.That(!isTaken || shard.Lease.TryAcquire());
        client.Send("SET k 1", "LPUSH k x", "INCR k", "SET q v", "HGET k f", "INCR q", "GET k");
        server.Settle();
        if (isTaken)
        {
            shard.Lease.Release();
            server.Settle();
        }

        Assert.That(client.Replies(), Is.EqualTo(new[]
        {
            "+OK", WrongType, ":2", "+OK", WrongType, "-ERR value is not an integer or out of range", "$2",
        }));
    }

    [Test]
    public void A_command_for_which_there_is_no_memory_is_refused_and_its_neighbours_are_not(
        [Values(1, 2)] int workers, [Values] bool isTaken)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        client.Expect(["SET k old", "DEBUG SMALL-MAXMEMORY 1", "CONFIG SET maxmemory 1"], "+OK", "+OK", "+OK");
        var shard = server.ShardOf("k");
        isTaken &= workers > 1;
        Assert.That(!isTaken || shard.Lease.TryAcquire());
        client.Send("GET k", "SET k new", "APPEND k x", "GET k", "DEL k", "GET k");
        server.Settle();
        if (isTaken)
        {
            shard.Lease.Release();
            server.Settle();
        }

        var refusal = "-OOM command not allowed when used memory > 'maxmemory'.";
        Assert.That(client.Replies(), Is.EqualTo(new[] { "$old", refusal, refusal, "$old", ":1", "nil" }));
    }

    [Test]
    public void A_run_waits_for_the_device_and_answers_in_order([Values(1, 2)] int workers, [Values] bool isSlow)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new TurnServer(workers, change: null, device);
        var client = server.Connect();
        client.Expect(["DEBUG TIER-EAGER 1", "SET a 1", "SET b 2", "SET c 3"], "+OK", "+OK", "+OK", "+OK");
        client.Expect(["DEBUG TIER-EAGER 0"], "+OK");
        if (isSlow)
        {
            device.Faults.DelayRate = device.Faults.ReorderRate = 0.9;
        }

        var reads = device.Counts.Reads;
        client.Send("GET a", "SET hot v", "APPEND b x", "GET missing", "GET b", "INCR c", "GET a", "STRLEN hot");
        server.Turn(0);
        Assert.That(client.Replies().Count, Is.LessThan(8), "some of it waits");
        for (var round = 0; round < 10; round++)
        {
            server.Settle();
        }

        Assert.That(client.Replies(), Is.EqualTo(new[] { "$1", "+OK", ":2", "nil", "$2x", ":4", "$1", ":1" }));
        Assert.That(device.Counts.Reads, Is.GreaterThan(reads));
    }

    /// <summary>A read that was asked for is not waited for while another command goes on in steps, and is asked for
    /// again: that must not have the other begin anew each time.</summary>
    [Test]
    public void A_command_in_steps_comes_to_its_end_behind_one_that_waits_for_the_device([Values(1, 2)] int workers)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new TurnServer(workers, change: null, device);
        var client = server.Connect();
        client.Expect(["DEBUG TIER-EAGER 1", "SET a 1", "SET b 2"], "+OK", "+OK", "+OK");
        client.Expect(["DEBUG TIER-EAGER 0", "DEBUG SMALL-STEPS 1"], "+OK", "+OK");
        var members = string.Join(' ', Enumerable.Range(0, 400).Select(i => $"{i} m{i}"));
        client.Send("GET a", $"ZADD one {members}", "GETRANGE b 0 0", $"ZADD two {members}", "APPEND a x");
        var replies = new List<string>();
        for (var turn = 0; turn < 50_000 && replies.Count < 5; turn++)
        {
            server.Turn(turn % workers);
            replies.AddRange(client.Replies());
        }

        Assert.That(replies, Is.EqualTo(new[] { "$1", ":400", "$2", ":400", ":2" }));
    }

    [Test]
    public void A_read_does_not_pass_a_write_of_its_key_that_waits_for_room(
        [Values(1, 2)] int workers, [Values] bool isTaken)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new TurnServer(workers, change: null, device);
        var client = server.Connect();
        var other = server.Connect();
        client.Expect(["SET k old"], "+OK");
        var tier = server.Server.Context.Shards.Tier!;
        tier.OnWriteStarted(); // It takes the device long to end one.
        other.Expect(["DEBUG SMALL-MAXMEMORY 1", "CONFIG SET maxmemory 1"], "+OK", "+OK");
        var shard = server.ShardOf("k");
        isTaken &= workers > 1;
        Assert.That(!isTaken || shard.Lease.TryAcquire());
        client.Send("SET k new", "GET k", "APPEND k er", "GET k");
        server.Turn(0);
        if (isTaken)
        {
            shard.Lease.Release(); // Here the group is executed, as far as it can be.
        }

        server.Settle();
        Assert.That(client.Replies(), Is.Empty, "what is being written is waited for");
        other.Expect(["CONFIG SET maxmemory 100mb"], "+OK");
        tier.OnWriteEnded(0);
        tier.NotifyRoom();
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { "+OK", "$new", ":5", "$newer" }));
    }

    [Test]
    public void A_record_that_cannot_be_read_is_the_error_of_its_command_alone([Values(1, 2)] int workers)
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new TurnServer(workers, change: null, device);
        var client = server.Connect();
        client.Expect(["DEBUG TIER-EAGER 1", "SET a 1", "SET b 2"], "+OK", "+OK", "+OK");
        client.Expect(["DEBUG TIER-EAGER 0"], "+OK");
        device.Faults.ReadErrorRate = 1;
        var replies = client.Call("SET hot v", "GET a", "APPEND b x", "GET hot");
        Assert.That(replies[1], Does.StartWith("-IOERR"));
        Assert.That(replies[2], Does.StartWith("-IOERR"));
        Assert.That((replies.Count, replies[0], replies[3]), Is.EqualTo((4, "+OK", "$v")));
        device.Faults.Heal();
        client.Expect(["GET a", "GET b"], "$1", "$2");
    }

    [Test]
    public void What_a_client_had_sent_is_executed_though_it_has_gone()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var other = server.Connect();
        var shard = server.ShardOf("k");
        Assert.That(shard.Lease.TryAcquire());
        client.Send("INCR k", "INCR k");
        server.Settle();
        client.Close();
        server.Settle();
        shard.Lease.Release();
        server.Settle();
        other.Expect(["GET k"], "$2");
    }

    [Test]
    public void A_run_whose_databases_are_exchanged_while_it_waits_is_hashed_anew()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var other = server.Connect();
        client.Expect(["SET k zero", "SELECT 1", "SET k one", "SELECT 0"], "+OK", "+OK", "+OK", "+OK");
        var shard = server.ShardOf("k");
        Assert.That(shard.Lease.TryAcquire());
        client.Send("APPEND k x", "APPEND k yy");
        server.Turn(0);
        server.Server.Context.Databases.Swap(0, 1);
        shard.Lease.Release();
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { ":4", ":6" }), "what was database 1 is 0 by now");
        other.Expect(["GET k", "SELECT 1", "GET k"], "$onexyy", "+OK", "$zero");
    }

    [Test]
    public void Commands_that_only_read_pass_a_lease_that_is_taken_where_they_do_not_need_it()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var (free, held) = (server.KeyOf(0), server.KeyOf(1));
        client.Expect([$"SET {free} f", $"SET {held} h"], "+OK", "+OK");
        var shard = server.Server.Context.Shards[1];
        Assert.That(shard.Lease.TryAcquire());
        client.Send($"GET {free}", $"GET {free}", $"GET {held}", $"GET {free}");
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { "$f", "$f" }), "a run of reads replies as it goes");
        shard.Lease.Release();
        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { "$h", "$f" }));
    }

    /// <summary>A command that goes on in steps holds its key. One of them may fail, on the thread of another worker,
    /// too: from then on nothing is held.</summary>
    [Test]
    public void A_command_that_fails_on_its_way_holds_its_key_no_longer(
        [Values(1, 2)] int workers, [Values] bool isTaken)
    {
        var fails = false;
        using var server = new TurnServer(workers, row => row.Name != "smembers" ? row : row.With(context =>
        {
            if (fails)
            {
                throw new MemoryExhaustedException();
            }

            row.Handler(context);
        }));
        var client = server.Connect();
        client.Expect(["SADD k first", "DEBUG SMALL-STEPS 1"], ":1", "+OK");
        _ = client.All(1, "SADD k " + string.Join(' ', Enumerable.Range(0, 2000).Select(i => $"member{i}")));
        var other = server.ConnectBeside();
        client.Send("SET a 1", "SMEMBERS k");
        server.AwaitHold("k", most: 10);
        var shard = server.ShardOf("k");
        isTaken &= workers > 1;
        Assert.That(!isTaken || shard.Lease.TryAcquire());
        fails = true;
        server.Turn(0);
        if (isTaken)
        {
            server.Settle();
            shard.Lease.Release();
        }

        server.Settle();
        Assert.That(client.Replies(), Is.EqualTo(new[] { "+OK", "-OOM out of memory" }));
        Assert.That(shard.Waits.Count, Is.Zero);
        other.Expect(["SADD k another"], ":1");
    }

    [Test]
    public void An_error_of_the_protocol_is_answered_behind_a_run_that_waits()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var taken = server.Server.Context.Shards[3];
        Assert.That(taken.Lease.TryAcquire());
        client.Send($"SET {server.KeyOf(3)} x");
        client.SendRaw("*1\r\n!oops\r\n");
        server.Settle();
        taken.Lease.Release();
        server.Settle();

        Assert.That(string.Join(' ', client.Replies()), Is.EqualTo("+OK -ERR Protocol error: expected '$', got '!'"));
    }

    private static List<string> LengthsOfAppends(string[] keys)
    {
        var lengths = keys.ToDictionary(key => key, _ => 0);
        return [.. Enumerable.Range(0, 20).Select(i => $":{lengths[keys[i * 7 % 4]] += i + 1}")];
    }
}
