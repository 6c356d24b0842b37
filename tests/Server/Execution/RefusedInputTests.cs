using NUnit.Framework;
using Strata.Server;
using Strata.Storage;
using Strata.Storage.Interop;
using Strata.Storage.Memory;
using Strata.Tests.Simulation;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>A command for which there is no memory while it arrives: what has come of it is forgotten, and it is
/// refused when it ends.</summary>
[TestFixture]
internal sealed class RefusedInputTests
{
    private const string Refusal = "-OOM command not allowed when used memory > 'maxmemory'.";
    private const int Chunk = 30_000;
    private const int TooMuch = 100_000;
    private const int Room = 2 << 20;

    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private long _charged;

    private MemoryBudget Budget => _server.Server.Context.Shards.Budget;

    private long EndBytes => Budget.BytesBeyondLimit();

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers: 1);
        _client = _server.Connect();
        Budget.LimitBytes = Budget.UsedBytes + Room;
        _charged = 0;
    }

    [TearDown]
    public void Stop()
    {
        Charge(0);
        _client.Close();
        _server.Settle();
        Assert.That(Budget.UsedBytes,
            Is.EqualTo(MemoryAccount.OfShards(_server.Server) + MemoryAccount.OfPools(_server.Server)));
        _server.Dispose();
    }

    /// <summary>There may be as many clients as maxclients says.</summary>
    [Test]
    public void A_client_is_given_little_without_being_asked_for_when_memory_is_at_its_end()
    {
        var name = new string('n', 1000);
        var command = $"*3\r\n$3\r\nSET\r\n$4\r\nname\r\n$1000\r\n{name}\r\n";
        _client.Expect([$"CLIENT SETNAME {name}"], "+OK");
        var other = _server.Connect();
        Charge(Room + EndBytes);
        other.Expect([$"CLIENT SETNAME {name}", "CLIENT SETNAME name"], Refusal, "+OK");
        other.SendRaw(command[..^100]);
        _server.Settle();
        other.SendRaw(command[^100..]);
        _server.Settle();
        Assert.That(other.Replies(), Is.EqualTo(new[] { Refusal }));
        other.Close();
    }

    [Test]
    public void Many_clients_with_many_arguments_hold_little_more_than_the_limit()
    {
        const int Arguments = 60_000;
        Charge(Limits.EndBytes);
        var clients = Enumerable.Range(0, 8).Select(_ => _server.Connect()).ToList();
        clients.ForEach(client => client.SendRaw($"*{Arguments + 1}\r\n$6\r\nEXISTS\r\n"));
        var most = 0L;
        for (var sent = 0; sent < Arguments; sent += 1000)
        {
            clients.ForEach(client => client.SendRaw(string.Concat(Enumerable.Repeat("$1\r\nk\r\n", 1000))));
            _server.Settle();
            most = Math.Max(most, Budget.UsedBytes);
        }

        Assert.That(most - Limits.EndBytes, Is.LessThan(Budget.LimitBytes + (Budget.LimitBytes / 4)));
        var replies = clients.SelectMany(client => client.Replies()).ToList();
        Assert.That(replies, Has.Count.EqualTo(clients.Count).And.Contains(Refusal));
        Assert.That(replies, Has.All.EqualTo(Refusal).Or.EqualTo(":0")); // Once some are refused the others fit.
        foreach (var client in clients)
        {
            client.Expect(["PING"], "+PONG");
            client.Close();
        }
    }

    /// <summary>Of a line nobody knows how long it becomes: who sends one goes.</summary>
    [Test]
    public void Clients_with_unfinished_lines_go_when_memory_is_at_its_end()
    {
        const int LineBytes = 60_000;
        Charge(Limits.EndBytes);
        var clients = Enumerable.Range(0, 60).Select(_ => _server.Connect()).ToList();
        foreach (var client in clients)
        {
            client.SendRaw(new string('x', LineBytes));
            _server.Settle();
        }

        Assert.That(clients[0].Replies(), Is.Empty);
        Assert.That(clients[0].IsClosed, Is.False);
        Assert.That(clients[^1].Replies(), Is.EqualTo(new[] { Refusal }));
        Assert.That(clients[^1].IsClosed);
        clients.ForEach(static client => client.Close());
    }

    /// <summary>Cut at every byte around where its parts begin and end.</summary>
    [Test]
    public void What_is_refused_is_read_past_however_it_arrives([Range(0, 24)] int shift)
    {
        Charge(Room + EndBytes);
        Send($"*5\r\n$3\r\nSET\r\n$1\r\nk\r\n${TooMuch}\r\n" + new string('v', Chunk - shift));
        Send(new string('v', TooMuch - Chunk + shift) + "\r\n$2\r\nEX\r\n$3\r\n100\r\n*1\r\n$4\r\nPING\r\n", shift);
        Assert.That(_client.Replies(), Is.EqualTo(new[] { Refusal, "+PONG" }));
        _client.Expect(["EXISTS k"], ":0");
    }

    [Test]
    public void Nothing_is_evicted_for_a_value_that_can_never_fit()
    {
        _client.Expect(["SET key value"], "+OK");
        SendTooMuch((int)(Budget.LimitBytes + EndBytes) + 1);
        Assert.That(_client.Replies(), Is.EqualTo(new[] { Refusal }));
        _client.Expect(["GET key"], "$value");
    }

    [Test]
    public void What_is_refused_within_a_transaction_aborts_it()
    {
        _client.Expect(["MULTI"], "+OK");
        Charge(Room + EndBytes);
        SendTooMuch();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { Refusal }));
        _client.Expect(["EXEC"], "-EXECABORT Transaction discarded because of previous errors.");
    }

    [Test]
    public void What_is_refused_answers_nothing_where_no_reply_is_wanted()
    {
        Charge(Room + EndBytes);
        _client.Expect(["CLIENT REPLY SKIP"]);
        SendTooMuch();
        Assert.That(_client.Replies(), Is.Empty);
        _client.Expect(["PING"], "+PONG");
    }

    [Test]
    public void Commands_before_and_behind_what_is_refused_are_executed()
    {
        _client.Send("SET a 1", "INCR a");
        _server.Settle();
        Charge(Room + EndBytes);
        SendTooMuch();
        Charge(0);
        _client.Send("INCR a");
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "+OK", ":2", Refusal, ":3" }));
    }

    [Test]
    public void What_breaks_the_protocol_ends_the_connection_all_the_same()
    {
        Charge(Room + EndBytes);
        Send($"*4\r\n$3\r\nSET\r\n$1\r\nk\r\n${TooMuch}\r\n{new string('v', TooMuch)}\r\n%3\r\n");
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "-ERR Protocol error: expected '$', got '%'" }));
        Assert.That(_client.IsClosed, Is.True);
    }

    [Test]
    public void The_disk_is_named_that_cannot_be_written()
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new TurnServer(workers: 1, device: device, arguments: ["--maxmemory", "2mb"]);
        var client = server.Connect();
        device.Faults.WriteErrno = Errno.NoSpace;
        var value = new string('v', 10_000);
        for (var i = 0; client.Call($"SET {i} {value}")[0] == "+OK"; i++)
        {
            Assert.That(i, Is.LessThan(1000));
        }

        var budget = server.Server.Context.Shards.Budget;
        var end = budget.BytesBeyondLimit();
        budget.Charge(end);
        client.SendRaw($"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n${Chunk}\r\n{new string('v', Chunk / 2)}");
        server.Settle();
        client.SendRaw($"{new string('v', Chunk / 2)}\r\n");
        server.Settle();
        Assert.That(client.Replies(), Has.Count.EqualTo(1).And.All.StartsWith("-MISCONF"));
        budget.Charge(-end);
    }

    [Test]
    public void Little_is_never_refused()
    {
        Charge(Room + EndBytes);
        _client.SendRaw("*3\r\n$6\r\nEXISTS\r\n$1\r\nk\r\n$200\r\n" + new string('k', 150));
        _server.Settle();
        _client.SendRaw(new string('k', 50) + "\r\n");
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { ":0" }));
    }

    [Test]
    public void What_has_come_whole_is_refused_for_its_many_keys()
    {
        var keys = string.Concat(Enumerable.Repeat("$1\r\nk\r\n", ServerLimits.FreeArguments));
        Send($"*{ServerLimits.FreeArguments + 1}\r\n$6\r\nEXISTS\r\n{keys[..^7]}");
        Charge(Room + EndBytes - (Budget.UsedBytes - MemoryAccount.OfShards(_server.Server)));
        Send(keys[^7..]);
        Assert.That(_client.Replies(), Is.EqualTo(new[] { Refusal }));
    }

    private void SendTooMuch(int bytes = TooMuch)
        => Send($"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n${bytes}\r\n{new string('v', bytes)}\r\n");

    /// <summary>Sends in chunks, the last of which is cut once more.</summary>
    private void Send(string text, int lastBytes = 0)
    {
        for (var sent = 0; sent < text.Length;)
        {
            var left = text.Length - sent;
            var step = left <= Chunk && lastBytes > 0 && left > lastBytes ? left - lastBytes : Math.Min(left, Chunk);
            _client.SendRaw(text.Substring(sent, step));
            _server.Settle();
            sent += step;
        }
    }

    /// <summary>Has others hold so many bytes.</summary>
    private void Charge(long bytes)
    {
        Budget.Charge(bytes - _charged);
        _charged = bytes;
    }
}
