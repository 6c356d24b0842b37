using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands over long strings go on in steps, between which others have their turn, and are as if they were
/// executed at one moment.</summary>
[TestFixture]
internal sealed class StringPassTests
{
    private const int Bytes = 30_000;
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static IEnumerable<string> Reads =>
    [
        "GET long", "GETRANGE long 5 -7", "SUBSTR long 1 -2", "BITCOUNT long", "BITCOUNT long 3 -3",
        "BITCOUNT long 11 -13 BIT", "BITPOS zeros 1", "BITPOS zeros 1 78 -1 BIT", "BITPOS ones 0", "BITPOS ones 0 2 -1",
        "BITPOS ones 0 3 -3 BIT", "BITPOS zeros 1 0 -9 BIT",
    ];

    private static IEnumerable<string> Stores =>
    [
        "BITOP AND other long ones", "BITOP OR other zeros long nothing", "BITOP XOR long long ones half",
        "BITOP NOT other long", "BITOP NOT list long", "COPY long other", "COPY long ones REPLACE",
        "COPY long list REPLACE",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Reads))]
    [TestCaseSource(nameof(Stores))]
    public void Others_have_their_turn_between_steps(string command)
    {
        Start();
        var turns = _other.TurnsBesides(_client, command, most: 200, each: 1);
        Assert.That(turns, Is.InRange(10, 120), "it takes some turns");
    }

    [TestCaseSource(nameof(Reads))]
    [TestCaseSource(nameof(Stores))]
    public void It_is_what_it_is_in_one_go(string command)
    {
        var results = new List<string>();
        foreach (var inOneGo in new[] { false, true })
        {
            Start(workers: 2);
            var replies = inOneGo ? _client.All(3, "MULTI", command, "EXEC")[2] : $"[{_client.All(1, command)[0]}]";
            foreach (var other in new[] { "long", "other", "ones", "list" })
            {
                replies += '\n' + string.Join(
                    ' ', _client.All(3, $"DEBUG DIGEST-VALUE {other}", $"TTL {other}", $"OBJECT ENCODING {other}"));
            }

            results.Add(replies);
            _server.Dispose();
        }

        Start();
        Assert.That(results[0], Is.EqualTo(results[1]));
    }

    [TestCaseSource(nameof(Reads))]
    [TestCaseSource(nameof(Stores))]
    public void Who_would_change_a_key_waits(string command)
    {
        Start();
        var words = command.Split(' ');
        var key = words[0] == "BITOP" ? words[3] : words[1];
        var reply = _client.All(3, "MULTI", command, "EXEC")[2];
        _server.Dispose();
        Start();
        _client.Send(command);
        _server.Turn(0);
        _other.Send($"APPEND {key} more", "PING");
        _server.Turn(0);
        Assert.That(_other.Replies(), Is.Empty);
        Assert.That($"[{_client.Rest(1)[0]}]", Is.EqualTo(reply));
        Assert.That(_other.Rest(2)[1], Is.EqualTo("+PONG"));
    }

    [TestCaseSource(nameof(Reads))]
    [TestCaseSource(nameof(Stores))]
    public void It_comes_to_an_end_whatever_scripts_do(string command)
    {
        Start();
        _client.Send(command);
        for (var turns = 0; _client.Replies().Count == 0; turns++)
        {
            _other.Send("EVAL redis.call('append','long','x')redis.call('append','ones','x')"
                + "redis.call('append','zeros','x') 0");
            _server.Turn(0);
            Assert.That(turns, Is.LessThan(200));
        }

        _server.Settle();
        _ = _other.Replies();
    }

    [TestCaseSource(nameof(Reads))]
    [TestCaseSource(nameof(Stores))]
    public void A_client_that_goes_leaves_nothing(string command)
    {
        Start(workers: 2);
        _client.Send(command);
        _server.Turn(0);
        _server.Turn(1);
        _client.Close();
        _server.Settle();
        _server.Settle();
        Assert.That(_other.All(1, "FLUSHALL"), Is.EqualTo(new[] { "+OK" }));
        Assert.That(_server.ShardOf("long").Changes.AreHeard, Is.False);
    }

    [TestCase("GET long", "nil")]
    [TestCase("BITCOUNT long", ":0")]
    [TestCase("BITOP NOT other long", ":0")]
    [TestCase("COPY long other", ":0")]
    public void It_begins_anew_when_the_key_goes(string command, string reply)
    {
        Start();
        _client.Send(command);
        _server.Turn(0);
        _other.Send("FLUSHALL");
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { reply }));
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { "+OK" }));
        Assert.That(_other.All(1, "EXISTS other"), Is.EqualTo(new[] { ":0" }));
    }

    [Test]
    public void Pages_become_those_of_the_key([Values("BITOP NOT", "COPY")] string command)
    {
        Start();
        _ = _other.Call("DEBUG SMALL-STEPS 0", "SETBIT huge 160000007 1", "SETBIT huge 7 1");
        var made = command == "COPY" ? "COPY huge other REPLACE" : "BITOP NOT other huge";
        foreach (var name in new[] { "first", "again, in the place of the first" })
        {
            Assert.That(_client.All(1, made)[0], Does.StartWith(":"), name);
            var counts = _client.All(3, "STRLEN other", "BITCOUNT other", "GETRANGE other 19999998 -1");
            Assert.That(counts[..2], Is.EqualTo(command == "COPY"
                ? new[] { ":20000001", ":2" }
                : [":20000001", $":{(20000001 * 8) - 2}"]));
        }
    }

    [Test]
    public void A_string_that_becomes_long_at_once_holds_zeros_whatever_was_there()
    {
        Start();
        _ = _other.Call("DEBUG SMALL-STEPS 0");
        for (var i = 0; i < 3; i++)
        {
            var counts = _client.All(
                6, "SETBIT huge 160000007 1", "BITCOUNT huge", "BITOP NOT huge huge", "DEL huge",
                "SETRANGE huge 20000000 a", "BITCOUNT huge");
            Assert.That(counts, Is.EqualTo(new[] { ":0", ":1", ":20000001", ":1", ":20000001", ":3" }));
            Assert.That(
                _client.All(4, "SETBIT huge 200000007 1", "BITCOUNT huge", "BITOP NOT huge huge", "DEL huge"),
                Is.EqualTo(new[] { ":0", ":4", ":25000001", ":1" }));
        }
    }

    private void Start(int workers = 1)
    {
        _server = new TurnServer(workers);
        (_client, _other) = (_server.Connect(), _server.Connect());
        var text = string.Concat(Enumerable.Range(0, Bytes / 5).Select(n => $"{n * 7919 % 99991:d5}"));
        _ = _other.Call(
            $"SET long {text}", $"SETBIT zeros {(Bytes * 8) - 9} 1", $"SETRANGE half {Bytes / 2} a",
            $"SETRANGE blank {Bytes - 1} x", $"SETRANGE blank {Bytes - 1} \0", "BITOP NOT ones blank",
            $"SETBIT ones {(Bytes * 8) - 9} 0", "RPUSH list a b", "PEXPIRE long 100000", "PEXPIRE ones 200000",
            "DEBUG SMALL-STEPS 1");
    }
}
