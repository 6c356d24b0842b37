using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Storage.Leases;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Journal;

/// <summary>What the journal is told of scripts that are executed where their command was read: of each what it has
/// done, whole, in the order in which it was done.</summary>
[TestFixture(1)]
[TestFixture(3)]
internal sealed class ScriptEffectsTests(int workers)
{
    private const string Limiter =
        "local n = redis.call('INCR', KEYS[1]) redis.call('PEXPIRE', KEYS[1], 1000) redis.pcall('LPUSH', KEYS[1], 1) "
        + "return n + tonumber(ARGV[1] or 0)";

    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private EffectLog _log = null!;
    private string _limit = "";
    private int _long;

    [SetUp]
    public void StartServer()
    {
        _long = 0;
        _server = new TurnServer(workers, row =>
        {
            var handler = row.Handler;
            return row.Name != "evalsha" ? row : row.With(context =>
            {
                _long++;
                handler(context);
            });
        });
        _client = _server.Connect();
        _log = new EffectLog(_server);
        _client.SendRaw($"SCRIPT LOAD \"{Limiter}\"\r\n");
        _server.Settle();
        _limit = $"EVALSHA {_client.Replies()[0][1..]} 1";
        _ = _client.Call($"{_limit} first", $"{_limit} second"); // From here on it is known to keep to its keys.
        _ = _log.Take();
        _long = 0;
    }

    [TearDown]
    public void StopServer()
    {
        _log.Dispose();
        _server.Dispose();
    }

    [Test]
    public void Each_is_told_whole_and_in_its_turn()
    {
        _client.Expect(
            [$"{_limit} a", $"{_limit} a 10", "SET b 1", $"{_limit} b", "SELECT 1", $"{_limit} a"],
            ":1", ":12", "+OK", ":2", "+OK", ":1");
        Assert.That(_long, Is.Zero, "no handler was called for them");
        Assert.That(Told(), Is.EqualTo((string[])
            [.. Done("a"), .. Done("a"), "SET b 1", .. Done("b"), "SELECT 1", .. Done("a")]));
    }

    [Test]
    public void One_that_fails_has_done_what_it_did_before()
    {
        var replies = _client.Call($"{_limit} a x", "SET b 1");
        Assert.That(replies[0], Does.Contain("attempt to perform arithmetic on a nil value"));
        Assert.That(_long, Is.Zero);
        Assert.That(Told(), Is.EqualTo((string[])[.. Done("a"), "SET b 1"]));
    }

    [Test]
    public void What_expires_in_its_midst_is_told_before_what_it_does()
    {
        _client.Expect([$"{_limit} a"], ":1");
        _ = _log.Take();
        _server.Clock.AdvanceMs(1001);
        _client.Send($"{_limit} a");
        _server.Turn(0);
        Assert.That(_client.Replies(), Is.EqualTo((string[])[":1"]));
        Assert.That(Told(), Does.Contain("DEL a").And.Contain("INCR a"));
        Assert.That(_long, Is.Zero);
    }

    [Test]
    public void One_whose_lease_is_taken_is_told_when_it_has_it()
    {
        Assume.That(workers, Is.GreaterThan(1), "there is nobody else to hold it");
        var lease = _server.ShardOf("a").Lease;
        Assert.That(lease.TryAcquire());
        Assert.That(_client.Call($"{_limit} a"), Is.Empty);
        Assert.That(_log.Take(), Is.Empty);
        lease.Release();
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo((string[])[":1"]));
        Assert.That(Told(), Is.EqualTo(Done("a")));
        Assert.That(ShardLease.IsFree(lease.ReadVersion()));
    }

    private static string[] Done(string key) => ["MULTI", $"INCR {key}", $"PEXPIREAT {key} TIME", "EXEC"];

    private IReadOnlyList<string> Told() => [.. _log.Take().Select(text => Regex.Replace(text, "[0-9]{13}", "TIME"))];
}
