using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Tests.Server.Journal;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands over many entries of streams, and over much that is pending, go on in steps, and are as if they
/// were executed at one moment.</summary>
[TestFixture]
internal sealed class StreamPassTests
{
    private const int Entries = 12_000;
    private const int Read = 10_000;
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static IEnumerable<string> Reads =>
    [
        "XRANGE stream - +", "XREVRANGE stream + 100", "XREAD STREAMS stream 0", "XREAD COUNT 5000 STREAMS stream 70",
        "XREAD STREAMS second stream nothing 0 0 0", "XPENDING stream g - + 100000",
    ];

    // Of a list of ids only the beginning is written.
    private static IEnumerable<string> Changes =>
    [
        "XREADGROUP GROUP fresh c STREAMS stream >", "XREADGROUP GROUP fresh c COUNT 9000 STREAMS stream >",
        "XREADGROUP GROUP fresh c NOACK STREAMS stream >", "XREADGROUP GROUP fresh c BLOCK 0 STREAMS stream >",
        "XREADGROUP GROUP fresh c STREAMS second stream > >", "XREADGROUP GROUP fresh c STREAMS second stream 0 >",
        "XREADGROUP GROUP g a STREAMS stream 0", "XREADGROUP GROUP g a COUNT 4000 STREAMS stream 500",
        "XREADGROUP GROUP g a STREAMS stream 0-0", "XAUTOCLAIM stream g c 0 0 COUNT 9000",
        "XAUTOCLAIM stream g b 0 700 COUNT 5000 JUSTID", "XAUTOCLAIM stream g c 99999999 0 COUNT 100000",
        "XCLAIM stream g c 0 id*", "XCLAIM stream g b 0 id* FORCE JUSTID LASTID 11000",
        "XCLAIM stream g c 99999999 id*",
        "XACK stream g id*", "XGROUP DELCONSUMER stream g a", "XDEL stream id*",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Reads))]
    [TestCaseSource(nameof(Changes))]
    public void Others_have_their_turn_between_steps(string command)
    {
        Start();
        var turns = _other.TurnsBesides(_client, Whole(command), most: 200, each: 2);
        Assert.That(turns, Is.InRange(3, 150), "it takes some turns");
    }

    [TestCaseSource(nameof(Reads))]
    [TestCaseSource(nameof(Changes))]
    public void It_is_what_it_is_in_one_go(string command)
    {
        Start();
        var inSteps = _client.All(1, Whole(command))[0];
        var state = State();
        _server.Dispose();
        Start();
        var whole = _client.All(3, "MULTI", Whole(command), "EXEC")[2];
        Assert.That("[" + inSteps + "]", Is.EqualTo(whole));
        Assert.That(State(), Is.EqualTo(state));
    }

    [TestCaseSource(nameof(Changes))]
    public void Nothing_has_changed_before_the_last_step(string command)
    {
        string[] looks =
        [
            "XPENDING stream g", "XPENDING stream fresh", "XINFO GROUPS stream", "XINFO GROUPS second",
            "XINFO STREAM stream",
        ];
        Start();
        var before = _other.All(looks.Length, looks);
        _client.Send(Whole(command));
        _server.Turn(0);
        _server.Turn(0);
        _other.Send([.. looks, "XADD stream 20000 f v"]);
        _server.Turn(0);
        Assert.That(_other.Replies(), Is.EqualTo(before), "and who would change the key waits");
        Assert.That(_client.Replies(), Is.Empty);
        _ = _client.Rest(1);
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { "$20000-0" }));
    }

    [TestCaseSource(nameof(Changes))]
    public void A_script_that_changes_the_key_has_it_begin_anew(string command)
    {
        Start();
        _client.Send(Whole(command));
        _server.Turn(0);
        _ = _other.All(1, "EVAL return(redis.call('del','stream')) 0");
        var replies = _client.Rest(1);
        Assert.That(
            replies[0], command[..4] is "XACK" or "XDEL"
                ? Is.EqualTo(":0")
                : command.StartsWith("XGROUP", StringComparison.Ordinal)
                    ? Does.StartWith("-ERR The XGROUP subcommand requires")
                    : Does.StartWith("-NOGROUP"));
    }

    [TestCaseSource(nameof(Changes))]
    public void A_client_that_goes_leaves_nothing(string command)
    {
        Start(workers: 2);
        _client.Send(Whole(command));
        _server.Turn(0);
        _server.Turn(1);
        _client.Close();
        _server.Settle();
        Assert.That(_other.All(1, "FLUSHALL"), Is.EqualTo(new[] { "+OK" }));
        _server.Settle();
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    [TestCaseSource(nameof(Changes))]
    public void What_is_told_to_the_journal_does_the_same_again(string command)
    {
        Start();
        List<string> told;
        using (var log = new EffectLog(_server))
        {
            _ = _client.All(1, Whole(command));
            told = [.. log.Take()];
        }

        var state = State();
        Assert.That(told, Has.Count.LessThan(200), "of many entries few commands are told");
        _server.Dispose();
        Start();
        foreach (var effect in told)
        {
            _ = _client.All(1, effect);
        }

        Assert.That(WithoutTimes(State()), Is.EqualTo(WithoutTimes(state)));
    }

    [Test]
    public void An_id_that_is_none_deletes_nothing()
    {
        Start();
        var before = State();
        Assert.That(
            _client.All(1, Whole("XDEL stream id* none")),
            Is.EqualTo(new[] { "-ERR Invalid stream ID specified as stream command argument" }));
        Assert.That(State(), Is.EqualTo(before));
        Assert.That(_client.All(1, "XDEL stream 1 none 2"), Has.Some.StartsWith("-ERR Invalid stream ID"));
    }

    [Test]
    public void Long_entries_are_answered_in_steps_be_they_few()
    {
        const int Long = 20;
        Start();
        var value = new string('v', 100_000);
        _ = _other.All(Long, [.. Enumerable.Range(1, Long).Select(n => $"XADD long {n} f {value}")]);
        var turns = _other.TurnsBesides(_client, "XRANGE long - + COUNT 15", most: 200, each: 2);
        Assert.That(turns, Is.InRange(3, 150), "it takes some turns");
    }

    [TestCase("XCLAIM few g c 0 1-0")]
    [TestCase("XAUTOCLAIM few g c 0 0")]
    public void Long_names_of_consumers_make_no_entry_long(string command)
    {
        Start();
        _ = _other.All(3, "XADD few 1-0 f v", "XGROUP CREATE few g 0", "XREADGROUP GROUP g first STREAMS few >");
        var name = new string('c', 1000);
        for (var i = 0; i < 5000; i += 50)
        {
            _ = _other.All(
                50, [.. Enumerable.Range(i, 50).Select(n => $"XGROUP CREATECONSUMER few g {name}{n}")]);
        }

        _client.Send(command);
        _server.Turn(0);
        Assert.That(_client.Replies(), Has.Count.EqualTo(1), "the group is not copied");
    }

    [Test]
    public void Who_waits_for_entries_is_given_what_comes_behind_the_steps()
    {
        Start();
        _ = _other.All(1, "XGROUP CREATE stream waiting $");
        var waiting = _server.Connect();
        waiting.Send("XREADGROUP GROUP waiting w BLOCK 0 STREAMS stream >");
        _client.Send("XREADGROUP GROUP fresh c STREAMS stream >");
        _server.Turn(0);
        _other.Send("XADD stream 20000 f v");
        _server.Turn(0);
        Assert.That(waiting.Replies(), Is.Empty);
        Assert.That(_client.Rest(1)[0], Does.Not.Contain("20000-0"));
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { "$20000-0" }));
        Assert.That(waiting.Rest(1)[0], Does.Contain("20000-0"));
    }

    /// <summary>A reader waits for what the command holds, and the command would for the reader.</summary>
    [TestCaseSource(nameof(Changes))]
    public void Who_waits_has_their_turn_before_one_who_begins_anew(string command)
    {
        Start();
        _ = _other.All(1, "XGROUP CREATE stream waiting $");
        var waiting = _server.Connect();
        waiting.Send("XREADGROUP GROUP waiting w BLOCK 0 STREAMS stream >");
        _client.Send(Whole(command));
        _server.Turn(0);
        _other.Send("EVAL redis.call('rename','stream','x')return(redis.call('rename','x','stream')) 0");
        Assert.That(_client.Rest(1)[0], Does.Not.StartWith("-"));
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { "+OK" }));
        _ = _other.All(1, "XADD stream 20000 f v");
        Assert.That(waiting.Rest(1)[0], Does.Contain("20000-0"));
    }

    private static string Whole(string command)
        => command.Replace(
            "id*",
            string.Join(' ', Enumerable.Range(1, 4200).Select(i => $"{(i * 7919L % Read) + 1}")),
            StringComparison.Ordinal);

    /// <summary>All but when consumers were seen, which nobody is told.</summary>
    private static IEnumerable<string> WithoutTimes(List<string> state)
        => state.Select(text => Regex.Replace(text, "[$](seen|active)-time :-?[0-9]+", ""));

    private void Start(int workers = 1)
    {
        _server = new TurnServer(workers);
        (_client, _other) = (_server.Connect(), _server.Connect());
        for (var i = 1; i <= Entries; i += 500)
        {
            _ = _other.All(500, [.. Enumerable.Range(i, 500).Select(n => $"XADD stream {n} f value{n}")]);
        }

        _ = _other.All(500, [.. Enumerable.Range(1, 500).Select(n => $"XADD second {n} f {n}")]);
        _ = _other.All(
            4, "XGROUP CREATE stream g 0", "XGROUP CREATE stream fresh 0", "XGROUP CREATE second fresh 0",
            "XGROUP CREATECONSUMER stream g c");
        for (var i = 0; i < Read; i += 500)
        {
            var consumer = i % 5000 == 0 ? "b" : "a";
            _ = _other.All(1, $"XREADGROUP GROUP g {consumer} COUNT 500 STREAMS stream >");
        }

        Assert.That(_other.All(1, "XDEL stream 100 3500"), Is.EqualTo(new[] { ":2" }));
        _server.Clock.AdvanceMs(5);
    }

    /// <summary>What is to be seen of the streams.</summary>
    private List<string> State()
        => _other.All(2, "XINFO STREAM stream FULL COUNT 0", "XINFO STREAM second FULL COUNT 0");
}
