using NUnit.Framework;
using Strata.Tests.Server.Journal;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands that add very many elements go on in steps: until the last one the collection is what it was, and
/// then at once what it would be if all were added in one go.</summary>
[TestFixture]
internal sealed class AdditionPassTests
{
    private const int Elements = 6000;
    private const string Wrong = "-WRONGTYPE Operation against a key holding the wrong kind of value";
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    // Half of what is added is there already, where the key is; of a key with a digit nothing is.
    private static IEnumerable<string> Additions =>
    [
        "ZADD zset", "ZADD zset NX", "ZADD zset XX CH", "ZADD zset GT CH", "GEOADD zset", "ZADD zset2", "GEOADD zset2",
        "SADD set", "SADD set2", "HSET hash", "HMSET hash", "HSET hash2", "ZADD zset3", "SADD set3", "HSET hash3",
    ];

    private static IEnumerable<string> Repetitions =>
    [
        "ZADD zset2", "SADD set2", "HSET hash2", "ZADD zset3", "HSET hash",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Additions))]
    public void Others_have_their_turn_and_see_what_it_was(string command)
    {
        Start();
        var count = CountOf(command);
        var before = _other.Call(count)[0];
        _client.Send(Whole(command));
        var turns = 0;
        do
        {
            _other.Send("PING", count);
            _server.Turn(0);
            var replies = _other.Replies();
            var isDone = _client.Replies().Count > 0;
            Assert.That(replies, Is.EqualTo(new[] { "+PONG", replies[1] }));
            if (isDone)
            {
                break;
            }

            Assert.That(replies[1], Is.EqualTo(before), "nobody sees half of it");
        }
        while (++turns < 100);

        Assert.That(turns, Is.InRange(4, 60), "it takes some turns");
    }

    [TestCaseSource(nameof(Additions))]
    public void It_is_what_it_is_in_one_go(string command) => AssertSame(command, Whole(command));

    [TestCaseSource(nameof(Repetitions))]
    public void A_few_names_again_and_again_leave_the_form_that_they_leave_in_one_go(string command)
        => AssertSame(command, Whole(command, names: 5));

    [TestCaseSource(nameof(Additions))]
    public void Who_would_change_the_key_waits(string command)
    {
        Start();
        _client.Send(Whole(command));
        _server.AwaitHold(KeyOf(command), most: 20);

        _other.Send($"DEL {KeyOf(command)}", "PING");
        _server.Turn(0);
        Assert.That(_client.Replies().Count + _other.Replies().Count, Is.Zero);
        Assert.That(_client.Rest(1)[0], Does.Not.StartWith("-"));
        Assert.That(_other.Rest(2), Is.EqualTo(new[] { ":1", "+PONG" }));
        _ = _other.All(1, "FLUSHALL");
        _server.Settle();
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    [TestCaseSource(nameof(Additions))]
    public void A_client_that_goes_leaves_all_of_it_or_nothing(string command)
    {
        Start(workers: 2);
        var count = CountOf(command);
        var before = _other.Call(count)[0];
        _client.Send(Whole(command));
        for (var i = 0; i < 6; i++)
        {
            _server.Turn(0);
            _server.Turn(1);
        }

        _client.Close();
        _server.Settle();
        var after = _other.All(1, count)[0];
        Assert.That(after, Is.AnyOf(before, ":9000", ":6000", ":6007"));
        _ = _other.All(1, "FLUSHALL");
        _server.Settle();
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    [TestCaseSource(nameof(Additions))]
    public void It_comes_to_an_end_whatever_scripts_do(string command)
    {
        Start();
        var key = KeyOf(command);
        var add = key[0] switch { 's' => $"'sadd','{key}'", 'h' => $"'hset','{key}',3", _ => $"'zadd','{key}',3" };
        _client.Send(Whole(command));
        for (var turns = 0; _client.Replies().Count == 0; turns++)
        {
            _other.Send($"EVAL return(redis.call({add},'more{turns}')) 0");
            _server.Turn(0);
            Assert.That(turns, Is.LessThan(80));
        }

        _server.Settle();
        _ = _other.Replies();
    }

    [TestCaseSource(nameof(Additions))]
    public void Where_memory_is_short_all_of_it_is_done_or_nothing(string command)
    {
        Start();
        var count = CountOf(command);
        var before = _other.Call(count)[0];
        _client.Send(Whole(command));
        for (var i = 0; i < 6; i++)
        {
            _server.Turn(0);
        }

        _ = _other.Call("CONFIG SET maxmemory-policy noeviction", "DEBUG SMALL-MAXMEMORY 1", "CONFIG SET maxmemory 1");
        var reply = _client.Rest(1)[0];
        Assert.That(reply, Does.Not.StartWith("-").Or.StartsWith("-OOM"));
        var after = _other.All(1, count)[0];
        Assert.That(after, reply[0] == '-' ? Is.EqualTo(before) : Is.AnyOf(":9000", ":6000", ":6007"));
        Assert.That(_other.All(1, $"DEL {KeyOf(command)}")[0], Does.StartWith(":"), "it is held no longer");
    }

    [TestCase("ZADD zset", " nan member")]
    [TestCase("ZADD zset2", " 1e member")]
    [TestCase("GEOADD zset2", " 1000 1000 member")]
    public void A_wrong_score_behind_many_changes_nothing(string command, string wrong)
    {
        Start();
        var count = CountOf(command);
        var before = _other.Call(count)[0];
        var reply = _client.All(1, Whole(command) + wrong)[0];
        Assert.That(reply, Does.StartWith("-ERR "));
        Assert.That(_other.All(3, "MULTI", Whole(command) + wrong, "EXEC")[2], Is.EqualTo("[-ERR]"));
        Assert.That(_other.All(1, count)[0], Is.EqualTo(before));
        _ = _other.All(1, "FLUSHALL");
        _server.Settle();
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    [TestCase("ZADD set")]
    [TestCase("SADD hash")]
    [TestCase("HSET zset")]
    public void Another_type_is_told_of(string command)
    {
        Start();
        Assert.That(_client.All(1, Whole(command))[0], Is.EqualTo(Wrong));
    }

    private static string KeyOf(string command) => command.Split(' ')[1];

    private static string CountOf(string command)
        => KeyOf(command)[0] switch { 's' => "SCARD ", 'h' => "HLEN ", _ => "ZCARD " } + KeyOf(command);

    /// <summary>A command with all that it adds: what half of the elements are, and as many more.</summary>
    private static string Whole(string command, int names = Elements)
    {
        var verb = command.Split(' ')[0];
        var before = verb switch { "ZADD" => " {1}", "GEOADD" => " {2} {3}", _ => string.Empty };
        var after = verb is "HSET" or "HMSET" ? " new{1}" : string.Empty;
        var added = Enumerable.Range(Elements / 2, Elements).Select(n => string.Format(
            null, before + " member{0:d6}" + after, n % names, n * 7919 % 6007, n % 360 - 180, n % 160 - 80));
        return command + string.Concat(added);
    }

    private void AssertSame(string command, string whole)
    {
        var results = new List<string>();
        foreach (var inOneGo in new[] { false, true })
        {
            Start(workers: 2);
            var key = KeyOf(command);
            var log = new EffectLog(_server);
            var replies = inOneGo
                ? _client.All(3, "MULTI", whole, "EXEC")[2]
                : $"[{_client.All(1, whole)[0]}]";
            var told = string.Join(',', log.Take());
            var after = _client.All(3, $"DEBUG DIGEST-VALUE {key}", $"TTL {key}", $"OBJECT ENCODING {key}");
            results.Add(string.Join('\n', [replies, told, .. after]));
            log.Dispose();
            _server.Dispose();
        }

        Start();
        Assert.That(results[0], Is.EqualTo(results[1]));
    }

    private void Start(int workers = 1)
    {
        _server = new TurnServer(workers);
        (_client, _other) = (_server.Connect(), _server.Connect());
        for (var i = 0; i < Elements; i += 500)
        {
            var numbers = Enumerable.Range(i, 500).ToArray();
            _ = _other.Call(
                $"SADD set {string.Join(' ', numbers.Select(n => $"member{n:d6}"))}",
                $"HSET hash {string.Join(' ', numbers.Select(n => $"member{n:d6} value{n}"))}",
                $"ZADD zset {string.Join(' ', numbers.Select(n => $"{n} member{n:d6}"))}");
        }

        _ = _other.Call("EXPIRE set 10000", "EXPIRE zset 10000", "EXPIRE hash 10000", "HPEXPIRE hash 500000 FIELDS 2 "
            + "member000001 member004000");
        for (var i = 0; i < 7; i++)
        {
            _ = _other.Call($"ZADD zset3 {i} few{i}", $"SADD set3 {i}", $"HSET hash3 few{i} {i}");
        }

        _ = _other.Call("EXPIRE set3 10000", "EXPIRE zset3 10000", "EXPIRE hash3 10000");
    }
}
