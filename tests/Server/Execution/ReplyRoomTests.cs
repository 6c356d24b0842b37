using NUnit.Framework;
using Strata.Storage;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>Replies for which there is no room: since they are longer than a worker's buffer may become, which is made
/// small for it (whoever asked for them goes, and nothing of it meets the worker's other clients), or since memory is
/// at its end.</summary>
[TestFixture]
internal sealed class ReplyRoomTests
{
    private const int MostBytes = 80 << 10;

    private static readonly string s_large = new('x', MostBytes * 3 / 4);

    [Test]
    public void A_transaction_without_room_for_all_its_errors_leaves_nothing_behind([Values(1, 2)] int workers)
    {
        const int Gets = 3_000; // Of 40 bytes of error and more: together more than is kept for errors.
        using var server = NewServer(workers);
        var client = server.Connect();
        client.Expect([$"SET large {s_large}", "SET small y"], "+OK", "+OK");
        var replies = client.Call(["MULTI", "INCR count", .. Enumerable.Repeat("GET large", Gets), "EXEC"]);
        Assert.That(replies[^1], Does.StartWith("-OOM"));
        client.Expect(["EXEC", "GET count"], "-ERR EXEC without MULTI", "$1");

        for (var i = 0; i < 2 * workers; i++)
        {
            var other = server.Connect();
            other.Expect(["MULTI", "GET small", "GET none", "EXEC"], "+OK", "+QUEUED", "+QUEUED", "[$y nil]");
            other.Expect([.. Enumerable.Repeat("GET small", 100)], [.. Enumerable.Repeat("$y", 100)]);
        }
    }

    [Test]
    public void A_run_that_waited_and_finds_no_room_leaves_nothing_behind()
    {
        using var server = NewServer(workers: 2);
        var clients = Enumerable.Range(0, 4).Select(_ => server.Connect()).ToList();
        var shard = server.ShardOf("large");
        clients[0].Expect([$"SET large {s_large}", "SET small y"], "+OK", "+OK");
        Assert.That(shard.Lease.TryAcquire());
        clients[0].Send([.. Enumerable.Repeat("GET large", 60)]);
        server.Settle();
        shard.Lease.Release();
        server.Settle();
        _ = clients[0].Replies();
        Assert.That(clients[0].IsClosed);

        foreach (var client in clients.Skip(1))
        {
            for (var i = 0; i < 3; i++)
            {
                client.Expect([.. Enumerable.Repeat("GET small", 60)], [.. Enumerable.Repeat("$y", 60)]);
            }
        }
    }

    /// <summary>Where keys were given up, or may not be, and memory is held by what clients do not read.</summary>
    [Test]
    public void Who_only_reads_is_refused_a_large_reply_when_memory_is_at_its_end([Values(1, 2)] int workers)
    {
        const string Refusal = "-OOM command not allowed: there is no memory for its reply";
        using var server = new TurnServer(workers);
        var client = server.Connect();
        _ = client.Call("SETRANGE large 2000000 x", "LPUSH list a", "SET small y");
        var transaction = server.Connect();
        transaction.Expect(["MULTI", "GET small", "GET large"], "+OK", "+QUEUED", "+QUEUED");
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        var end = budget.BytesBeyondLimit();
        budget.Charge(end);

        client.Expect(["GET large", "GET small", "MGET small large"], Refusal, "$y", Refusal);
        transaction.Expect(["EXEC"], "[$y -OOM]");
        Assert.That(client.Call("GETDEL large")[0], Has.Length.EqualTo(2_000_002), "what is taken is not lost");
        budget.Charge(-end);
    }

