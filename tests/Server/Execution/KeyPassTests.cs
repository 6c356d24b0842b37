using System.Globalization;
using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands over many elements go on in steps, between which others have their turn, and are as if they were
/// executed at one moment: who would change their keys waits.</summary>
[TestFixture]
internal sealed class KeyPassTests
{
    private const int Elements = 6000;
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static IEnumerable<string> Commands =>
    [
        "HGETALL hash", "HKEYS hash", "HVALS hash", "SMEMBERS set", "LRANGE list 0 -1", "LRANGE list 5 5000",
        "ZRANGE zset 0 -1", "ZRANGE zset 0 -1 WITHSCORES", "ZRANGE zset 0 -1 REV", "ZREVRANGE zset 0 -1",
        "ZRANGEBYSCORE zset 10 5900", "ZRANGEBYLEX zset - +",
    ];

    private static IEnumerable<string> Combinations =>
    [
        "SUNION set few many", "SINTER set many", "SDIFF many set few", "SDIFF many many2 few", "SINTERCARD 2 set many",
        "SINTERCARD 2 set many LIMIT 2900", "ZUNION 2 zset many WITHSCORES", "ZINTER 3 zset many set WITHSCORES",
        "ZDIFF 2 zset many", "ZINTERCARD 2 zset many", "ZINTERCARD 2 zset set LIMIT 2900", "SUNION many nothing",
        "ZUNION 3 zset few nothing WEIGHTS 1 2 3 AGGREGATE MAX",
    ];

    private static IEnumerable<string> Stores =>
    [
        "SUNIONSTORE other set many few", "SINTERSTORE other set many", "SDIFFSTORE other many set",
        "SDIFFSTORE other many many2 few", "SUNIONSTORE set set many", "ZUNIONSTORE other 2 zset many WEIGHTS 2 3",
        "ZINTERSTORE zset 3 zset many set AGGREGATE MIN", "ZDIFFSTORE other 2 zset many", "ZRANGESTORE other zset 5 -5",
        "ZRANGESTORE other zset 10 5990 BYSCORE", "SINTERSTORE zset set many", "ZDIFFSTORE zset 2 zset zset",
        "SORTED other list ALPHA STORE other", "SORTED list list ALPHA DESC LIMIT 1 5990 STORE list",
        "GEOSEARCHSTORE other geo FROMLONLAT 15 37 BYRADIUS 30000 km",
        "GEOSEARCHSTORE geo geo FROMLONLAT 15 37 BYRADIUS 9000 km ASC COUNT 4000 STOREDIST",
    ];

    // Of a list of names only the beginning is written.
    private static IEnumerable<string> Looks =>
    [
        "HSCAN hash 0 COUNT 100000", "SSCAN set 0 COUNT 100000", "ZSCAN zset 0 COUNT 100000",
        "SSCAN set 0 COUNT 100000 MATCH *9*", "HSCAN hash 0 COUNT 5000", "HMGET hash field*", "SMISMEMBER set member*",
        "ZMSCORE zset member*", "GEOPOS zset member*", "GEOHASH zset member*", "SORT list ALPHA",
        "SORT set ALPHA DESC LIMIT 100 5000", "SORT zset ALPHA", "SORT numbers", "SORT_RO numbers DESC",
        "GEOSEARCH geo FROMLONLAT 15 37 BYRADIUS 30000 km ASC WITHDIST",
        "GEOSEARCH geo FROMLONLAT 15 37 BYBOX 9000 9000 km DESC COUNT 5000",
        "GEORADIUS geo 15 37 30000 km WITHCOORD WITHHASH", "GEORADIUSBYMEMBER geo place17 20000 km",
    ];

