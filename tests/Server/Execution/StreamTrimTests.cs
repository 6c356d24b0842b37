using NUnit.Framework;
using Strata.Tests.Server.Journal;

namespace Strata.Tests.Server.Execution;

/// <summary>XTRIM of many nodes goes on in steps, and is as if it were executed at one moment.</summary>
[TestFixture]
internal sealed class StreamTrimTests
{
    private const int Entries = 20_000;
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static IEnumerable<string> Trims =>
    [
        "XTRIM stream MAXLEN 20", "XTRIM stream MAXLEN 0", "XTRIM stream MINID 9001", "XTRIM stream MINID 99999",
        "XTRIM stream MAXLEN ~ 1003 LIMIT 0", "XTRIM stream MINID ~ 15000 LIMIT 12000",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Trims))]
    public void Others_have_their_turn_between_steps(string command)
    {
        Start();
        Assert.That(_other.TurnsBesides(_client, command, most: 200, each: 1), Is.InRange(3, 150), "it takes turns");
    }

    /// <summary>A node ends where its last entry was, also when that is deleted: what redis-server 7.0.15 answers.
    /// </summary>
    [TestCase("XTRIM s MINID ~ 16", ":0")]
    [TestCase("XTRIM s MINID ~ 17", ":2")]
    [TestCase("XTRIM s MINID 16", ":2")]
    [TestCase("XTRIM s MINID 2", ":1")]
    public void A_node_ends_with_an_entry_that_was_deleted(string trim, string expected)
    {
        _server = new TurnServer(1);
        _client = _server.Connect();
        _ = _client.All(
            6, "XADD s 1 f v", "XADD s 13 f v", "XADD s 16 f v", "XDEL s 16", "CONFIG SET stream-node-max-entries 1",
            "XADD s 17 f v");
        Assert.That(_client.All(1, trim), Is.EqualTo(new[] { expected }));
    }

    [TestCaseSource(nameof(Trims))]
    public void It_is_what_it_is_in_one_go(string command)
    {
        Start();
        var (inSteps, state) = (_client.All(1, command)[0], State());
        _server.Dispose();
        Start();
        Assert.That("[" + inSteps + "]", Is.EqualTo(_client.All(3, "MULTI", command, "EXEC")[2]));
        Assert.That(State(), Is.EqualTo(state));
    }

    [TestCaseSource(nameof(Trims))]
    public void Nothing_has_changed_before_the_last_step(string command)
    {
        Start();
        var before = _other.All(1, "XINFO STREAM stream");
        _client.Send(command);
        _server.Turn(0);
        _server.Turn(0);
        _other.Send("XINFO STREAM stream", "XADD stream 25000 f v");
        _server.Turn(0);
        Assert.That(_other.Replies(), Is.EqualTo(before), "and who would change the key waits");
        Assert.That(_client.Replies(), Is.Empty);
        _ = _client.Rest(1);
        Assert.That(_other.Rest(1), Is.EqualTo(new[] { "$25000-0" }));
    }

    [TestCaseSource(nameof(Trims))]
    public void A_script_that_changes_the_key_has_it_begin_anew(string command)
    {
        Start();
        _client.Send(command);
        _server.Turn(0);
        _ = _other.All(1, "EVAL return(redis.call('del','stream')) 0");
        Assert.That(_client.Rest(1), Is.EqualTo(new[] { ":0" }));
    }

    [TestCaseSource(nameof(Trims))]
    public void What_is_told_to_the_journal_does_the_same_again(string command)
    {
        Start();
        List<string> told;
        using (var log = new EffectLog(_server))
        {
            _ = _client.All(1, command);
            told = [.. log.Take()];
        }

        var state = State();
        _server.Dispose();
        Start();
        foreach (var effect in told)
        {
            _ = _client.All(1, effect);
        }

        Assert.That(State(), Is.EqualTo(state));
    }

    private void Start()
    {
        _server = new TurnServer(1);
        (_client, _other) = (_server.Connect(), _server.Connect());
        _ = _other.All(1, "CONFIG SET stream-node-max-entries 1");
        for (var i = 1; i <= Entries; i += 500)
        {
            _ = _other.All(500, [.. Enumerable.Range(i, 500).Select(n => $"XADD stream {n} f value{n}")]);
        }

        Assert.That(_other.All(1, "XDEL stream 100 3500"), Is.EqualTo(new[] { ":2" }));
    }

    private List<string> State() => _other.All(1, "XINFO STREAM stream FULL COUNT 0");
}
