using NUnit.Framework;
using Strata.Server.Execution;
using Strata.Storage.Sharding;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands outside of runs that wait: they are kept, and executed once.</summary>
[TestFixture]
internal sealed class SuspendedCommandTests
{
    private int _calls;

    [SetUp]
    public void SetUp() => _calls = 0;

    [Test]
    public void A_command_that_waits_has_left_the_input()
    {
        using var server = new TurnServer(workers: 2);
        var (client, other) = (server.Connect(), server.Connect());
        var taken = TakeShard(server);
        client.Send($"MSET {server.KeyOf(3)} {new string('x', 1000)} {server.KeyOf(0)} y", "PING");
        server.Settle();

        Assert.That(Suspended(server), Is.EqualTo(1));
        Assert.That(other.Call("CLIENT LIST")[0], Does.Contain("cmd=mset").And.Contain("qbuf=14 "), "PING is left");
        taken.Lease.Release();
        server.Settle();

        Assert.That(client.Replies(), Is.EqualTo(new[] { "+OK", "+PONG" }));
        Assert.That(Suspended(server), Is.Zero);
    }

    [Test]
    public void The_memory_of_a_command_that_waits_is_charged()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var budget = server.Server.Context.Shards.Budget;
        var taken = TakeShard(server);
        var before = budget.UsedBytes;
        client.Send($"MGET {server.KeyOf(3)} {new string('x', 1000)}");
        server.Settle();

        const int Kept = SuspendedCommand.ManagedBytes;
        Assert.That(budget.UsedBytes - before, Is.InRange(1000 + Kept, 1200 + Kept));
        taken.Lease.Release();
        server.Settle();

