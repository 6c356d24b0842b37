using NUnit.Framework;
using Strata.Server.Commands.Model;
using Strata.Storage.Leases;
using Strata.Storage.Runtime;
using Strata.Storage.Sharding;

namespace Strata.Tests.Server.Execution.Scripts;

/// <summary>Which leases scripts are executed under, and what becomes of those that need others.</summary>
[TestFixture]
internal sealed class ScriptLeaseTests
{
    // Writes to the key it declares, and then to the one it is told of.
    private const string WritesTwo =
        "redis.call('SET', ({KEYS[1]})[1], 'a') if ARGV[1] then redis.call('SET', ARGV[1], 'b') end return 'done'";

    private readonly List<string> _taken = [];
    private TurnServer _server = null!;
    private Action? _onSet;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private ReadOnlySpan<Shard> Shards => _server.Server.Context.Shards.All;

    private ShardLease Escalation => _server.Server.Context.Shards.Escalation;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers: 2, row => row.Name is "get" or "set" ? Observed(row) : row);
        _client = _server.Connect();
        _other = _server.Connect();
        _taken.Clear();
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void One_not_seen_before_is_executed_under_all_and_then_under_those_of_its_keys()
    {
        const string Script = "return redis.call('GET', ({KEYS[1]})[1])";
        Eval(Script, Key(1));
        Eval(Script, Key(1));
        Eval(Script, Key(2), Key(3));
        Assert.That(_taken, Is.EqualTo(new[] { "0 1 2 3", "1 E", "2 3 E" }));
    }

    [Test]
    public void One_whose_code_shows_that_it_keeps_to_its_keys_cannot_need_more()
    {
        const string Script = "return redis.call('SET', KEYS[1], ARGV[1] or 'v')";
        Eval(Script, Key(1));
        Eval(Script, Key(1));
        Eval(Script, Key(2));
        Assert.That(_taken, Is.EqualTo(new[] { "0 1 2 3", "1", "2" }));
    }

    [Test]
    public void One_whose_code_shows_that_it_needs_no_key_takes_no_lease()
    {
        const string Script = "return tonumber(redis.call('PING').ok and 1)";
        Eval(Script);
        Assert.That(Shards[0].Lease.TryAcquire());
        Eval(Script);
        Shards[0].Lease.Release();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { ":1", ":1" }));
    }

    [Test]
    public void One_that_failed_was_not_seen()
    {
        const string Script = "redis.call('GET', ({KEYS[1]})[1]) return redis.call('SET', ({KEYS[1]})[1], ARGV[1])";
        Eval(Script, Key(1));
        Eval(Script, Key(1));
        Assert.That(_taken, Is.EqualTo(new[] { "0 1 2 3", "0 1 2 3" }));
    }

    [Test]
    public void One_without_keys_is_executed_under_all()
    {
        var script = $"return redis.call('GET', '{Key(1)}')";
        Eval(script);
        Eval(script);
        Assert.That(_taken, Is.EqualTo(new[] { "0 1 2 3", "0 1 2 3" }));
    }

    [Test]
    public void One_that_only_reads_can_begin_anew_and_needs_no_right_to_take_more()
    {
        const string Script = "#!lua flags=no-writes\nreturn redis.call('GET', ({ARGV[1] or KEYS[1]})[1])";
        Eval(Script, Key(1));
        Eval(Script, Key(1));
        _client.SendRaw(Encoded("EVAL", Script, "1", Key(1), Key(2)));
        _server.Settle();
        Eval(Script, Key(1));
        Assert.That(_taken, Is.EqualTo(new[] { "0 1 2 3", "1", "0 1 2 3", "0 1 2 3" }));
    }

    [Test]
    public void Nobody_waits_whose_shards_it_does_not_need()
    {
        const string Script = "#!lua flags=no-writes\nreturn redis.call('GET', ({KEYS[1]})[1])";
        Eval(Script, Key(1));
        Assert.That(Shards[3].Lease.TryAcquire());
        Eval(Script, Key(1));
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "nil", "nil" }));
        Shards[3].Lease.Release();
    }

    [Test]
    public void One_that_needs_others_before_it_has_changed_something_begins_anew_under_all()
    {
        const string Script =
            "local v = redis.call('GET', ARGV[1] or ({KEYS[1]})[1]) redis.call('SET', KEYS[1], 'a') return v";
        Eval(Script, Key(1));
        Eval(Script, Key(1));
        _other.Expect([$"SET {Key(2)} b"], "+OK");
        _taken.Clear();
        Run(Script, [Key(1)], Key(2));
        Assert.That(_client.Replies()[^1], Is.EqualTo("$b"));
        Eval(Script, Key(1));
        Assert.That(_taken, Is.EqualTo(new[] { "0 1 2 3", "0 1 2 3", "0 1 2 3", "0 1 2 3" }), "and from then on");
    }

    [Test]
    public void One_that_has_changed_something_waits_for_what_others_hold_and_goes_on()
    {
        Trust();
        Assert.That(Shards[2].Lease.TryAcquire());
        var waits = 0;
        _server.OthersAwaited = () =>
        {
            if (++waits == 3)
            {
                Assert.That(IsTaken(Shards[1].Lease), "nobody sees what it has begun");
                Shards[2].Lease.Release();
            }
        };

        Run(WritesTwo, [Key(1)], Key(2));

        Assert.That(waits, Is.EqualTo(3));
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "$done" }));
        Assert.That(_taken, Is.EqualTo(new[] { "1 2 E", "1 2 E" }), "of which one was held by another at first");
        _other.Expect([$"MGET {Key(1)} {Key(2)}"], "[$a $b]");
    }

    [Test]
    public void What_was_left_with_a_lease_that_it_took_is_done()
    {
        Trust();
        Assert.That(Shards[2].Lease.TryAcquire());
        _other.Send($"SET {Key(2)} before");
        _server.Turn(1);
        _server.OthersAwaited = () => Shards[2].Lease.Release();
        Run(WritesTwo, [Key(1)], Key(2));
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "+OK" }));
        _other.Expect([$"GET {Key(2)}"], "$b");
    }

    [Test]
    public void Only_one_may_have_changed_something_and_need_more()
    {
        Trust();
        Assert.That(Escalation.TryAcquire());
        _client.SendRaw(Encoded("EVAL", WritesTwo, "1", Key(1)));
        _server.Settle();
        Assert.That(_client.Replies(), Is.Empty);
        Assert.That(Shards.ToArray().Any(shard => IsTaken(shard.Lease)), Is.False, "it waits without leases");
        _other.Expect([$"SET {Key(1)} x"], "+OK");
        Escalation.Release();
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "$done" }));
    }

    [Test]
    public void One_that_has_changed_something_may_need_all()
    {
        const string Script =
            "redis.call('SET', KEYS[1], 'a') return ARGV[1] and redis.call(ARGV[1]) or ({KEYS[1]})[1]";
        Eval(Script, Key(1));
        Run(Script, [Key(1)], "DBSIZE");
        Run(Script, [Key(2)], "FLUSHALL");
        Assert.That(_client.Replies(), Is.EqualTo(new[] { $"${Key(1)}", ":1", "+OK" }));
        _other.Expect(["DBSIZE"], ":0");
    }

    [Test]
    public void It_takes_what_others_have_reserved_who_wait_for_what_it_has()
    {
        Trust();
        var claim = new Claim(_server.Server.Context.Shards.Reservation, _server.Server.Workers[1].Worker);
        _onSet = () =>
        {
            _onSet = null;
            Assert.That(claim.TryTake());
            claim.Reserve([0b0110, 0, 0, 0, 0]);
            Assert.That(Shards[2].Lease.TryAcquire(), Is.False, "it is reserved");
        };
        Run(WritesTwo, [Key(1)], Key(2));
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "$done" }));
        Assert.That(claim.Wakes, Is.Positive, "who has reserved them may try again");
        Assert.That(Shards[1].Lease.TryAcquire() || Shards[2].Lease.TryAcquire(), Is.False, "nobody else");
        claim.Abandon();
        _other.Expect([$"MGET {Key(1)} {Key(2)}"], "[$a $b]");
    }

    /// <summary>Calls a script once, so that it is known not to reach out.</summary>
    private void Trust()
    {
        Eval(WritesTwo, Key(1));
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "$done" }));
        _taken.Clear();
    }

    private void Eval(string script, params string[] keys) => Run(script, keys);

    private void Run(string script, string[] keys, params string[] arguments)
    {
        _client.SendRaw(Encoded(["EVAL", script, $"{keys.Length}", .. keys, .. arguments]));
        _server.Settle();
    }

    private static string Encoded(params string[] words)
        => $"*{words.Length}\r\n" + string.Concat(words.Select(word => $"${word.Length}\r\n{word}\r\n"));

    private string Key(int shard) => _server.KeyOf(shard);

    private static bool IsTaken(ShardLease lease) => !ShardLease.IsFree(lease.ReadVersion());

    /// <summary>Notes which leases are taken when a command is executed.</summary>
    private CommandRow Observed(CommandRow row)
    {
        var handler = row.Handler;
        return row.With(context =>
        {
            if (context.IsInTransaction)
            {
                var taken = Shards.ToArray().Where(shard => IsTaken(shard.Lease)).Select(shard => $"{shard.Number}");
                _taken.Add(string.Join(' ', IsTaken(Escalation) ? taken.Append("E") : taken));
            }

            handler(context);
            if (row.Name == "set")
            {
                _onSet?.Invoke();
            }
        });
    }

    private sealed class Claim(LeaseReservation reservation, Worker owner) : LeaseClaim(reservation, owner)
    {
        public int Wakes { get; private set; }

        public override void Run(Worker worker) => Wakes++;
    }
}
