using NUnit.Framework;
using Strata.Storage;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands that need several leases, of which one or another is always taken when they try.</summary>
[TestFixture]
internal sealed class LeaseReservationTests
{
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;
    private int _held;

    [SetUp]
    public void SetUp()
    {
        _server = new TurnServer(workers: 2);
        _client = _server.Connect();
        _other = _server.Connect();
        _held = 0;
    }

    [TearDown]
    public void TearDown() => _server.Dispose();

    [Test]
    public void A_command_of_several_shards_comes_to_its_turn_though_they_are_always_busy()
    {
        StarveUntilReserved($"MSET {Key(0)} a {Key(3)} b");
        _other.Send($"GET {Key(0)}", $"SET {Key(0)} c");
        _server.Settle();
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "nil" }), "what changes something does not come between");

        ReleaseHeld();

        Assert.That(_client.Replies(), Is.EqualTo(new[] { "+OK" }));
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "+OK" }), "but behind");
        _other.Expect([$"MGET {Key(0)} {Key(3)}"], "[$c $b]");
        AssertAllFree();
    }

    [Test]
    public void A_transaction_does_too()
    {
        StarveUntilReserved("MULTI", $"INCR {Key(0)}", $"INCR {Key(3)}", "EXEC");
        ReleaseHeld();
        Assert.That(_client.Replies()[^1], Is.EqualTo("[:1 :1]"));
        AssertAllFree();
    }

    [Test]
    public void A_script_does_too_and_takes_more_than_it_has_reserved()
    {
        const string Script = "redis.call('INCR', ({KEYS[1]})[1]) return redis.call('INCR', ARGV[1])";
        _client.SendRaw($"*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n${Script.Length}\r\n{Script}\r\n");
        _server.Settle();
        var evalSha = $"EVALSHA {_client.Replies()[0][1..]} 2 {Key(0)} {Key(3)}";
        _client.Expect([$"{evalSha} {Key(0)}"], ":2");
        StarveUntilReserved($"{evalSha} {Key(1)}");
        ReleaseHeld();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { ":1" }));
        Assert.That(_server.Server.Context.Shards.Escalation.TryAcquire());
        _server.Server.Context.Shards.Escalation.Release();
        AssertAllFree();
    }

    [Test]
    public void What_a_client_that_has_gone_had_reserved_is_free_again()
    {
        StarveUntilReserved($"SINTER {Key(0)} {Key(3)}");
        _client.Close();
        ReleaseHeld();
        _other.Expect([$"MSET {Key(0)} a {Key(3)} b"], "+OK");
        AssertAllFree();
    }

    [Test]
    public void Others_that_starve_meanwhile_have_their_turn_next()
    {
        StarveUntilReserved($"MSET {Key(0)} a {Key(3)} b");
        _other.Send($"MSET {Key(0)} c {Key(3)} d");
        _server.Settle();
        ReleaseHeld();
        Assert.That((_client.Replies()[0], _other.Replies()[0]), Is.EqualTo(("+OK", "+OK")));
        _other.Expect([$"MGET {Key(0)} {Key(3)}"], "[$c $d]");
        AssertAllFree();
    }

    /// <summary>Those who could make room may need the leases.</summary>
    [Test]
    public void Nothing_is_reserved_while_the_command_waits_for_memory()
    {
        const long Bytes = 100 << 20;
        var budget = _server.Server.Context.Shards.Budget;
        StarveUntilReserved($"MSET {Key(0)} a {Key(3)} b");
        budget.Charge(Bytes);
        budget.Retire(Bytes);
        budget.LimitBytes = Bytes / 2;
        ReleaseHeld();
        Assert.That(_client.Replies(), Is.Empty, "what was given up must become free first");
        _other.Expect([$"DEL {Key(0)}", $"DEL {Key(3)}"], ":0", ":0");
        AssertAllFree();

        budget.Retire(-Bytes);
        budget.Charge(-Bytes);
        _server.Clock.AdvanceMs(1000);
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "+OK" }));
        AssertAllFree();
    }

    /// <summary>Sends commands, and takes the other one of two leases whenever the last of them is about to find the
    /// first one free.</summary>
    private void StarveUntilReserved(params string[] commands)
    {
        var shards = _server.Server.Context.Shards;
        Assert.That(shards[_held].Lease.TryAcquire());
        _client.Send(commands);
        for (var i = 0; i <= Limits.LeaseWaitsBeforeReserving + 1; i++)
        {
            _server.Settle();
            var next = 3 - _held;
            if (!shards[next].Lease.TryAcquire())
            {
                Assert.That(i, Is.GreaterThanOrEqualTo(Limits.LeaseWaitsBeforeReserving));
                return;
            }

            shards[_held].Lease.Release();
            _held = next;
        }

        Assert.Fail("nothing is reserved");
    }

    private void ReleaseHeld()
    {
        _server.Server.Context.Shards[_held].Lease.Release();
        _server.Settle();
    }

    private void AssertAllFree()
    {
        foreach (var shard in _server.Server.Context.Shards.All)
        {
            Assert.That(shard.Lease.TryAcquire(), $"{shard.Number}");
            shard.Lease.Release();
        }
    }

    private string Key(int shard) => _server.KeyOf(shard);
}
