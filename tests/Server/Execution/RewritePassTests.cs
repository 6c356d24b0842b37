using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Server.Journal;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands that change a good part of a large collection make in steps what it is to be: until the last one
/// it is what it was, and then at once what it would be if it were changed in one go.</summary>
[TestFixture]
internal sealed class RewritePassTests
{
    private const int Elements = 6000;
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static IEnumerable<string> Removals =>
    [
        "ZPOPMIN zset 5000", "ZPOPMAX zset 4500", "ZPOPMAX zset 6000", "ZMPOP 2 nothing zset MAX COUNT 5000",
        "ZREMRANGEBYRANK zset 100 3600", "ZREMRANGEBYSCORE zset -inf 3500", "ZREMRANGEBYSCORE zset (2500 +inf",
        "ZREM zset member*", "SREM set member*", "HDEL hash member*",
    ];

    private static IEnumerable<string> Pops => ["SPOP set 5000", "SPOP set 5999", "SPOP set 6000"];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Removals))]
    [TestCaseSource(nameof(Pops))]
    public void Others_have_their_turn_and_see_what_it_was(string command)
    {
        Start();
        var (key, count) = KeyOf(command);
        _client.Send(Whole(command));
        var turns = 0;
        do
        {
            _other.Send("PING", $"{count} {key}");
            _server.Turn(0);
            var replies = _other.Replies();
            var isDone = _client.Replies().Count > 0;
            Assert.That(replies, Is.EqualTo(new[] { "+PONG", replies[1] }));
            if (isDone)
            {
                break;
            }

            Assert.That(replies[1], Is.EqualTo($":{Elements}"), "nobody sees half of it");
        }
        while (++turns < 100);

        Assert.That(turns, Is.InRange(1, 50), "it takes some turns");
    }

    [TestCaseSource(nameof(Removals))]
    public void It_is_what_it_is_in_one_go(string command)
    {
        var results = new List<string>();
        foreach (var isWhole in new[] { false, true })
        {
            Start(workers: 2);
            var (key, _) = KeyOf(command);
            var log = new EffectLog(_server);
            var replies = isWhole
                ? _client.All(3, "MULTI", Whole(command), "EXEC")[2]
                : $"[{_client.All(1, Whole(command))[0]}]";
            var told = string.Join(',', log.Take());
            var after = _client.All(3, $"DEBUG DIGEST-VALUE {key}", $"TTL {key}", $"OBJECT ENCODING {key}");
            results.Add(string.Join('\n', [replies, told, .. after]));
            log.Dispose();
            _server.Dispose();
        }

        Start();
        Assert.That(results[0], Is.EqualTo(results[1]));
    }

    [TestCaseSource(nameof(Pops))]
    public void What_is_drawn_is_gone_and_told(string command)
    {
        Start();
        var count = int.Parse(command.Split(' ')[2], CultureInfo.InvariantCulture);
        using var log = new EffectLog(_server);
        var drawn = Members(_client.All(1, command)[0]);
        var left = Members(_client.All(1, "SMEMBERS set")[0]);
        Assert.That(drawn, Has.Count.EqualTo(count));
        Assert.That(drawn.Concat(left), Is.EquivalentTo(Enumerable.Range(0, Elements).Select(n => $"member{n:d6}")));
        var told = log.Take()[^1].Split(' ');
        Assert.That(told[1], Is.EqualTo("set"));
        if (left.Count == 0)
        {
            Assert.That(told, Is.EqualTo(new[] { "DEL", "set" }));
            return;
        }

        Assert.That(told[0], Is.EqualTo("SREM"));
        Assert.That(told[2..], Is.EqualTo(drawn));
        Assert.That(_client.All(2, "TTL set", "OBJECT ENCODING set"), Is.EqualTo(new[] { ":10000", "$hashtable" }));
    }

    [TestCaseSource(nameof(Removals))]
    [TestCaseSource(nameof(Pops))]
    public void Who_would_change_the_key_waits(string command)
    {
        Start();
        var (key, _) = KeyOf(command);
        Begin(command);
        _other.Send($"DEL {key}", "PING");
        _server.Turn(0);
        Assert.That(_client.Replies().Count + _other.Replies().Count, Is.Zero);
        _ = _client.Rest(1);
        Assert.That(_other.Rest(2)[1], Is.EqualTo("+PONG"));
    }

    [TestCaseSource(nameof(Removals))]
    [TestCaseSource(nameof(Pops))]
    public void A_client_that_goes_leaves_the_key_as_it_was_or_without_the_rest(string command)
    {
        Start(workers: 2);
        var (key, count) = KeyOf(command);
        _client.Send(Whole(command));
        _server.Turn(0);
        _server.Turn(1);
        _client.Close();
        _server.Settle();
        var left = _other.All(1, $"{count} {key}")[0];
        Assert.That(left, Is.AnyOf($":{Elements}", $":{Elements - Removed(command)}"));
        _ = _other.All(1, "FLUSHALL");
        _server.Settle();
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    [TestCase("ZPOPMIN zset 5000", "[]")]
    [TestCase("SPOP set 5000", "[]")]
    [TestCase("ZREMRANGEBYRANK zset 100 3600", ":0")]
    public void What_takes_the_key_away_takes_the_rest_along(string command, string reply)
    {
        Start();
        _client.Send(Whole(command));
        _server.Turn(0);
        _other.Send("FLUSHALL");
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { reply }));
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { "+OK" }));
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    [TestCaseSource(nameof(Removals))]
    [TestCaseSource(nameof(Pops))]
    public void It_comes_to_an_end_whatever_scripts_do(string command)
    {
        Start();
        var (key, _) = KeyOf(command);
        var add = key == "set" ? "'sadd','set'" : key == "hash" ? "'hset','hash',3" : "'zadd','zset',3";
        _client.Send(Whole(command));
        for (var turns = 0; _client.Replies().Count == 0; turns++)
        {
            _other.Send($"EVAL return(redis.call({add},'more{turns}')) 0");
            _server.Turn(0);
            Assert.That(turns, Is.LessThan(50));
        }

        _server.Settle();
        _ = _other.Replies();
    }

    [TestCaseSource(nameof(Removals))]
    [TestCaseSource(nameof(Pops))]
    public void Where_memory_is_short_it_is_done_in_place(string command)
    {
        Start();
        var (key, count) = KeyOf(command);
        Begin(command);
        _ = _other.Call("CONFIG SET maxmemory-policy noeviction", "DEBUG SMALL-MAXMEMORY 1", "CONFIG SET maxmemory 1");
        var reply = _client.Rest(1)[0];
        Assert.That(reply, command.EndsWith('*') ? Is.EqualTo(":5000") : Does.Not.StartWith("-"));
        Assert.That(_other.All(1, $"{count} {key}"), Is.EqualTo(new[] { $":{Elements - Removed(command)}" }));
    }

    private static (string Key, string Count) KeyOf(string command)
        => command.Contains(" set", StringComparison.Ordinal) ? ("set", "SCARD")
            : command.Contains(" hash", StringComparison.Ordinal) ? ("hash", "HLEN")
            : ("zset", "ZCARD");

    /// <summary>A command with all names that it stands for: most of those that are there, and some more.</summary>
    private static string Whole(string command)
        => command.EndsWith('*')
            ? command[..command.LastIndexOf(' ')]
                + string.Concat(Enumerable.Range(1000, Elements).Select(n => $" member{n:d6}"))
            : command;

    private static int Removed(string command) => command switch
    {
        "ZREMRANGEBYRANK zset 100 3600" => 3501,
        "ZREMRANGEBYSCORE zset -inf 3500" => 3501,
        "ZREMRANGEBYSCORE zset (2500 +inf" => 3499,
        _ when command.EndsWith('*') => 5000,
        _ => int.Parse(command[(command.LastIndexOf(' ') + 1)..], CultureInfo.InvariantCulture),
    };

    private static List<string> Members(string reply)
        => [.. reply.Trim('[', ']').Split([' ', '$'], StringSplitOptions.RemoveEmptyEntries)];

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

        _ = _other.Call("EXPIRE set 10000", "EXPIRE zset 10000", "EXPIRE hash 10000");
    }

    /// <summary>Sends a command, which is received in some turns, until its first step is made.</summary>
    private void Begin(string command)
    {
        _client.Send(Whole(command));
        _server.AwaitHold(KeyOf(command).Key, most: 10);
    }
}
