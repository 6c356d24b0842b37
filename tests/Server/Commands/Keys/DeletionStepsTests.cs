using NUnit.Framework;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>DEL and UNLINK of very many keys: others come between their steps, and each key goes once.</summary>
[TestFixture(1)]
[TestFixture(3)]
internal sealed class DeletionStepsTests(int workers)
{
    private const int Keys = 6000;
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers);
        _client = _server.Connect();
        _other = _server.ConnectBeside();
        foreach (var some in Enumerable.Range(0, Keys).Chunk(1000))
        {
            _client.Expect(["MSET " + string.Join(' ', some.Select(i => $"key:{i} {i}"))], "+OK");
        }
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [Test]
    public void Others_are_served_between_its_steps([Values("DEL", "UNLINK")] string verb)
    {
        Assert.That(_other.TurnsBesides(_client, Whole(verb), most: 100, each: 1), Is.GreaterThan(8));
        Assert.That(_other.All(1, "DBSIZE")[0], Is.EqualTo(":0"));
    }

    [Test]
    public void Each_key_is_counted_and_the_journal_told_once()
    {
        var log = new EffectLog(_server);
        Assert.That(_client.All(1, Whole("DEL") + " nothing key:5")[0], Is.EqualTo($":{Keys}"));
        var told = log.Take().Where(static command => command.StartsWith("DEL ", StringComparison.Ordinal)).ToArray();
        Assert.That(told, Has.Length.GreaterThan(4));
        var names = told.SelectMany(static command => command.Split(' ').Skip(1));
        Assert.That(names, Is.EquivalentTo(Names().Append("nothing").Append("key:5")));
        log.Dispose();
    }

    /// <summary>What comes anew behind it stays, also where the client has gone meanwhile.</summary>
    [Test]
    public void What_comes_behind_it_stays([Values] bool goes)
    {
        _client.Send(Whole("DEL"));
        TurnUntilSomeAreGone();
        if (goes)
        {
            _client.Close();
        }

        _other.Expect(["SET key:0 new"], "+OK");
        _server.Settle();
        Assert.That(_other.All(2, "GET key:0", "DBSIZE"), Is.EqualTo(new[] { "$new", ":1" }));
    }

    [Test]
    public void A_key_that_is_held_is_waited_for()
    {
        _ = _other.Call("DEL key:5000", "SADD key:5000 a b c d e f g h", "SADD some a b", "DEBUG SMALL-STEPS 1");
        _other.Send("SUNION key:5000 some");
        _server.Turn(0);
        Assert.That(_server.ShardOf("key:5000").Waits.Count, Is.GreaterThan(0));
        _client.Send(Whole("DEL"));
        _server.Turn(0);
        _ = _server.Connect().Call("DEBUG SMALL-STEPS 0");
        Assert.That(_other.Rest(1)[0], Does.Contain("$h"));
        Assert.That(_client.Rest(1)[0], Is.EqualTo($":{Keys}"));
    }

    [Test]
    public void In_a_transaction_it_is_one_moment()
    {
        Assert.That(_client.All(3, "MULTI", Whole("DEL"), "EXEC")[2], Is.EqualTo($"[:{Keys}]"));
    }

    private static IEnumerable<string> Names() => Enumerable.Range(0, Keys).Select(static i => $"key:{i}");

    private static string Whole(string verb) => $"{verb} {string.Join(' ', Names())}";

    private void TurnUntilSomeAreGone()
    {
        IReadOnlyList<string> seen = [":1"];
        for (var turns = 0; seen is not [":0"]; turns++)
        {
            _other.Send("EXISTS key:0");
            _server.Turn(0);
            seen = _other.Replies();
            Assert.That(turns, Is.LessThan(60));
        }

        Assert.That(_client.Replies(), Is.Empty);
    }
}
