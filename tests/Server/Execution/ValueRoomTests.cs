using NUnit.Framework;
using Strata.Storage.Memory;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>Large values that a command makes of others, which may be any number of bytes: they find room before it
/// begins, or it is refused and has changed nothing.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class ValueRoomTests(int workers)
{
    private const string Refusal = "-OOM command not allowed when used memory > 'maxmemory'.";
    private const int LargeBytes = 20_000_000;
    private const int SmallerBytes = 1_000_000;
    private const int Smaller = 60;

    /// <summary>Each makes 20 MB, while all but that is held which may ever be.</summary>
    private static readonly string[] s_commands =
    [
        "COPY large new", "COPY large small REPLACE", "BITOP NOT new large", "BITOP AND new large large",
        $"SETRANGE new {LargeBytes} x", $"SETRANGE small {LargeBytes} x", $"SETBIT new {8L * LargeBytes} 1",
        $"BITFIELD small SET u8 {8L * LargeBytes} 1",
    ];

    [TestCaseSource(nameof(s_commands))]
    public void Where_nothing_may_be_given_up_it_is_refused_and_changes_nothing(string command)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var watcher = server.Connect();
        _ = client.Call($"SETRANGE large {LargeBytes} x", "SET small y");
        var budget = Limit(server, 1 << 20);
        var used = budget.UsedBytes;
        watcher.Expect(["WATCH new small large", "MULTI", "EXISTS new small large"], "+OK", "+OK", "+QUEUED");

        client.Expect([command, "GET small", "EXISTS new"], Refusal, "$y", ":0");
        client.Expect(["MULTI", command, "EXEC"], "+OK", "+QUEUED", "[-OOM]");
        client.Expect([$"STRLEN large", "DBSIZE"], $":{LargeBytes + 1}", ":2");
        watcher.Expect(["EXEC"], "[:2]");
        Assert.That(budget.UsedBytes, Is.InRange(used - 100_000, used + 100_000));
        Assert.That(budget.PeakBytes, Is.LessThan(used + LargeBytes));
        budget.LimitBytes = 0;
        Assert.That(client.Call(command)[0], Does.Not.StartWith("-"));
    }

    [TestCaseSource(nameof(s_commands))]
    public void Keys_are_given_up_for_it(string command)
    {
        using var server = new TurnServer(workers, arguments: ["--maxmemory-policy", "allkeys-lru"]);
        var client = server.Connect();
        Fill(client);
        var budget = Limit(server);
        var replies = Call(server, client, "GET small", command, "EXISTS key:0 key:1");
        Assert.That(replies[1], Does.Not.StartWith("-"));
        Assert.That(replies[2], Is.EqualTo(":0"), "the oldest went first");
        Assert.That(client.Call("STRLEN new", "STRLEN small"), Has.One.GreaterThanOrEqualTo($":{LargeBytes}"));
        Assert.That(budget.PeakBytes, Is.LessThanOrEqualTo(EndOf(budget)));
    }

    /// <summary>The next ones of the run find what the first one left.</summary>
    [Test]
    public void Keys_are_given_up_for_each_command_of_a_run()
    {
        const int Commands = 6;
        using var server = new TurnServer(workers, arguments: ["--maxmemory-policy", "allkeys-lru"]);
        var client = server.Connect();
        Fill(client);
        var budget = Limit(server);
        var replies = Call(
            server, client, [.. Enumerable.Range(0, Commands).Select(i => $"SETRANGE new:{i} {LargeBytes} x")]);
        Assert.That(replies, Has.All.EqualTo($":{LargeBytes + 1}"));
        Assert.That(budget.PeakBytes, Is.LessThanOrEqualTo(EndOf(budget)));
    }

    /// <summary>It is packed, and made again of that.</summary>
    [Test]
    public void A_large_collection_is_not_made_elsewhere_without_room([Values("COPY", "RENAME")] string verb)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var target = server.KeyOf((server.ShardOf("list").Number + 1) % 4);
        var element = new string('e', 50_000);
        for (var i = 0; i < 300; i++)
        {
            client.Expect([$"RPUSH list {element}"], $":{i + 1}");
        }

        var watcher = server.Connect();
        watcher.Expect([$"WATCH list {target}", "MULTI", "EXISTS list"], "+OK", "+OK", "+QUEUED");
        var budget = Limit(server, 1 << 20);
        client.Expect([$"{verb} list {target}", "LLEN list", $"EXISTS {target}"], Refusal, ":300", ":0");
        watcher.Expect(["EXEC"], "[:1]");
        budget.LimitBytes = 0;
        Assert.That(Call(server, client, $"{verb} list {target}", $"LLEN {target}")[1], Is.EqualTo(":300"));
    }

    /// <summary>How large it becomes is found out while it is made.</summary>
    [TestCase("SADD", "SUNIONSTORE new one two")]
    [TestCase("SADD", "SUNION one two")]
    [TestCase("SADD", "SINTERSTORE new one")]
    [TestCase("ZADD", "ZUNIONSTORE new 2 one two")]
    [TestCase("ZADD", "ZUNION 2 one two")]
    [TestCase("ZADD", "ZRANGESTORE new one 0 -1")]
    [TestCase("SADD", "SORT one BY nosort GET # GET # GET # STORE new")]
    public void A_large_result_is_not_made_without_room(string verb, string command)
    {
        const int Elements = 300;
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var score = verb == "ZADD" ? "1 " : "";
        for (var i = 0; i < Elements; i++)
        {
            var element = $"{i}:{new string('e', 60_000)}";
            client.Expect([$"{verb} one {score}1{element}", $"{verb} two {score}2{element}"], ":1", ":1");
        }

        var watcher = server.Connect();
        watcher.Expect(["WATCH new one two", "MULTI", "EXISTS one new"], "+OK", "+OK", "+QUEUED");
        _ = server.Server.Context.Shards.Budget.Buffers.ReleaseIdle();
        var budget = Limit(server, 1 << 20);
        var used = budget.UsedBytes - budget.RetiredBytes;
        Assert.That(Call(server, client, command, "EXISTS new one two"), Is.EqualTo(new[] { Refusal, ":2" }));
        watcher.Expect(["EXEC"], "[:1]");
        Assert.That(budget.UsedBytes - budget.RetiredBytes, Is.InRange(used - 200_000, used + 200_000));
        Assert.That(budget.PeakBytes, Is.LessThan(EndOf(budget)));
        budget.LimitBytes = 0;
        Assert.That(Call(server, client, command)[0], Does.Not.StartWith("-"));
    }

    /// <summary>What can never be had is not made by giving up all that there is.</summary>
    [TestCase("SETRANGE new 500000000 x")]
    [TestCase("COPY large new")]
    [TestCase("BITOP OR new large key:1")]
    public void Nothing_is_given_up_in_vain(string command)
    {
        using var server = new TurnServer(workers, arguments: ["--maxmemory-policy", "allkeys-lru"]);
        var client = server.Connect();
        _ = client.Call("SET key:0 y", "SETRANGE key:1 10 x", "SETRANGE large 30000000 x");
        _ = Limit(server, 1 << 20);
        client.Expect([command, "EXISTS key:0 key:1 large new"], Refusal, ":3");
    }

    /// <summary>Of a client that has gone what changes something is executed all the same.</summary>
    [Test]
    public void Keys_are_given_up_for_a_client_that_has_gone()
    {
        using var server = new TurnServer(workers, arguments: ["--maxmemory-policy", "allkeys-lru"]);
        var (client, other) = (server.Connect(), server.Connect());
        Fill(client);
        var budget = Limit(server);
        client.Send("COPY large new", $"SETRANGE other {LargeBytes} x");
        client.Close();
        var replies = new List<string>();
        for (var i = 0; i < 100 && (replies.Count == 0 || replies[^1] == ":0"); i++)
        {
            server.Clock.AdvanceMs(10);
            replies.AddRange(other.Call("STRLEN other"));
        }

        other.Expect(["STRLEN new", "STRLEN other"], $":{LargeBytes + 1}", $":{LargeBytes + 1}");
        Assert.That(budget.PeakBytes, Is.LessThanOrEqualTo(EndOf(budget)));
    }

    /// <summary>What is needed twice at a time finds half of the memory.</summary>
    [Test]
    public void On_a_tier_others_leave_memory_for_it()
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 22);
        using var server = new TurnServer(workers, null, device, "--maxmemory", "64mb");
        var client = server.Connect();
        for (var i = 0; i < 4; i++)
        {
            _ = Call(server, client, $"SETRANGE large:{i} {LargeBytes} {i}", $"SETRANGE large:{i} 0 {i}");
        }

        Assert.That(Call(server, client, "COPY large:0 copy:0", "COPY large:1 copy:1", "BITOP NOT not large:2"),
            Is.EqualTo(new[] { ":1", ":1", $":{LargeBytes + 1}" }));
        Assert.That(
            Call(server, client, "SETRANGE vast 40000000 x", "COPY vast new", "EXISTS vast new", "GETRANGE copy:1 0 1"),
            Is.EqualTo(new[] { ":40000001", Refusal, ":1", "$1\0" }));
        Assert.That(Call(server, client, $"GETRANGE copy:1 {LargeBytes} -1"), Is.EqualTo(new[] { "$1" }));
    }

    private static void Fill(TurnClient client)
    {
        _ = client.Call([.. Enumerable.Range(0, Smaller).Select(i => $"SETRANGE key:{i} {SmallerBytes} x")]);
        _ = client.Call($"SETRANGE large {LargeBytes} x", "SET small y");
    }

    /// <summary>From here on only so much more may be held than is.</summary>
    private static MemoryBudget Limit(TurnServer server, long moreBytes = 0)
    {
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes + moreBytes;
        return budget;
    }

    private static long EndOf(MemoryBudget budget)
        => budget.LimitBytes + budget.BytesBeyondLimit();

    /// <summary>Sends commands, and lets time pass until all have been answered.</summary>
    private static List<string> Call(TurnServer server, TurnClient client, params string[] commands)
    {
        var replies = client.Call(commands).ToList();
        for (var i = 0; i < 2000 && replies.Count < commands.Length && !client.IsClosed; i++)
        {
            server.Clock.AdvanceMs(10);
            server.Settle();
            replies.AddRange(client.Replies());
        }

        return replies;
    }
}
