using NUnit.Framework;
using Strata.Tests.Server.Execution;
using Strata.Tests.Server.Journal;

namespace Strata.Tests.Server.Commands.Hashes;

/// <summary>Commands about the times of very many fields go on in steps: until the last one the hash is what it was,
/// and then at once what it would be in one go.</summary>
[TestFixture]
internal sealed class FieldTimeStepsTests
{
    private const int Fields = 6000;
    private const string OfOne = "HPEXPIRETIME hash FIELDS 1 field5999";
    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    // Every third field expires before, and of those that are named some are not there.
    private static IEnumerable<string> Changes =>
    [
        "HPEXPIREAT hash 9000000000000", "HPEXPIREAT hash 9000000000000 NX", "HPEXPIREAT hash 9000000000000 XX",
        "HPEXPIREAT hash 9000000000000 LT", "HEXPIREAT hash 7000000000 GT", "HPERSIST hash", "HPERSIST packed",
        "HPEXPIREAT packed 9000000000000", "HPEXPIREAT nothing 9000000000000", "HPERSIST nothing",
    ];

    private static IEnumerable<string> Deletions =>
    [
        "HPEXPIREAT hash 1", "HPEXPIREAT hash 1 NX", "HPEXPIREAT hash 1 XX", "HPEXPIREAT packed 1 NX",
        "HPEXPIREAT packed 1",
    ];

    private static IEnumerable<string> Questions =>
    [
        "HPEXPIRETIME hash", "HEXPIRETIME hash", "HTTL hash", "HPTTL hash", "HTTL packed", "HTTL nothing",
        "HMGET hash", "HMGET nothing",
    ];

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCaseSource(nameof(Changes))]
    [TestCaseSource(nameof(Deletions))]
    [TestCaseSource(nameof(Questions))]
    public void Others_have_their_turn_and_see_what_it_was(string command)
    {
        Start();
        var before = _other.All(2, OfOne, "HLEN hash");
        _client.Send(Whole(command));
        var turns = 0;
        while (true)
        {
            _other.Send(OfOne, "HLEN hash");
            _server.Turn(0);
            var seen = _other.Replies();
            if (_client.Replies().Count > 0)
            {
                break;
            }

            Assert.That(seen, Is.EqualTo(before), "nobody sees half of it");
            Assert.That(++turns, Is.LessThan(200));
        }

        Assert.That(turns, Is.GreaterThan(3));
    }

    [TestCaseSource(nameof(Changes))]
    [TestCaseSource(nameof(Questions))]
    public void It_is_what_it_is_in_one_go(string command) => AssertSame(command, isTold: true);

    /// <summary>In one go the journal is told of each field.</summary>
    [TestCaseSource(nameof(Deletions))]
    public void What_is_deleted_is_what_is_in_one_go(string command) => AssertSame(command, isTold: false);

    [TestCase("HPEXPIREAT hash 9000000000000")]
    [TestCase("HPEXPIREAT hash 1")]
    [TestCase("HPERSIST hash")]
    public void Who_would_change_the_hash_waits(string command)
    {
        Start();
        _client.Send(Whole(command));
        _server.AwaitHold("hash", most: 20);

        _other.Send("HSET hash field5 new", "PING");
        _server.Turn(0);
        Assert.That(_client.Replies().Count + _other.Replies().Count, Is.Zero);
        Assert.That(_client.Rest(1)[0], Does.Not.StartWith("-"));
        Assert.That(_other.Rest(2)[1], Is.EqualTo("+PONG"));
    }

    [TestCase("HPEXPIREAT hash 9000000000000")]
    [TestCase("HPEXPIREAT hash 1")]
    [TestCase("HPERSIST hash")]
    public void Whoever_goes_or_has_no_memory_leaves_nothing_behind(string command)
    {
        Start();
        _client.Send(Whole(command));
        for (var turns = 0; turns < 4; turns++)
        {
            _server.Turn(0);
        }

        _client.Close();
        _server.Settle();
        _ = _other.All(1, "FLUSHALL");
        _server.Settle();
        Assert.That(_server.HeapBytes, Is.Zero);
    }

    [Test]
    public void Who_is_refused_between_two_steps_holds_nothing()
    {
        Start();
        _ = _other.Call("DEBUG SMALL-STEPS 1");
        _client.Send("HPEXPIREAT packed 9000000000000 FIELDS 3 field1 field2 field3");
        _server.AwaitHold("packed", most: 20);

        _other.Send("CONFIG SET maxmemory-policy noeviction", "DEBUG SMALL-MAXMEMORY 1", "CONFIG SET maxmemory 1");
        Assert.That(_client.Rest(1)[0], Does.StartWith("-OOM"));
        Assert.That(_other.Rest(3), Is.All.EqualTo("+OK"));
        Assert.That(_other.All(1, "HDEL packed field1"), Is.EqualTo(new[] { ":1" }));
    }

    private void AssertSame(string command, bool isTold)
    {
        var results = new List<string>();
        foreach (var inOneGo in new[] { false, true })
        {
            Start(workers: 2);
            var log = new EffectLog(_server);
            var replies = inOneGo
                ? _client.All(3, "MULTI", Whole(command), "EXEC")[2]
                : $"[{_client.All(1, Whole(command))[0]}]";
            var told = string.Join(',', log.Take());
            var key = command.Split(' ')[1];
            var names = string.Join(' ', Enumerable.Range(0, Fields).Select(n => $"field{n}"));
            var after = _client.All(
                4, $"HPEXPIRETIME {key} FIELDS {Fields} {names}", $"HMGET {key} {names}", $"PTTL {key}",
                $"EXISTS {key}");
            results.Add(string.Join('\n', [replies, isTold ? told : string.Empty, .. after]));
            log.Dispose();
            _server.Dispose();
        }

        Start();
        Assert.That(results[0], Is.EqualTo(results[1]));
    }

    /// <summary>A command with all fields that it names: some twice, some that are not there.</summary>
    private static string Whole(string command)
    {
        var names = Enumerable.Range(0, Fields + 100).Select(n => $"field{n}").Append("field1").Append("field2");
        var list = names.ToArray();
        return command.StartsWith("HMGET", StringComparison.Ordinal)
            ? $"{command} {string.Join(' ', list)}"
            : $"{command} FIELDS {list.Length} {string.Join(' ', list)}";
    }

    private void Start(int workers = 1)
    {
        _server = new TurnServer(workers);
        (_client, _other) = (_server.Connect(), _server.Connect());
        for (var i = 0; i < Fields; i += 500)
        {
            var numbers = Enumerable.Range(i, 500).ToArray();
            var timed = numbers.Where(n => n % 3 == 0).ToArray();
            _ = _other.Call(
                $"HSET hash {string.Join(' ', numbers.Select(n => $"field{n} value{n}"))}",
                $"HPEXPIREAT hash 8000000000000 FIELDS {timed.Length} "
                    + string.Join(' ', timed.Select(n => $"field{n}")));
        }

        _ = _other.Call("HSET packed field1 a field2 b field3 c", "EXPIRE packed 10000", "EXPIRE hash 10000");
    }
}
