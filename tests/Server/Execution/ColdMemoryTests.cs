using NUnit.Framework;
using Strata.Storage;
using Strata.Storage.Interop;
using Strata.Storage.Log;
using Strata.Storage.Tiering;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>What commands hold of the records that they have read from the device is bounded, for one client and for
/// all together, and nobody waits for room in vain.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class ColdMemoryTests(int workers)
{
    private const int Keys = 12;
    private const int ValueBytes = 200_000;

    // Two values fit, and none beside a third.
    private const long RoomBytes = 500_000;

    private SimulatedDevice _device = null!;
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private long _mostTaken;

    private Tier Tier => _server.Server.Context.Shards.Tier!;

    [SetUp]
    public void Fill()
    {
        _device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        _server = new TurnServer(workers, null, _device, "--maxmemory", "20mb");
        _client = _server.Connect();
        _client.Expect(["DEBUG TIER-EAGER 1"], "+OK");
        for (var i = 0; i < Keys; i++)
        {
            _client.Expect([$"SET key:{i} {Value(i)}"], "+OK");
        }

        for (var i = 0; !AreAllCold(); i++)
        {
            Assert.That(i, Is.LessThan(1000), "all leaves memory");
            _client.Expect(["PING"], "+PONG");
        }

        _client.Expect(["DEBUG TIER-EAGER 0"], "+OK");
        Tier.MostColdBytes = RoomBytes;
        Tier.ColdPartBytes = RoomBytes;
        _mostTaken = 0;
    }

    [TearDown]
    public void Stop()
    {
        _server.Settle();
        Assert.That(Tier.ColdRoom.Waiting, Is.Zero);
        _server.Dispose();
        Assert.That(Tier.ColdRoom.TakenBytes, Is.Zero, "what was taken is given back");
        _device.Dispose();
    }

    [Test]
    public void Pipelined_gets_read_as_much_at_a_time_as_may_be_held()
    {
        string[] commands = [.. Enumerable.Range(0, Keys).Select(i => $"GET key:{i}"), "SET key:3 new", "GET key:3"];
        _client.Send(commands);
        string[] expected = [.. Enumerable.Range(0, Keys).Select(i => "$" + Value(i)), "+OK", "$new"];
        Assert.That(RepliesOf(_client, expected.Length), Is.EqualTo(expected));
        Assert.That(_mostTaken, Is.InRange(ValueBytes, RoomBytes));
        Assert.That(SecondReads(), Is.InRange(Keys, Keys + 1), "each value is read once, and one for SET");
    }

    /// <summary>Also while nobody else finds room for what they want to read.</summary>
    [Test]
    public void A_script_that_has_changed_something_reads_what_it_needs_while_its_thread_waits()
    {
        Tier.ColdRoom.Correct(RoomBytes);
        const string Script =
            "redis.call('SET', KEYS[1], 'x') return redis.call('STRLEN', ARGV[1]) + #redis.call('GET', ARGV[2])";
        _client.SendRaw($"*6\r\n$4\r\nEVAL\r\n${Script.Length}\r\n{Script}\r\n$1\r\n1\r\n$3\r\nnew\r\n"
            + "$5\r\nkey:1\r\n$5\r\nkey:2\r\n");
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { $":{2 * ValueBytes}" }));
        Tier.ColdRoom.Release(RoomBytes);
    }

    [Test]
    public void A_transaction_reads_what_its_commands_do_not_name()
        => _client.Expect(
            ["RPUSH list 1 2", "MULTI", "SORT list GET key:*", "SET done 1", "EXEC"],
            ":2", "+OK", "+QUEUED", "+QUEUED", $"[[${Value(1)} ${Value(2)}] +OK]");

    [Test]
    public void A_script_in_a_transaction_reads_what_it_does_not_name()
    {
        _client.Expect(["MULTI", "SET a 1"], "+OK", "+QUEUED");
        const string Script = "return redis.call('STRLEN', ARGV[1])+#redis.call('GET', ARGV[2])";
        _client.SendRaw(RespCommand.Of("EVAL", Script, "0", "key:1", "key:2").Encode());
        _client.Send("SET b 1", "EXEC");
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(
            new[] { "+QUEUED", "+QUEUED", $"[+OK :{2 * ValueBytes} +OK]" }));
    }

    [TestCase("KEYS *", Keys)]
    [TestCase("SCAN 0 COUNT 1000", Keys)]
    [TestCase("RANDOMKEY", 0)]
    public void Names_are_read_without_values(string command, int names)
    {
        var reads = SecondReads();
        var reply = _client.Call(command).Single();
        Assert.That(reply.Split("key:"), Has.Length.EqualTo(names == 0 ? 2 : names + 1));
        Assert.That(SecondReads(), Is.EqualTo(reads));
    }

    /// <summary>Each takes some kilobytes beside its records.</summary>
    [TestCase(20, Limits.CrowdOfColdReads)]
    [TestCase(1, Limits.MostColdReads)]
    public void At_the_end_of_memory_little_is_received_while_a_crowd_waits_for_the_device(int gets, int most)
    {
        var budget = _server.Server.Context.Shards.Budget;
        var held = budget.LimitBytes * 2;
        TurnClient[] clients = [.. Enumerable.Range(0, (workers * most) + 100).Select(_ => _server.Connect())];
        Tier.ColdRoom.Correct(RoomBytes);
        budget.Charge(held);
        foreach (var client in clients)
        {
            client.Send([.. Enumerable.Repeat("GETRANGE key:1 0 3", gets)]);
        }

        _server.Settle();
        Assert.That(_server.Server.Workers.Select(static worker => worker.Tier!.Sets.Lent), Is.All.EqualTo(most + 1));
        if (most == Limits.CrowdOfColdReads)
        {
            Assert.That(_client.Call("PING"), Is.EqualTo(new[] { "+PONG" }), "it is little");
        }

        budget.Charge(-held);
        (budget.LimitBytes, Tier.MostColdBytes) = (20 * budget.LimitBytes, 20 * RoomBytes);
        Tier.ColdRoom.Release(RoomBytes);
        for (var turns = 0; turns < 2000 && Tier.ColdRoom.Waiting > 0; turns++)
        {
            _server.Clock.AdvanceMs(1); // Who has not been received from is looked at each tick.
            Watch();
        }

        var expected = Enumerable.Repeat("$" + Value(1)[..4], gets);
        Assert.That(clients.Select(client => RepliesOf(client, gets)), Is.All.EqualTo(expected));
    }

    /// <summary>It may be for ever, and what is lent says how many wait for the device.</summary>
    [Test]
    public void Who_does_not_read_keeps_no_set_of_records()
    {
        _client.Send([.. Enumerable.Range(0, Keys).Select(static i => $"GET key:{i}")]);
        _server.Settle();
        Assert.That(_server.Server.Workers.Select(static worker => worker.Tier!.Sets.Lent), Is.All.Zero);
        Assert.That(RepliesOf(_client, Keys), Is.EqualTo(Enumerable.Range(0, Keys).Select(static i => "$" + Value(i))));
    }

    [Test]
    public void Clients_wait_for_room_in_turn()
    {
        TurnClient[] clients = [.. Enumerable.Range(0, Keys).Select(_ => _server.Connect())];
        for (var i = 0; i < Keys; i++)
        {
            clients[i].Send($"GET key:{i}");
        }

        Watch();
        clients[5].Close(); // It waits, or reads: nothing is lost for the others.
        for (var i = 0; i < Keys; i++)
        {
            if (i != 5)
            {
                Assert.That(RepliesOf(clients[i], 1), Is.EqualTo(new[] { "$" + Value(i) }));
            }
        }

        Assert.That(_mostTaken, Is.InRange(ValueBytes, RoomBytes));
    }

    [Test]
    public void A_command_that_needs_more_than_all_may_hold_is_executed_alone()
    {
        var other = _server.Connect();
        _client.Send("MGET key:0 key:1 key:2 key:3 key:4");
        other.Send("MGET key:4 key:5 key:6 key:7 key:8");
        Assert.That(RepliesOf(_client, 1)[0], Is.EqualTo($"[{string.Join(' ', Enumerable.Range(0, 5).Select(Text))}]"));
        Assert.That(RepliesOf(other, 1)[0], Is.EqualTo($"[{string.Join(' ', Enumerable.Range(4, 5).Select(Text))}]"));
        Assert.That(_mostTaken, Is.InRange(5 * ValueBytes, 6 * ValueBytes));
    }

    [Test]
    public void A_client_that_does_not_read_its_replies_holds_nothing()
    {
        var slow = _server.Connect();
        slow.Send([.. Enumerable.Range(0, Keys * Keys).Select(i => $"GET key:{i % Keys}")]);
        _server.Settle();
        Assert.That(Tier.ColdRoom.TakenBytes, Is.Zero, "it waits for its client");
        _client.Send("GET key:7");
        Assert.That(RepliesOf(_client, 1), Is.EqualTo(new[] { "$" + Value(7) }));
        Assert.That(RepliesOf(slow, Keys * Keys), Has.Count.EqualTo(Keys * Keys));
    }

    [Test]
    public void Reads_that_fail_give_their_room_to_others()
    {
        TurnClient[] clients = [.. Enumerable.Range(0, Keys).Select(_ => _server.Connect())];
        _device.Faults.ReadErrno = Errno.InputOutput;
        for (var i = 0; i < Keys; i++)
        {
            clients[i].Send($"GET key:{i}", $"APPEND key:{i} x");
        }

        foreach (var client in clients)
        {
            Assert.That(RepliesOf(client, 2), Is.All.StartWith("-IOERR"));
        }

        _device.Faults.Heal();
        _client.Send("GET key:0");
        Assert.That(RepliesOf(_client, 1), Is.EqualTo(new[] { "$" + Value(0) }));
    }

    [Test]
    public void Reads_go_on_while_memory_is_full_and_cannot_be_written()
    {
        _device.Faults.WriteErrno = Errno.NoSpace;
        var answer = "";
        for (var i = 0; !answer.StartsWith("-MISCONF", StringComparison.Ordinal); i++)
        {
            Assert.That(i, Is.LessThan(1000), "memory becomes full");
            answer = _client.Call($"SET new:{i} {Value(i)}")[0];
        }

        Clients_wait_for_room_in_turn();
        _device.Faults.Heal();
    }

    private static string Value(int i) => new((char)('a' + i), ValueBytes);

    private static string Text(int i) => "$" + Value(i);

    private long SecondReads() => _server.Server.Workers.Sum(worker => worker.Tier!.SecondReads);

    private List<string> RepliesOf(TurnClient client, int count)
    {
        var replies = new List<string>();
        for (var i = 0; replies.Count < count; i++)
        {
            Assert.That(i, Is.LessThan(2000), $"{replies.Count} of {count} replies came");
            Watch();
            replies.AddRange(client.Replies());
        }

        return replies;
    }

    private void Watch()
    {
        for (var worker = 0; worker < workers; worker++)
        {
            _server.Turn(worker);
            _mostTaken = Math.Max(_mostTaken, Tier.ColdRoom.TakenBytes);
        }
    }

    private bool AreAllCold()
    {
        foreach (var shard in _server.Server.Context.Shards.All)
        {
            for (var page = 1; page < shard.Log.PageTop; page++)
            {
                ref readonly var info = ref shard.Log.Pages[page];
                if (info.LiveBytes != 0 && info.Kind is not (PageKind.Cold or PageKind.Free))
                {
                    return false;
                }
            }
        }

        return true;
    }
}
