using NUnit.Framework;
using Strata.Tests.Server.Journal;

namespace Strata.Tests.Server.Execution;

/// <summary>XREAD and XREADGROUP of very many streams go on in steps, also where they begin to wait.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class ManyStreamsTests(int workers)
{
    private const int Streams = 1500;
    private const string OfGroup = "XREADGROUP GROUP g c STREAMS * >*";
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static IEnumerable<string> Readings =>
    [
        OfGroup, "XREADGROUP GROUP g c COUNT 1 NOACK STREAMS * >*", "XREADGROUP GROUP g d STREAMS * 0*",
        "XREADGROUP GROUP g d COUNT 1 STREAMS * 0*", "XREADGROUP GROUP g c STREAMS * stream0 >* >",
    ];

    private static IEnumerable<string> Refused =>
    [
        "XREADGROUP GROUP none c STREAMS * >*", "XREADGROUP GROUP g c STREAMS * missing >* >",
        "XREADGROUP GROUP g c STREAMS * text >* >", "XREADGROUP GROUP g c STREAMS * stream1 >* $",
        "XREADGROUP GROUP g c STREAMS * stream1 >* x", "XREADGROUP GROUP g c STREAMS *",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Readings))]
    public void Others_have_their_turn(string command)
    {
        Start();
        Assert.That(_other.TurnsBesides(_client, Whole(command), most: 2000, each: 1), Is.GreaterThan(5));
    }

    [TestCaseSource(nameof(Readings))]
    public void It_is_what_it_is_in_one_go(string command)
    {
        var results = new List<string>();
        foreach (var inOneGo in new[] { false, true })
        {
            Start();
            var log = new EffectLog(_server);
            var replies = inOneGo
                ? _client.All(3, "MULTI", Whole(command), "EXEC")[2]
                : $"[{_client.All(1, Whole(command))[0]}]";
            var told = string.Join(',', log.Take().Where(static command => command is not ("MULTI" or "EXEC")));
            var after = _client.All(3, "XPENDING stream7 g", "XINFO GROUPS stream1499", "XPENDING stream1499 g - + 9");
            results.Add(string.Join('\n', [replies, told, .. after]));
            log.Dispose();
            _server.Dispose();
        }

        Start();
        Assert.That(results[0], Is.EqualTo(results[1]));
    }

    [TestCaseSource(nameof(Refused))]
    public void It_is_refused_as_in_one_go_and_nothing_is_given(string command)
    {
        Start();
        var inSteps = _client.All(1, Whole(command))[0];
        var error = _client.All(3, "MULTI", Whole(command), "EXEC")[2]; // Of one within a reply it is the first word.
        Assert.That(inSteps, Does.StartWith(error.Trim('[', ']')));
        Assert.That(_other.All(1, "XPENDING stream0 g - + 9 c")[0], Is.EqualTo("[]"));
    }

    [Test]
    public void Who_would_change_a_stream_waits_until_all_are_given()
    {
        Start();
        _client.Send(Whole(OfGroup));
        _server.AwaitHold("stream0", most: 50);

        _other.Send("XACK stream0 g 1-1 2-1", "PING");
        _server.Turn(0);
        Assert.That(_client.Replies().Count + _other.Replies().Count, Is.Zero);
        _ = _client.Rest(1);
        Assert.That(_other.Rest(2), Is.EqualTo(new[] { ":2", "+PONG" }));
    }

    /// <summary>Before anything was given it begins anew; then it goes on without that stream.</summary>
    [Test]
    public void A_script_may_take_a_stream_away([Values(1, 8, 12, 16)] int turns)
    {
        Start();
        _client.Send(Whole(OfGroup));
        for (var i = 0; i < turns; i++)
        {
            _server.Turn(0);
        }

        Assert.That(_client.Replies(), Is.Empty);
        _other.Send("EVAL return(redis.call('del','stream1499')) 0");
        var reply = _client.Rest(1)[0];
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { ":1" }));
        Assert.That(reply, Does.StartWith("-NOGROUP").Or.StartsWith("[[$stream0 [[$1-1 [$f $v0]]"));
        var pending = _other.All(2, "XPENDING stream0 g - + 9 c", "XPENDING stream1498 g - + 9 c");
        Assert.That(pending.Select(each => each == "[]"), Is.All.EqualTo(reply[0] == '-'));
    }

    [TestCase("XREAD BLOCK 0 STREAMS * $*")]
    [TestCase("XREADGROUP GROUP g c BLOCK 0 STREAMS * >*")]
    public void It_begins_to_wait_in_steps_and_is_served(string command)
    {
        Start();
        _ = _client.All(1, Whole(OfGroup));
        _client.Send(Whole(command));
        var turns = 0;
        for (; Waits < Streams; turns++)
        {
            Assert.That(turns, Is.LessThan(400));
            _server.Turn(turns % workers);
        }

        Assert.That(turns, Is.GreaterThan(10));
        _server.Settle();
        _other.Expect(["XADD stream1077 5-1 f new"], "$5-1");
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "[[$stream1077 [[$5-1 [$f $new]]]]]" }));
        Assert.That(Waits, Is.Zero);
    }

    /// <summary>Also to a stream that is waited for by then, or was looked at last before.</summary>
    [Test]
    public void What_a_script_brings_meanwhile_is_given(
        [Values("XREAD BLOCK 0 STREAMS * $*", "XREADGROUP GROUP g c BLOCK 0 STREAMS * >*")] string command,
        [Values(2, 6, 10, 14, 18, 22, 26, 30)] int turns,
        [Values(0, Streams - 1)] int stream)
    {
        Start();
        _ = _client.All(1, Whole(OfGroup));
        _client.Send(Whole(command));
        for (var turn = 0; turn < turns; turn++)
        {
            _server.Turn(turn % workers);
        }

        _other.Send($"EVAL return(redis.call('xadd','stream{stream}','5-1','f','new')) 0");
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { "$5-1" }));
        if (command.StartsWith("XREAD ", StringComparison.Ordinal))
        {
            _ = _other.All(1, $"XADD stream{stream} 6-1 f new"); // The first may have come before it had looked.
        }

        Assert.That(_client.Rest(1)[0], Does.StartWith($"[[$stream{stream} [[$"));
        Assert.That(Waits, Is.Zero);
    }

    [Test]
    public void What_was_deleted_is_no_news()
    {
        Start();
        _ = _client.All(1, Whole(OfGroup));
        _ = _other.Call("XADD stream3 5-1 f new", "XDEL stream3 5-1");
        _client.Send(Whole("XREADGROUP GROUP g c BLOCK 0 STREAMS * >*"));
        _server.Settle();
        _server.Settle();
        Assert.That(Waits, Is.EqualTo(Streams));
        _other.Expect(["XADD stream3 6-1 f new"], "$6-1");
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { "[[$stream3 [[$6-1 [$f $new]]]]]" }));
    }

    [TestCase("XREAD BLOCK 0 STREAMS * $*")]
    [TestCase("XREADGROUP GROUP g c BLOCK 0 STREAMS * >*")]
    public void Who_goes_before_all_are_waited_for_leaves_nothing(string command)
    {
        Start();
        _ = _client.All(1, Whole(OfGroup));
        _client.Send(Whole(command));
        for (var turns = 0; Waits == 0; turns++)
        {
            _server.Turn(turns % workers);
            Assert.That(turns, Is.LessThan(400));
        }

        _client.Close();
        _server.Settle();
        Assert.That(Waits, Is.Zero);
    }

    private int Waits => _server.Server.Context.Shards.All.ToArray().Sum(static shard => shard.Waits.Keys);

    private static string Whole(string command)
        => string.Join(' ', command.Split(' ').Select(word => word == "*"
            ? string.Join(' ', Enumerable.Range(0, Streams).Select(i => $"stream{i}"))
            : word[^1] == '*' ? string.Join(' ', Enumerable.Repeat(word[..^1], Streams)) : word));

    private void Start()
    {
        _server = new TurnServer(workers);
        (_client, _other) = (_server.Connect(), _server.ConnectBeside());

        for (var i = 0; i < Streams; i += 250)
        {
            var numbers = Enumerable.Range(i, 250).ToArray();
            _ = _other.Call(
                [
                    .. numbers.Select(n => $"XADD stream{n} 1-1 f v{n}"),
                    .. numbers.Select(n => $"XGROUP CREATE stream{n} g 0"),
                    .. numbers.Select(n => $"XREADGROUP GROUP g d STREAMS stream{n} >"),
                    .. numbers.Select(n => $"XGROUP SETID stream{n} g 0"),
                    .. numbers.Select(n => $"XADD stream{n} 2-1 f w{n}"),
                ]);
        }

        _ = _other.Call("SET text x");
    }
}
