using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands over many keys hold and look at them in steps, however many they are, and look as if they were
/// executed at one moment.</summary>
[TestFixture]
internal sealed class ManyKeysTests
{
    private const int Keys = 2000;
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static IEnumerable<string> Combinations =>
    [
        "SUNION s*", "SINTER s*", "SDIFF big s*", "SDIFF s*", "SINTERCARD 2000 s*", "SINTERCARD 2000 s* LIMIT 1",
        "ZUNION 2000 z*", "ZUNION 2000 z* AGGREGATE MAX WITHSCORES", "ZINTER 2000 z* WITHSCORES", "ZINTER 2000 s*",
        "ZDIFF 2001 big z*", "ZINTERCARD 2000 z*", "ZINTERCARD 2000 z* LIMIT 1", "SUNION s* nothing",
        "SINTER s* nothing", "ZINTER 2001 z* nothing", "ZUNION 2000 z* WEIGHTS w*",
        "EXISTS s* z* nothing", "TOUCH s* nothing z* s0001", "MGET s* z* text nothing text", "PFCOUNT p*",
        "PFCOUNT p* nothing p0001", "XREAD COUNT 2 STREAMS x* 0*", "XREAD STREAMS x* nothing 0* 0",
        "XREAD STREAMS x* $*",
    ];

    private static IEnumerable<string> Stores =>
    [
        "SUNIONSTORE other s*", "SINTERSTORE other s*", "SDIFFSTORE other big s*", "SINTERSTORE s0001 s*",
        "ZUNIONSTORE other 2000 z*", "ZINTERSTORE other 2000 z* AGGREGATE MIN", "ZDIFFSTORE z0003 2001 big z*",
        "SINTERSTORE other s* nothing", "ZINTERSTORE other 2000 z* WEIGHTS w*", "PFMERGE other p*", "PFMERGE p0001 p*",
    ];

