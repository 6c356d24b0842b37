using NUnit.Framework;
using Strata.Server;

namespace Strata.Tests.Server.Execution;

/// <summary>Runs whose replies are much: they are sent between commands, and the rest waits for the client to read.
/// </summary>
[TestFixture]
internal sealed class RunOutputTests
{
    private const int ValueBytes = 400_000;

    private static readonly string s_large = new('x', ValueBytes);

    [Test]
    public void Replies_do_not_gather_while_a_client_does_not_read(
        [Values(1, 2)] int workers, [Values] bool writes, [Values] bool isTaken)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var other = server.Connect();
        var keys = Enumerable.Range(0, 4).Select(shard => server.KeyOf(shard)).ToArray();
        foreach (var key in keys)
        {
            client.Expect([$"SET {key} {s_large}"], "+OK");
        }

        string[] commands =
        [
            .. Enumerable.Range(0, 40).Select(i => writes && i % 7 == 0 ? $"INCR n{i}" : $"GET {keys[i % 4]}"),
        ];
        string[] replies =
        [
            .. Enumerable.Range(0, 40).Select(i => writes && i % 7 == 0 ? ":1" : "$" + s_large),
        ];
        var shard = server.ShardOf(keys[1]);
        Assert.That(!isTaken || workers == 1 || shard.Lease.TryAcquire());
        var used = server.Server.Context.Shards.Budget.UsedBytes;
        client.Send(commands);
        server.Settle();
        if (isTaken && workers > 1)
        {
            shard.Lease.Release();
        }

        server.Settle();
        // Buffers grow by doubling: the output's, that of the run, and that of what another worker executes of it.
        var most = 2L * (ServerLimits.OutputHighWaterBytes + (2 * ServerLimits.MaxGatheredBytes) + (3 * ValueBytes));
        Assert.That(server.Server.Context.Shards.Budget.UsedBytes - used, Is.LessThan(most));
        Assert.That(server.Server.Workers.Max(worker => worker.Reply.Length), Is.Zero);
        other.Expect(["PING"], "+PONG");

        List<string> got = [];
        for (var i = 0; i < 40 && got.Count < replies.Length; i++)
        {
            got.AddRange(client.Replies());
            server.Settle();
        }

        Assert.That(got, Is.EqualTo(replies));
    }

    /// <summary>Where a run has writes, its replies are gathered first: a large one is handed on as it is.</summary>
    [Test]
    public void A_large_reply_of_a_run_takes_memory_once([Values(1, 2)] int workers, [Values] bool isTaken)
    {
        const int Bytes = 2 << 20;
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var keys = Enumerable.Range(0, 3).Select(shard => server.KeyOf(shard)).ToArray();
        var large = new string('\0', Bytes - 1) + "z";
        client.Expect([$"SETRANGE {keys[1]} {Bytes - 1} z", $"SET {keys[2]} y"], $":{Bytes}", "+OK");
        var budget = server.Server.Context.Shards.Budget;
        _ = budget.Buffers.ReleaseIdle();
        var shard = server.ShardOf(keys[1]);
        Assert.That(!isTaken || workers == 1 || shard.Lease.TryAcquire());
        var (used, most) = (budget.UsedBytes, 0L);
        client.Send("PING", $"GET {keys[1]}", $"INCR {keys[0]}", $"GET {keys[2]}", $"INCR {keys[0]}", "GET none");
        for (var i = 0; i < 20; i++)
        {
            server.Turn(i % workers);
            most = Math.Max(most, budget.UsedBytes);
        }

        if (isTaken && workers > 1)
        {
            shard.Lease.Release();
        }

        List<string> got = [];
        for (var i = 0; i < 100 && got.Count < 6; i++)
        {
            server.Settle();
            got.AddRange(client.Replies());
        }

        Assert.That(got, Is.EqualTo((string[])["+PONG", "$" + large, ":1", "$y", ":2", "nil"]));
        // It lies in the pipe to the client as well.
        Assert.That(Math.Max(most, budget.PeakBytes) - used, Is.LessThan(5 * Bytes / 2));
    }

    [Test]
    public void While_memory_is_short_nobody_is_answered_more_before_reading([Values(1, 2)] int workers)
    {
        const int Clients = 30;
        const int Commands = 30;
        using var server = new TurnServer(workers, arguments: ["--maxmemory", "64mb"]);
        var budget = server.Server.Context.Shards.Budget;
        var filler = server.Connect();
        var clients = Enumerable.Range(0, Clients).Select(_ => server.Connect()).ToList();
        var value = new string('v', 40_000);
        filler.Expect([$"SET k {value}"], "+OK");
        for (var i = 0; budget.HasRoom; i++)
        {
            filler.Expect([$"SET {i} {s_large}"], "+OK");
        }

        var used = budget.UsedBytes;
        clients.ForEach(client => client.Send([.. Enumerable.Repeat("GET k", Commands)]));
        server.Settle();
        Assert.That(budget.UsedBytes - used, Is.LessThan(Clients * (ServerLimits.OutputHighWaterBytes / 4)));

        var got = clients.ConvertAll(_ => 0);
        for (var round = 0; round < Commands; round++)
        {
            for (var i = 0; i < Clients; i++)
            {
                got[i] += clients[i].Replies().Count(reply => reply == "$" + value);
            }

            server.Settle();
        }

        Assert.That(got, Is.All.EqualTo(Commands));
    }

    [Test]
    public void What_a_client_sent_is_executed_though_it_goes_without_reading([Values(1, 2)] int workers)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var other = server.Connect();
        client.Expect([$"SET large {s_large}"], "+OK");
        client.Send([.. Enumerable.Repeat("GET large", 20), "SET last 1"]);
        server.Settle();
        other.Expect(["EXISTS last"], ":0");
        client.Close();
        server.Settle();
        other.Expect(["EXISTS last"], ":1");
    }

    [Test]
    public void A_client_that_waits_to_be_read_can_be_closed_by_another()
    {
        using var server = new TurnServer(workers: 1);
        var client = server.Connect();
        var other = server.Connect();
        client.Expect([$"SET large {s_large}", "CLIENT SETNAME reader"], "+OK", "+OK");
        client.Send([.. Enumerable.Repeat("GET large", 20), "INCR last"]);
        server.Settle();
        Assert.That(other.Call("CLIENT KILL TYPE normal", "GET last")[0], Is.EqualTo(":1"));
        server.Settle();
        other.Expect(["GET last"], "$1");
    }

    /// <summary>It is noticed between the commands of a run that the client has gone: the rest of the run is executed,
    /// and answered to nobody.</summary>
    [Test]
    public void What_is_answered_to_a_client_that_has_gone_meets_nobody_else([Values(1, 3, 64, 100)] int gets)
    {
        using var server = new TurnServer(workers: 1);
        var (gone, other) = (server.Connect(), server.Connect());
        _ = other.Call("SETRANGE large 70000 x", "SET small y");
        gone.Send([.. Enumerable.Repeat("GET large", gets), "GET small", "INCR count"]);
        gone.Close();
        server.Settle();
        other.Expect(["GET small", "PING"], "$y", "+PONG");
    }
}