    /// <summary>It is answered before the change. Who gives the value up by it is not refused.</summary>
    [TestCase("GETEX large EX 100")]
    [TestCase("GETSET large y")]
    [TestCase("SET large y EX 100 GET")]
    public void Who_answers_a_large_value_and_keeps_the_key_is_refused_and_changes_nothing(string command)
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        _ = client.Call("SETRANGE large 20000000 x");
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes + (1 << 20); // What may be held beyond is less than the value.
        client.Expect(
            [command, "STRLEN large", "TTL large"],
            "-OOM command not allowed: there is no memory for its reply", ":20000001", ":-1");
        Assert.That(budget.PeakBytes, Is.LessThan(budget.LimitBytes + 20_000_000));
        budget.LimitBytes = 0;
        Assert.That(client.Call(command)[0], Has.Length.EqualTo(20_000_002));
    }

    /// <summary>One whose reply is broken off is tried again when keys were given up for it.</summary>
    [TestCase("GETEX large")]
    [TestCase("GET large")]
    [TestCase("MGET small large")]
    [TestCase("LRANGE list 0 -1")]
    public void Keys_are_given_up_for_a_large_reply(string command)
    {
        for (var workers = 1; workers <= 2; workers++)
        {
            using var server = new TurnServer(workers, arguments: ["--maxmemory-policy", "allkeys-lru"]);
            var client = server.Connect();
            _ = client.Call([.. Enumerable.Range(0, 60).Select(i => $"SETRANGE key:{i} 1000000 x")]);
            _ = client.Call("SET small y", "SETRANGE large 2000000 x");
            for (var i = 0; i < 40; i++)
            {
                _ = client.Call($"RPUSH list {s_large}");
            }

            var budget = server.Server.Context.Shards.Budget;
            budget.LimitBytes = budget.UsedBytes;
            var end = budget.BytesBeyondLimit();
            budget.Charge(end);

            var replies = client.Call("GET small", command, "GET small").ToList();
            while (replies.Count < 3 && !client.IsClosed)
            {
                server.Settle();
                replies.AddRange(client.Replies());
            }

            Assert.That(replies[0], Is.EqualTo("$y"));
            Assert.That(replies[1], Has.Length.GreaterThan(2_000_000));
            Assert.That(replies[2], Is.EqualTo("$y"));
            Assert.That(client.Call("EXISTS key:0")[0], Is.EqualTo(":0"), "the oldest went first");
            var held = budget.UsedBytes - budget.RetiredBytes - budget.Buffers.IdleBytes;
            Assert.That(held, Is.LessThanOrEqualTo(budget.LimitBytes));
            budget.Charge(-end);
        }
    }

    /// <summary>Each of a run's commands is tried anew, however often those before it were.</summary>
    [Test]
    public void Keys_are_given_up_for_each_large_reply_of_a_run([Values(1, 2)] int workers)
    {
        const int Gets = 8;
        using var server = new TurnServer(workers, arguments: ["--maxmemory-policy", "volatile-lru"]);
        var (reader, other) = (server.Connect(), server.Connect());
        string[] fill =
        [
            .. Enumerable.Range(0, 60).Select(i => $"SETRANGE key:{i} 1000000 x"),
            .. Enumerable.Range(0, 60).Select(i => $"EXPIRE key:{i} 1000"),
        ];
        _ = other.Call(fill);
        _ = other.Call("SETRANGE large 4000000 x");
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes + (1 << 20); // What commands take that wait is not to push keys out.
        var replies = new List<string>();
        var charged = 0L;
        for (var i = 0; i < 20 * Gets && replies.Count < Gets && !reader.IsClosed; i++)
        {
            // Others take what was made for the reply before, and what it leaves.
            budget.Charge(-charged);
            budget.Buffers.ReleaseIdle();
            _ = other.Call(fill);
            var end = budget.LimitBytes + budget.BytesBeyondLimit();
            charged = end + (8 << 20) - (budget.UsedBytes - budget.RetiredBytes);
            budget.Charge(charged);
            reader.Send(i == 0 ? [.. Enumerable.Repeat("GET large", Gets)] : []);
            replies.AddRange(reader.Replies());
            server.Settle();
        }

        Assert.That(replies, Has.Count.EqualTo(Gets));
        Assert.That(replies.Select(reply => reply.Length), Has.All.EqualTo(4_000_002));
        budget.Charge(-charged);
    }

    /// <summary>It is written when all workers were asked, whatever has been executed meanwhile.</summary>
    [Test]
    public void A_large_answer_of_all_workers_is_refused_at_the_end_of_memory(
        [Values(1, 2)] int workers, [Values("STRLEN k", "DEL k")] string before)
    {
        using var server = new TurnServer(workers);
        var name = new string('n', 16_000);
        for (var i = 0; i < 42; i++)
        {
            server.Connect().Expect(
                [$"CLIENT SETNAME {name}", $"CLIENT SETINFO LIB-NAME {name}", $"CLIENT SETINFO LIB-VER {name}"],
                "+OK", "+OK", "+OK");
        }

        var client = server.Connect();
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        var charged = budget.BytesBeyondLimit() - (1 << 20);
        budget.Charge(charged);
        var replies = client.Call(before, "CLIENT LIST", "PING");
        Assert.That(replies, Is.EqualTo(
            new[] { ":0", "-OOM command not allowed: there is no memory for its reply", "+PONG" }));
        budget.Charge(-charged);
        Assert.That(client.Call("CLIENT LIST").Single(), Has.Length.GreaterThan(2_000_000));
    }

    /// <summary>What is asked for one client's reply is not the end of memory for the others.</summary>
    [Test]
    public void Who_reads_stays_while_room_is_made_for_the_reply_of_another()
    {
        using var server = new TurnServer(workers: 1, arguments: ["--maxmemory-policy", "allkeys-lru"]);
        var (asker, reader) = (server.Connect(), server.Connect());
        _ = asker.Call([.. Enumerable.Range(0, 60).Select(i => $"SETRANGE key:{i} 1000000 x")]);
        _ = asker.Call("SETRANGE large 4000000 x", "SETRANGE value 20000 x");
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        var nearEnd = budget.BytesBeyondLimit() - (2 << 20);
        budget.Charge(nearEnd);

        // So much has been given up and is not free yet that who wants more has to wait.
        var retired = budget.LimitBytes / 4;
        budget.Charge(retired);
        budget.Retire(retired);
        Assert.That(asker.Call("GET large"), Is.Empty);
        reader.Send([.. Enumerable.Repeat("GET value", 60)]);
        var replies = new List<string>();
        for (var i = 0; i < 60 && !reader.IsClosed; i++)
        {
            server.Settle();
            replies.AddRange(reader.Replies());
        }

        Assert.That(replies, Has.Count.EqualTo(60));
        budget.Retire(-retired);
        budget.Charge(-retired);
        for (var i = 0; i < 60 && replies.Count == 60; i++)
        {
            server.Clock.AdvanceMs(10);
            server.Settle();
            replies.AddRange(asker.Replies());
        }

        Assert.That(replies[^1].Length, Is.EqualTo(4_000_002));
        budget.Charge(-nearEnd);
    }

    /// <summary>Each of many clients may have a run that waits.</summary>
    [Test]
    public void While_memory_is_short_replies_of_a_run_that_waits_do_not_gather()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var shard = server.ShardOf("taken");
        var free = server.KeyOf((shard.Number + 1) % 4);
        _ = client.Call("SET taken y", $"SETRANGE {free} 20000 x");
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        var over = (budget.LimitBytes / Limits.EndShare) + (Limits.EndBytes / 2);
        budget.Charge(over);
        Assert.That(shard.Lease.TryAcquire());
        var before = budget.UsedBytes;
        client.Send(["GET taken", .. Enumerable.Repeat($"GET {free}", 50)]);
        server.Settle();
        Assert.That(budget.UsedBytes - before, Is.LessThan(100_000), "50 replies of 20 KB wait for the first");
        shard.Lease.Release();
        var replies = new List<string>();
        for (var i = 0; i < 60; i++)
        {
            server.Settle();
            replies.AddRange(client.Replies());
        }

        Assert.That(replies, Has.Count.EqualTo(51));
        Assert.That(replies[0], Is.EqualTo("$y"));
        Assert.That(replies.Skip(1).Select(reply => reply.Length), Has.All.EqualTo(20_002));
        budget.Charge(-over);
    }

    [Test]
    public void A_run_that_is_left_to_others_again_and_again_holds_no_memory_for_it()
    {
        using var server = new TurnServer(workers: 2, arguments: ["--maxmemory-policy", "volatile-lru"]);
        var client = server.Connect();
        for (var i = 0; i < 40; i++)
        {
            _ = client.Call($"RPUSH list {s_large}");
        }

        var shard = server.ShardOf("list");
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        var end = budget.BytesBeyondLimit();
        budget.Charge(end);
        Assert.That(shard.Lease.TryAcquire());
        client.Send("LRANGE list 0 -1");
        server.Settle();
        var before = budget.UsedBytes;
        for (var i = 0; i < 20; i++)
        {
            shard.Lease.Release();
            Assert.That(shard.Lease.TryAcquire());
            server.Settle();
        }

        Assert.That(budget.UsedBytes - before, Is.LessThan(1 << 20));
        budget.Charge(-end);
        shard.Lease.Release();
        server.Settle();
        Assert.That(client.Replies().Single(), Has.Length.GreaterThan(40 * s_large.Length));
    }

    [Test]
    public void Who_does_not_read_replies_goes_when_memory_is_at_its_end()
    {
        using var server = new TurnServer(workers: 1);
        var (reader, other) = (server.Connect(), server.Connect());
        _ = other.Call("SETRANGE value 20000 x");
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        var end = budget.BytesBeyondLimit();
        budget.Charge(end);
        reader.Send([.. Enumerable.Repeat("GET value", 1_000)]);
        server.Settle();
        Assert.That(reader.Replies(), Has.Count.LessThan(1_000));
        Assert.That(reader.IsClosed);
        Assert.That(other.Call("GET value")[0], Has.Length.EqualTo(20_002), "who reads is answered");
        budget.Charge(-end);
    }

    [Test]
    public void Who_is_sent_more_and_does_not_read_goes_when_memory_is_at_its_end()
    {
        using var server = new TurnServer(workers: 1);
        var (subscriber, publisher) = (server.Connect(), server.Connect());
        _ = subscriber.Call("SUBSCRIBE channel");
        var budget = server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        var end = budget.BytesBeyondLimit();
        budget.Charge(end);
        var replies = new List<string>();
        for (var i = 0; i < 100; i++)
        {
            replies.AddRange(publisher.Call($"PUBLISH channel {new string('m', 2000)}"));
        }

        Assert.That(replies[..30], Has.All.EqualTo(":1"), "it may be that he reads soon");
        Assert.That(replies[^1], Is.EqualTo(":0"));
        budget.Charge(-end);
    }

    private static TurnServer NewServer(int workers)
    {
        var server = new TurnServer(workers);
        foreach (var worker in server.Server.Workers)
        {
            worker.Reply.MostBytes = MostBytes;
        }

        return server;
    }
}