    private static IEnumerable<string> Refused =>
    [
        "SUNION s* text", "SINTER text s*", "SINTERSTORE other s* text", "ZUNION 2001 z* text", "ZUNION 2000 z* never",
        "ZINTER 2000 z* WEIGHTS 1 2", "ZINTERCARD 2000 z* LIMIT -1", "ZUNION 9000 z*", "ZINTER 0 z*",
        "ZUNION 2000 z* WEIGHTS v*", "XREAD STREAMS x* text 0* 0", "XREAD STREAMS x* v*", "XREAD STREAMS x* >*",
        "PFCOUNT p* text", "PFCOUNT p* big", "PFMERGE other p* text", "PFMERGE text p*",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Combinations))]
    [TestCaseSource(nameof(Stores))]
    public void Others_have_their_turn_between_steps(string command)
    {
        Start();
        Assert.That(_other.TurnsBesides(_client, Whole(command), most: 2000, each: 2), Is.GreaterThan(2));
    }

    [TestCaseSource(nameof(Refused))]
    public void It_is_refused_as_in_one_go(string command)
    {
        Start();
        command = Whole(command);
        var inSteps = _client.All(1, command)[0];
        var error = _client.All(3, "MULTI", command, "EXEC")[2]; // Of one within a reply it is the first word.
        Assert.That(inSteps, Does.StartWith(error.Trim('[', ']')));
    }

    [TestCaseSource(nameof(Combinations))]
    public void It_is_what_it_is_in_one_go(string command)
    {
        Start(workers: 2);
        command = Whole(command);
        var inSteps = _client.All(1, command)[0];
        var whole = _client.All(3, "MULTI", command, "EXEC")[2];
        Assert.That(Sorted(inSteps), Is.EqualTo(Sorted(whole)));
    }

    [TestCaseSource(nameof(Stores))]
    public void What_is_stored_is_what_it_is_in_one_go(string command)
    {
        Start();
        var key = command.Split(' ')[1];
        var reply = _client.All(1, Whole(command))[0];
        var inSteps = _other.All(1, $"DEBUG DIGEST-VALUE {key}")[0];
        _server.Dispose();
        Start();
        Assert.That(_client.All(3, "MULTI", Whole(command), "EXEC")[2], Is.EqualTo($"[{reply}]"));
        Assert.That(_other.All(1, $"DEBUG DIGEST-VALUE {key}")[0], Is.EqualTo(inSteps));
    }

    [TestCase("SUNION s*", "s1999", 2 * Keys)] // All keys are held by then.
    [TestCase("SINTERSTORE other s*", "s1998", 2 * Keys)]
    [TestCase("ZINTER 2000 z*", "z1997", 2 * Keys)]
    [TestCase("ZUNIONSTORE other 2000 z*", "z0000", 2 * Keys)]
    [TestCase("MGET s* z* text", "s0001", 20)]
    [TestCase("EXISTS s* z* text", "s0005", 20)]
    [TestCase("PFCOUNT p*", "p0001", 20)]
    [TestCase("XREAD STREAMS x* 0*", "x0001", 20)]
    [TestCase("PFMERGE other p*", "p0002", 20)]
    public void Who_would_change_a_key_waits(string command, string key, int turns)
    {
        Start();
        _ = _other.Call("DEBUG SMALL-STEPS 1");
        _client.Send(Whole(command));
        Turn(turns);
        _other.Send("PING", $"DEL {key}");
        Turn(20);
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "+PONG" }));
        Assert.That(_client.Replies(), Is.Empty);
        _ = _server.Connect().Call("DEBUG SMALL-STEPS 0");
        Assert.That(_client.Rest(1)[0], Does.Not.StartWith("-"));
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { ":1" }));
    }

    [Test]
    public void A_script_that_changes_a_key_has_it_begin_anew()
    {
        Start();
        _ = _other.Call("DEBUG SMALL-STEPS 1");
        _client.Send(Whole("SINTER s*"));
        Turn(2 * Keys);
        _other.Send("EVAL return(redis.call('srem','s1777','a')) 0", "DEBUG SMALL-STEPS 0");
        Assert.That(_other.Rest(2), Is.EqualTo(new[] { ":1", "+OK" }));
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { "[$b]" }));
    }

    [TestCase("SUNIONSTORE other s*")]
    [TestCase("ZUNIONSTORE other 2000 z*")]
    public void A_client_that_goes_leaves_nothing(string command)
    {
        Start();
        _client.Send(Whole(command));
        Turn(8);
        _client.Close();
        _server.Settle();
        _server.Settle();
        Assert.That(_other.All(2, "DEL s0001 z0001", "FLUSHALL"), Is.EqualTo(new[] { ":2", "+OK" }));
        _server.Settle();
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    private void Start(int workers = 1)
    {
        _server = new TurnServer(workers);
        (_client, _other) = (_server.Connect(), _server.Connect());
        for (var i = 0; i < Keys; i += 250)
        {
            var numbers = Enumerable.Range(i, 250).ToArray();
            _ = _other.Call(
                [
                    .. numbers.Select(n => $"SADD s{n:d4} a b c{n} d{n / 100}"),
                    .. numbers.Select(n => $"XADD x{n:d4} 1-1 a {n}"),
                    .. numbers.Select(n => $"PFADD p{n:d4} a c{n}"),
                    .. numbers.Select(n => $"ZADD z{n:d4} {n} a 1.5 b {n / 3.0} c{n} 2 d{n / 100}"),
                ]);
        }

        var even = Enumerable.Range(0, 3000).Select(n => $"c{n * 2}");
        _ = _other.Call($"SADD big {string.Join(' ', even)}", "SET text 1");
    }

    private void Turn(int turns)
    {
        for (var i = 0; i < turns; i++)
        {
            _server.Turn(0);
        }
    }

    private static string Sorted(string reply) => string.Join(' ', reply.Trim('[', ']').Split(' ').Order());

    /// <summary>Writes out what a star stands for: so many names.</summary>
    private static string Whole(string command)
        => string.Join(' ', command.Split(' ').Select(word => word[^1] != '*' ? word
            : word is "0*" or "$*" or ">*" ? string.Join(' ', Enumerable.Repeat(word[..1], Keys))
            : word == "w*" ? string.Join(' ', Enumerable.Range(0, Keys).Select(n => $"{n % 7}"))
            : string.Join(' ', Enumerable.Range(0, Keys).Select(n => $"{word[..^1]}{n:d4}"))));
}
