using System.Globalization;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Execution;

/// <summary>Commands that write, or may, and answer much: at the end of memory they are refused before they change
/// anything, however often what they are to answer would be written.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class AnswerBeforeChangeTests(int workers)
{
    private const string Refusal = "-OOM command not allowed: there is no memory for its reply";
    private const int ValueBytes = 40_000;

    // Each is answered so often, which makes more than a megabyte.
    private const int Times = 40;

    private static readonly string s_streams = Repeat(" stream") + Repeat(" 0");

    private TurnServer _server = null!;
    private TurnClient _client = null!;

    private static IEnumerable<string> Commands =>
    [
        $"XREADGROUP GROUP group reader STREAMS{s_streams}",
        "XREADGROUP GROUP group other STREAMS fresh >",
        $"XCLAIM stream group other 0{Repeat(" 1-1")}",
        "XAUTOCLAIM many group other 0 0",
        "XREADGROUP GROUP group reader STREAMS many 0",
        "LPOP values 40",
        "RPOP values 100",
        "LMPOP 1 values LEFT COUNT 40",
        "ZPOPMIN scores 40",
        "ZMPOP 1 scores MAX COUNT 40",
        "SPOP members 40",
    ];

    [SetUp]
    public void SetUp()
    {
        _server = new TurnServer(workers);
        _client = _server.Connect();
        var value = new string('v', ValueBytes);
        string[] all = ["RPUSH list 1", $"SET large:1 {value}", $"XADD stream 1-1 field {value}"];
        for (var i = 0; i < Times; i++)
        {
            all =
            [
                .. all, $"RPUSH values {i}{value}", $"ZADD scores {i} {i}{value}", $"SADD members {i}{value}",
                $"XADD many {i + 1}-1 field {value}", $"XADD fresh {i + 1}-1 field {value}",
            ];
        }

        foreach (var command in all)
        {
            _ = _client.Call(command);
        }

        foreach (var key in new[] { "stream", "many" })
        {
            _ = _client.Call($"XGROUP CREATE {key} group 0", $"XGROUP CREATECONSUMER {key} group other");
            for (var i = 0; i < Times; i += 5)
            {
                _ = _client.All(1, $"XREADGROUP GROUP group reader COUNT 5 STREAMS {key} >");
            }
        }

        _ = _client.Call("XGROUP CREATE fresh group 0");
    }

    [TearDown]
    public void TearDown() => _server.Dispose();

    [TestCaseSource(nameof(Commands))]
    public void Are_refused_at_the_end_of_memory_and_have_changed_nothing(string command)
    {
        var before = State();
        var transaction = _server.Connect();
        transaction.Expect(["MULTI", command], "+OK", "+QUEUED");
        AtTheEnd(() =>
        {
            _client.Expect([command, "PING"], Refusal, "+PONG");
            Assert.That(transaction.Call("EXEC")[0], Does.StartWith("[-OOM"));
        });
        Assert.That(State(), Is.EqualTo(before));

        var reply = _client.All(1, command)[0];
        Assert.That(reply, Has.Length.GreaterThan(1 << 20));
    }

    /// <summary>It may write, and so is refused sooner than others: what it answers must pass the end by itself.
    /// </summary>
    [TestCase("SORT list BY nosort{0}", " GET large:*")]
    [TestCase("EVAL return(redis.call('SORT','list','BY','nosort'{0})) 0", ",'GET','large:*'")]
    public void Sort_is_refused_what_it_would_answer(string command, string get)
    {
        _ = _client.Call("SETRANGE large:1 1000000 x");
        var budget = _server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes + (1 << 20);

        var reply = _client.Call(string.Format(CultureInfo.InvariantCulture, command, Repeat(get)))[0];

        Assert.That(reply, Does.StartWith(Refusal));
        _client.Expect(["LRANGE list 0 -1"], "[$1]");
    }

    [TestCase("LPOP values 2", 2)]
    [TestCase("ZPOPMIN scores 2", 4)]
    [TestCase("XCLAIM many group other 0 1-1 2-1", 2)]
    public void Are_executed_where_they_answer_little(string command, int elements)
        => AtTheEnd(() => Assert.That(
            _client.All(1, command)[0].Split(' '), Has.Length.GreaterThanOrEqualTo(elements)));

    /// <summary>Where there is no memory for a copy of a group it is changed in place: that is no refusal.</summary>
    [Test]
    public void What_is_acknowledged_needs_no_memory()
    {
        const int Entries = 6_000;
        const int AtATime = 200;
        _ = _client.Call("XGROUP CREATE small group 0 MKSTREAM");
        for (var i = 0; i < Entries; i += AtATime)
        {
            _ = _client.Call([.. Enumerable.Range(i + 1, AtATime).Select(number => $"XADD small {number}-1 a b")]);
            _ = _client.All(1, "XREADGROUP GROUP group reader STREAMS small >");
        }

        var ids = string.Join(' ', Enumerable.Range(1, Entries).Select(number => $"{number}-1"));
        AtTheEnd(() => Assert.That(
            _client.All(1, $"XACK small group {ids}"), Is.EqualTo(new[] { $":{Entries}" })));
    }

    private static string Repeat(string words) => string.Concat(Enumerable.Repeat(words, Times));

    private void AtTheEnd(Action act)
    {
        var budget = _server.Server.Context.Shards.Budget;
        budget.LimitBytes = budget.UsedBytes;
        var end = budget.BytesBeyondLimit();
        budget.Charge(end);
        act();
        budget.Charge(-end);
        budget.LimitBytes = 0;
    }

    private IReadOnlyList<string> State()
        => _client.Call(
            "LLEN values", "ZCARD scores", "SCARD members", "LLEN list", "XPENDING stream group",
            "XPENDING many group", "XPENDING fresh group");
}