    private static IEnumerable<string> Draws =>
    [
        "SRANDMEMBER set 5900", "SRANDMEMBER set 1500", "HRANDFIELD hash 5900", "HRANDFIELD hash 1500 WITHVALUES",
        "ZRANDMEMBER zset 5900 WITHSCORES", "ZRANDMEMBER zset 1500", "SRANDMEMBER set -9000", "HRANDFIELD hash -9000",
        "ZRANDMEMBER zset -9000",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Commands))]
    [TestCaseSource(nameof(Combinations))]
    [TestCaseSource(nameof(Stores))]
    [TestCaseSource(nameof(Looks))]
    public void Others_have_their_turn_between_steps(string command)
    {
        Start();
        var turns = _other.TurnsBesides(_client, Whole(command), most: 100, each: 2);
        Assert.That(turns, Is.InRange(3, 50), "it takes some turns");
    }

    [TestCaseSource(nameof(Commands))]
    [TestCaseSource(nameof(Combinations))]
    [TestCaseSource(nameof(Looks))]
    public void It_is_what_it_is_in_one_go(string command)
    {
        Start();
        command = Whole(command);
        var inSteps = _client.All(1, command);
        var whole = _client.All(3, "MULTI", command, "EXEC");
        Assert.That("[" + inSteps[0] + "]", Is.EqualTo(whole[2]));
    }

    [TestCaseSource(nameof(Draws))]
    public void What_is_drawn_in_steps_is_what_was_asked_for(string command)
    {
        Start();
        _ = _other.Call("DEBUG SMALL-STEPS 1");
        _client.Send(command);
        _server.Turn(0);
        _other.Send("PING");
        _server.Turn(0);
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "+PONG" }));
        Assert.That(_client.Replies(), Is.Empty);
        _ = _other.Call("DEBUG SMALL-STEPS 0");
        var words = command.Split(' ');
        var count = int.Parse(words[2], CultureInfo.InvariantCulture);
        var drawn = _client.Rest(1)[0].Trim('[', ']').Split(' ', ',');
        var names = drawn.Where((_, i) => words.Length == 3 || i % 2 == 0).ToList();
        Assert.That(names, Has.Count.EqualTo(Math.Abs(count)));
        Assert.That(names, Has.All.Matches("[$]?(field|member)00[0-5][0-9]{3}"));
        Assert.That(names.Distinct().Count(), count < 0 ? Is.InRange(3000, 5999) : Is.EqualTo(count));
    }

    [TestCaseSource(nameof(Stores))]
    public void What_is_stored_is_what_it_is_in_one_go(string command)
    {
        Start();
        var key = command.Split(' ')[1];
        _client.Send(Whole(command));
        _server.Turn(0);
        _other.Send("PING", $"DEL {key}");
        _server.Turn(0);
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "+PONG" }), "who would change the key waits");
        var reply = _client.Rest(1)[0];
        var isAny = reply != ":0";
        Assert.That(_other.Rest(1)[0], Is.EqualTo(isAny ? ":1" : ":0"));
        _server.Dispose();
        Start();
        _client.Send(Whole(command), $"TYPE {key}");
        var type = _client.Rest(2)[1];
        var inSteps = Digest(key, database: 0);
        _server.Dispose();
        Start();
        Assert.That(_client.All(3, "MULTI", Whole(command), "EXEC")[2], Is.EqualTo($"[{reply}]"));
        Assert.That(Digest(key, database: 0), Is.EqualTo(inSteps));
        Assert.That(_client.All(1, $"TYPE {key}")[0], Is.EqualTo(type));
    }

    [TestCaseSource(nameof(Stores))]
    public void A_client_that_goes_leaves_no_result(string command)
    {
        Start(workers: 2);
        _client.Send(Whole(command));
        _server.Turn(0);
        _server.Turn(1);
        _client.Close();
        _server.Settle();
        _server.Settle();
        Assert.That(_other.All(1, "FLUSHALL"), Is.EqualTo(new[] { "+OK" }));
        _server.Settle();
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    [TestCase("SUNIONSTORE other set many few")]
    [TestCase("ZUNIONSTORE other 2 zset many")]
    [TestCase("ZRANGESTORE other zset 0 -1")]
    [TestCase("COPY zset other")]
    public void A_shard_that_is_emptied_takes_the_result_along(string command)
    {
        Start();
        _client.Send(command);
        _server.Turn(0);
        _other.Send("FLUSHALL");
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { ":0" }));
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { "+OK" }));
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    [TestCaseSource(nameof(Commands))]
    public void Who_would_change_the_key_waits(string command)
    {
        Start();
        var key = command.Split(' ')[1];
        _client.Send(command);
        _server.Turn(0);
        _other.Send($"DEL {key}", "PING");
        _server.Turn(0);
        Assert.That(_other.Replies(), Is.Empty);
        Assert.That(_client.Rest(1)[0], Has.Length.GreaterThan(Elements * 6));
        Assert.That(_other.Rest(2), Is.EqualTo(new[] { ":1", "+PONG" }));
    }

    [TestCaseSource(nameof(Commands))]
    public void A_script_that_changes_the_key_has_it_begin_anew(string command)
    {
        Start();
        var key = command.Split(' ')[1];
        _client.Send(command);
        _server.Turn(0);
        _other.Send($"EVAL return(redis.call('del','{key}')) 0");
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { "[]" }));
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { ":1" }));
    }

    [Test]
    public void What_is_copied_or_moved_is_what_it_was(
        [Values("list", "set", "hash", "zset")] string key, [Values("COPY", "RENAME", "MOVE")] string command)
    {
        Start();
        var isAtOnce = command == "MOVE"; // The key of the same name is in the same shard.
        var destination = Destination(key, command);
        _ = _other.Call($"EXPIRE {key} 10000");
        var before = Digest(key, database: 0);
        _other.Send($"OBJECT ENCODING {key}");
        var encoding = _other.Rest(1)[0];
        _client.Send(command == "MOVE" ? $"MOVE {key} 1" : $"{command} {key} {destination}");
        _server.Turn(0);
        Assert.That(_client.Replies(), isAtOnce ? Is.EqualTo(new[] { ":1" }) : Is.Empty);
        _other.Send("PING", $"EXISTS {destination}");
        _server.Turn(0);
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "+PONG", ":0" }));
        Assert.That(isAtOnce ? ":1" : _client.Rest(1)[0], Is.EqualTo(command == "RENAME" ? "+OK" : ":1"));
        Assert.That(Digest(destination, command == "MOVE" ? 1 : 0), Is.EqualTo(before));
        _other.Send(
            $"SELECT {(command == "MOVE" ? 1 : 0)}",
            $"TTL {destination}",
            $"OBJECT ENCODING {destination}",
            "SELECT 0");
        Assert.That(_other.Rest(4)[1..3], Is.EqualTo(new[] { ":10000", encoding }));
        Assert.That(Digest(key, database: 0), command == "COPY" ? Is.EqualTo(before) : Is.Not.EqualTo(before));
    }

    [TestCase("RPUSH list more", ":6001", "6000")]
    [TestCase("SET copy other", "+OK", null)]
    [TestCase("DEL list", ":1", "6000")]
    public void Who_would_change_what_is_copied_waits(string command, string answer, string? length)
    {
        Start();
        var destination = Destination("list", "COPY");
        command = command.Replace("copy", destination, StringComparison.Ordinal);
        _client.Send($"COPY list {destination}");
        _server.Turn(0);
        _other.Send("LLEN list", command);
        _server.Turn(0);
        Assert.That(_other.Replies(), Is.EqualTo(new[] { ":6000" }));
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { ":1" }));
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { answer }));
        _other.Send($"LLEN {destination}");
        Assert.That(_other.Rest(1)[0], length == null ? Does.StartWith("-WRONGTYPE") : Is.EqualTo(":" + length));
    }

    [TestCase("ZREMRANGEBYRANK zset 0 -1", ":6000")]
    [TestCase("ZREMRANGEBYSCORE zset -inf +inf", ":6000")]
    [TestCase("ZREMRANGEBYLEX zset - +", ":6000")]
    public void All_elements_of_a_sorted_set_are_freed_by_and_by(string command, string reply)
    {
        Start();
        _client.Send(command, "EXISTS zset", "ZADD zset 1 a", "ZCARD zset");
        _server.Turn(0);
        Assert.That(_client.Replies(), Is.EqualTo(new[] { reply, ":0", ":1", ":1" }));
        Assert.That(_server.ShardOf("zset").Collections.DoomedBytes, Is.Positive, "not in one go");
    }

    [TestCase("FLUSHALL", "-ERR no such key")]
    [TestCase("EVAL return(redis.call('del','set')) 0", "-ERR no such key")]
    [TestCase("EVAL return(redis.call('sadd','set','another')) 0", "+OK")]
    [TestCase("SWAPDB 0 1", "-ERR no such key")]
    public void A_move_begins_anew_when_the_key_is_changed(string command, string reply)
    {
        Start();
        _client.Send($"RENAME set {Destination("set", "RENAME")}");
        _server.Turn(0);
        _other.Send(command);
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { reply }));
        _ = _other.Rest(1);
    }

    [Test]
    public void It_comes_to_an_end_whatever_scripts_do()
    {
        Start();
        _client.Send("SMEMBERS set");
        var turns = 0;
        while (_client.Replies().Count == 0)
        {
            _other.Send($"EVAL return(redis.call('sadd','set','more{turns}')) 0");
            _server.Turn(0);
            Assert.That(++turns, Is.LessThan(50));
        }

        _server.Settle();
        _ = _other.Replies();
    }

    [Test]
    public void Who_waits_for_what_is_held_has_their_turn()
    {
        Start();
        var waiting = _server.Connect();
        waiting.Send("BLPOP other 0");
        _client.Send("SUNIONSTORE other set many few");
        _server.Turn(0);
        _other.Send("EVAL return(redis.call('rpush','other','a')) 0");
        Assert.That(_client.Rest(1)[0], Does.StartWith(":"));
        Assert.That(waiting.Rest(1), Is.EqualTo(new[] { "[$other $a]" }));
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { ":1" }));
    }

    [Test]
    public void A_client_that_goes_leaves_nothing([Values(1, 2)] int workers)
    {
        Start(workers);
        _client.Send("SMEMBERS set");
        _server.Turn(0);
        _other.Send("SADD set another");
        _server.Turn(workers - 1);
        _client.Close();
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { ":1" }));
        Assert.That(_server.ShardOf("set").Changes.AreHeard, Is.False);
    }

    [Test]
    public void Neighbours_in_a_pipeline_keep_their_order([Values(1, 2)] int workers)
    {
        Start(workers);
        var replies = _client.All(6, "SET a 1", "SMEMBERS set", "DEL set", "HLEN hash", "HKEYS hash", "GET a");
        Assert.That(replies[0], Is.EqualTo("+OK"));
        Assert.That(replies[1], Has.Length.GreaterThan(Elements * 6));
        Assert.That(replies[2], Is.EqualTo(":1"));
        Assert.That(replies[3], Is.EqualTo($":{Elements}"));
        Assert.That(replies[4], Has.Length.GreaterThan(Elements * 6));
        Assert.That(replies[5], Is.EqualTo("$1"));
    }

    [Test]
    public void Readers_do_not_keep_a_writer_from_its_turn()
    {
        Start();
        var writer = _server.Connect();
        _client.Send("SMEMBERS set");
        _server.Turn(0);
        writer.Send("SADD set another");
        _server.Turn(0);
        var turns = 0;
        while (writer.Replies().Count == 0)
        {
            _client.Send("SMEMBERS set");
            _other.Send("SMEMBERS set");
            _server.Turn(0);
            _ = _client.Replies();
            _ = _other.Replies();
            Assert.That(++turns, Is.LessThan(50));
        }
    }

    /// <summary>Before a SORT that stores stands its destination.</summary>
    private static string Whole(string command)
        => command.StartsWith("SORTED", StringComparison.Ordinal) ? "SORT" + command[command.IndexOf(' ', 7)..]
            : command.EndsWith("er*", StringComparison.Ordinal) || command.EndsWith("ld*", StringComparison.Ordinal)
            ? Named(command)
            : command;

    private static string Place(int number)
        => string.Create(
            CultureInfo.InvariantCulture,
            $"{(number * 7919 % 6007 / 18.0) - 165} {(number % 1600 / 10.0) - 80} place{number}");

    private static string Named(string command)
    {
        var (first, name) = (command[..command.LastIndexOf(' ')], command[(command.LastIndexOf(' ') + 1)..^1]);
        return $"{first} {string.Join(' ', Enumerable.Range(100, Elements).Select(n => $"{name}{n:d6}"))}";
    }

    private void Start(int workers = 1)
    {
        _server = new TurnServer(workers);
        (_client, _other) = (_server.Connect(), _server.Connect());
        for (var i = 0; i < Elements; i += 500)
        {
            var numbers = Enumerable.Range(i, 500).ToArray();
            _ = _other.Call(
                $"RPUSH list {string.Join(' ', numbers.Select(n => $"element{n:d6}"))}",
                $"SADD set {string.Join(' ', numbers.Select(n => $"member{n:d6}"))}",
                $"HSET hash {string.Join(' ', numbers.Select(n => $"field{n:d6} value{n}"))}",
                $"ZADD zset {string.Join(' ', numbers.Select(n => $"{n} member{n:d6}"))}",
                $"RPUSH numbers {string.Join(' ', numbers.Select(n => n * 7919 % 6007 / 8.0))}",
                $"GEOADD geo {string.Join(' ', numbers.Select(Place))}",
                $"SADD many {string.Join(' ', numbers.Select(n => $"member{n * 2:d6}"))}",
                $"SADD many2 {string.Join(' ', numbers.Select(n => $"member{n * 3:d6}"))}");
        }

        _ = _other.Call("SADD few member000010 member000013 member999999");
    }

    /// <summary>A key of another shard.</summary>
    private string Destination(string key, string command)
        => command == "MOVE" ? key : _server.KeyOf((_server.ShardOf(key).Number + 1) % 4, "other");

    private string Digest(string key, int database)
    {
        _other.Send($"SELECT {database}", $"DEBUG DIGEST-VALUE {key}", "SELECT 0");
        return _other.Rest(3)[1];
    }
}
