using NUnit.Framework;

namespace Strata.Tests.Server.Execution;

/// <summary>Scans whose patterns take long over long names go on in steps, and give what they give in one go.
/// </summary>
[TestFixture]
internal sealed class LongGlobTests
{
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    private static IEnumerable<string> Commands =>
    [
        "SSCAN set 0 MATCH GLOB", "HSCAN hash 0 MATCH GLOB", "ZSCAN zset 0 MATCH GLOB",
        "SSCAN large 0 MATCH GLOB COUNT 900",
        "SCAN 0 MATCH GLOB COUNT 9000", "KEYS GLOB", "HSCAN hash 0 MATCH GLOB NOVALUES",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Commands))]
    public void Others_have_their_turn_between_steps(string command)
    {
        Start();
        Assert.That(_other.TurnsBesides(_client, Whole(command), most: 5000, each: 2), Is.GreaterThan(5));
    }

    [TestCaseSource(nameof(Commands))]
    public void It_gives_what_it_gives_in_one_go(string command)
    {
        Start(workers: 2);
        command = Whole(command);
        var inSteps = _client.All(1, command)[0];
        Assert.That(inSteps, Does.Contain("aaab").And.Not.Contain("aaac"));
        Assert.That(Sorted($"[{inSteps}]"), Is.EqualTo(Sorted(_client.All(3, "MULTI", command, "EXEC")[2])));
    }

    [Test]
    public void A_small_set_of_integers_may_take_steps_too()
    {
        Start();
        _ = _other.Call("SADD integers 1 20 3 41 5 600", "DEBUG SMALL-STEPS 1");
        Assert.That(_client.All(1, "SSCAN integers 0 MATCH ?0*"), Is.EqualTo(new[] { "[$0 [$20 $600]]" }));
        Assert.That(_client.All(1, "SSCAN integers 0 MATCH ")[0], Is.EqualTo("[$0 []]"));
    }

    [Test]
    public void Many_keys_of_one_bucket_are_found_in_the_shortest_steps()
    {
        Start();
        _ = _other.Call([.. Enumerable.Range(0, 200).Select(n => $"SET key{n} 1"), "DEBUG SMALL-STEPS 1"]);
        var keys = _client.All(1, "SCAN 0 MATCH *k?y?* COUNT 10000")[0].Split(' ').Skip(1).ToList();
        Assert.That(keys.Distinct().Count(), Is.EqualTo(200));
        Assert.That(_client.All(1, "KEYS *k?y?*")[0].Split(' '), Has.Length.EqualTo(200));
    }

    [Test]
    public void A_key_that_goes_in_the_midst_of_its_match_is_not_given()
    {
        Start();
        _client.Send(Whole("SCAN 0 MATCH GLOB COUNT 9000"));
        Turn(6);
        _other.Send("FLUSHALL", $"SET {new string('a', 300)}b 1");
        Turn(4);
        Assert.That(_other.Replies(), Is.EqualTo(new[] { "+OK", "+OK" }));
        Assert.That(_client.Rest(1)[0], Does.StartWith("[$0 [").And.Length.LessThan(400));
    }

    private void Start(int workers = 1)
    {
        _server = new TurnServer(workers);
        (_client, _other) = (_server.Connect(), _server.Connect());
        foreach (var i in Enumerable.Range(0, 6))
        {
            var name = new string('a', 4000 + (i * 100)) + (i % 2 == 0 ? "b" : "c");
            _ = _other.Call(
                $"SADD set {name}", $"HSET hash {name} {i}", $"ZADD zset {i} {name}", $"SADD large {name}",
                $"SET {name} {i}");
        }

        _ = _other.Call($"SADD large {string.Join(' ', Enumerable.Range(0, 600).Select(n => $"m{n}"))}");
    }

    private void Turn(int turns)
    {
        for (var i = 0; i < turns; i++)
        {
            _server.Turn(0);
        }
    }

    private static string Sorted(string reply) => string.Join(' ', reply.Trim('[', ']').Split(' ', ']', '[').Order());

    private static string Whole(string command)
        => command.Replace("GLOB", "*" + string.Concat(Enumerable.Repeat("a?", 60)) + "b", StringComparison.Ordinal);
}