        Assert.That(client.Replies(), Is.EqualTo(new[] { "[nil nil]" }));
        Assert.That(budget.UsedBytes, Is.EqualTo(before + Kept), "it is kept for use again");
    }

    [TestCase("MSET {0} 1 {1} 2", "mset", 1)]
    [TestCase("MULTI|SET {0} 1|SET {1} 2|EXEC", "set", 2)]
    [TestCase("RPOPLPUSH {0} {1}", "rpoplpush", 1)]
    [TestCase("MGET {0} {1}", "mget", 0)]
    [TestCase("BLMOVE {0} {1} LEFT LEFT 0", "blmove", 0)]
    public void Of_a_client_that_has_gone_only_what_changes_something_and_gives_nothing_is_executed(
        string commands, string verb, int calls)
    {
        using var server = new TurnServer(2, row => row.Name != verb ? row : row.With(context =>
        {
            _calls++;
            row.Handler(context);
        }));
        var (client, other) = (server.Connect(), server.Connect());
        var id = client.Call("CLIENT ID")[0][1..];
        var taken = TakeShard(server);
        client.Send(string.Format(null, commands, server.KeyOf(3), server.KeyOf(0)).Split('|'));
        server.Settle();
        other.Expect([$"CLIENT KILL ID {id}"], ":1");
        Assert.That(_calls, Is.Zero);
        Assert.That(Suspended(server), Is.EqualTo(1));

        taken.Lease.Release();
        server.Settle();

        Assert.That(_calls, Is.EqualTo(calls));
        Assert.That(Suspended(server), Is.Zero);
    }

    [Test]
    public void A_client_that_has_gone_watches_nothing()
    {
        using var server = new TurnServer(workers: 2);
        var (client, other) = (server.Connect(), server.Connect());
        var id = client.Call("CLIENT ID")[0][1..];
        var taken = TakeShard(server);
        client.Send($"WATCH {server.KeyOf(3)} {server.KeyOf(0)}");
        server.Settle();
        other.Expect([$"CLIENT KILL ID {id}"], ":1");
        taken.Lease.Release();
        server.Settle();

        Assert.That(server.Server.Context.Shards.All.ToArray().Sum(shard => shard.Watches.Count), Is.Zero);
    }

    [Test]
    public void A_client_that_has_gone_is_told_nothing()
    {
        using var server = new TurnServer(workers: 2);
        var (client, other) = (server.Connect(), server.Connect());
        var id = client.Call("CLIENT ID")[0][1..];
        var taken = TakeShard(server);
        client.Send("MULTI", $"SET {server.KeyOf(3)} x", "SUBSCRIBE channel", "MONITOR", "EXEC");
        server.Settle();
        other.Expect([$"CLIENT KILL ID {id}"], ":1");
        taken.Lease.Release();
        server.Settle();

        other.Expect([$"GET {server.KeyOf(3)}", "PUBSUB NUMSUB channel"], "$x", "[$channel :0]");
        Assert.That(server.Server.Workers.Any(worker => worker.Gates.AreActive), Is.False);
    }

    [TestCase("CLIENT REPLY SKIP", "", "+PONG")]
    [TestCase("CLIENT REPLY OFF", "CLIENT REPLY ON", "+OK +PONG")]
    public void The_reply_of_a_command_that_waited_is_not_sent_to_who_does_not_want_it(
        string before, string after, string replies)
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var taken = TakeShard(server);
        client.Send(before, $"MSET {server.KeyOf(3)} x {server.KeyOf(0)} y");
        client.Send(after.Length == 0 ? ["PING"] : [after, "PING"]);
        server.Settle();
        taken.Lease.Release();
        server.Settle();

        Assert.That(string.Join(' ', client.Replies()), Is.EqualTo(replies));
        client.Expect([$"GET {server.KeyOf(3)}"], "$x");
    }

    [Test]
    public void A_blocked_command_that_waits_for_a_lease_first_is_watched_for_the_end_of_its_client()
    {
        using var server = new TurnServer(workers: 2);
        var client = server.Connect();
        var taken = TakeShard(server);
        client.Send($"BLPOP {server.KeyOf(3)} {server.KeyOf(0)} 0");
        server.Settle();
        taken.Lease.Release();
        server.Settle();
        Assert.That(server.Server.Workers.Sum(worker => worker.Blocked.Count), Is.EqualTo(1));

        client.Close();
        server.Settle();

        Assert.That(server.Server.Workers.Sum(worker => worker.Blocked.Count), Is.Zero);
        Assert.That(Suspended(server), Is.Zero);
    }

    [Test]
    public void A_blocked_command_whose_time_is_up_is_answered_though_memory_is_short()
    {
        using var server = new TurnServer(workers: 2, arguments: ["--maxmemory-policy", "noeviction"]);
        var (client, other) = (server.Connect(), server.Connect());
        client.Send($"BLMOVE {server.KeyOf(3)} {server.KeyOf(0)} LEFT LEFT 1");
        server.Settle();
        other.Expect(["DEBUG SMALL-MAXMEMORY 1", "CONFIG SET maxmemory 1"], "+OK", "+OK");
        server.Clock.AdvanceMs(2000);
        server.Settle();

        Assert.That(client.Replies(), Is.EqualTo(new[] { "nil" }));
        Assert.That(server.Server.Workers.Sum(worker => worker.Blocked.Count), Is.Zero);
    }

    [Test]
    public void A_blocked_command_is_served_though_memory_is_short()
    {
        using var server = new TurnServer(workers: 2, arguments: ["--maxmemory-policy", "noeviction"]);
        var (client, other) = (server.Connect(), server.Connect());
        client.Send($"BLMOVE {server.KeyOf(3)} {server.KeyOf(0)} LEFT LEFT 0");
        server.Settle();
        other.Expect(["DEBUG SMALL-MAXMEMORY 1"], "+OK");
        other.Expect(
            ["MULTI", $"RPUSH {server.KeyOf(3)} x", "CONFIG SET maxmemory 1", "EXEC"],
            "+OK", "+QUEUED", "+QUEUED", "[:1 +OK]");

        Assert.That(client.Replies(), Is.EqualTo(new[] { "$x" }));
        Assert.That(server.Server.Workers.Sum(worker => worker.Blocked.Count), Is.Zero);
    }

    [Test]
    public void A_blocked_command_that_fails_waits_for_its_keys_no_more()
    {
        using var server = new TurnServer(2, row => row.Name != "blpop" ? row : row.With(context =>
        {
            if (++_calls == 2)
            {
                throw new InvalidOperationException("the handler fails");
            }

            row.Handler(context);
        }));
        var (client, other) = (server.Connect(), server.Connect());
        var (first, second) = (server.KeyOf(3), server.KeyOf(0));
        client.Send($"BLPOP {first} 0");
        server.Settle();
        other.Expect([$"RPUSH {first} x"], ":1");
        Assert.That(client.Replies(), Is.EqualTo(new[] { "-ERR internal error: the server's log says more" }));
        Assert.That(server.Server.Workers.Sum(worker => worker.Blocked.Count), Is.Zero);
        other.Expect([$"LLEN {first}"], ":1");

        client.Send($"BLPOP {second} 0");
        server.Settle();
        other.Expect([$"RPUSH {second} y"], ":1");
        Assert.That(client.Replies(), Is.EqualTo(new[] { $"[${second} $y]" }));
    }

    private static Shard TakeShard(TurnServer server)
    {
        var shard = server.Server.Context.Shards[3];
        Assert.That(shard.Lease.TryAcquire());
        return shard;
    }

    private static int Suspended(TurnServer server) => server.Server.Workers.Sum(worker => worker.Lone.Suspended.Lent);
}
