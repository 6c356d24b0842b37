using NUnit.Framework;
using Strata.Server;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Commands.Keys;

/// <summary>KEYS of many keys: others come between its steps, and what is there all the while is given once.</summary>
[TestFixture(1)]
[TestFixture(3)]
internal sealed class KeysStepsTests(int workers)
{
    private const int Keys = 8 * ServerLimits.KeysAtOnce;

    private TurnServer _server = null!;
    private TurnClient _client = null!;
    private TurnClient _other = null!;

    [SetUp]
    public void Start()
    {
        _server = new TurnServer(workers);
        _client = _server.Connect();
        _other = _server.ConnectBeside();
        foreach (var some in Enumerable.Range(0, Keys).Chunk(1024))
        {
            _client.Expect(["MSET " + string.Join(' ', some.Select(i => $"key:{i} {i}"))], "+OK");
        }
    }

    [TearDown]
    public void Stop() => _server.Dispose();

    [TestCase("*", Keys)]
    [TestCase("key:1*", 11_111)]
    [TestCase("nothing*", 0)]
    public void Others_are_served_between_its_steps(string pattern, int count)
    {
        var replies = _client.CallBesides(_other, $"KEYS {pattern}");
        Assert.That(replies[1], Is.EqualTo("$after"));
        Assert.That(Names(replies[0]), Has.Length.EqualTo(count).And.Unique);
    }

    /// <summary>Most are deleted before, so that buckets are merged while the others are looked for.</summary>
    [Test]
    public void A_key_that_stays_is_given_once_however_many_come_and_go()
    {
        const int Part = 7;
        foreach (var some in Enumerable.Range(0, Keys).Where(key => key % Part != 0).Chunk(1024))
        {
            _other.Expect(["DEL " + string.Join(' ', some.Select(key => $"key:{key}"))], $":{some.Length}");
        }

        var merges = Merges();
        _client.Send("KEYS *");
        for (var i = 0; i < 8; i++)
        {
            _server.Clock.AdvanceMs(100);
            _other.Send("MSET " + string.Join(' ', Enumerable.Range(i * 500, 500).Select(key => $"new:{key} v")));
            for (var worker = 0; worker < workers; worker++)
            {
                _server.Turn(worker);
            }
        }

        Assert.That(Merges(), Is.GreaterThan(merges));
        _server.Settle();
        var names = Names(_client.Replies().Single());
        var staying = Enumerable.Range(0, (Keys / Part) + 1).Select(key => $"$key:{key * Part}");
        Assert.That(names, Is.Unique);
        Assert.That(staying.Except(names), Is.Empty);
    }

    [Test]
    public void Within_a_transaction_it_is_one_step()
    {
        _client.Send("MULTI", "KEYS nothing*", "DBSIZE", "EXEC");
        _server.Settle();
        Assert.That(_client.Replies()[^1], Is.EqualTo($"[[] :{Keys}]"));
    }

    [Test]
    public void A_database_that_takes_the_place_of_the_one_that_was_looked_at_is_looked_at_from_its_start()
    {
        _client.Send("KEYS *");
        _server.Turn(0);
        _other.Send("SELECT 1", "SET only v", "SWAPDB 0 1");
        _server.Settle();
        Assert.That(_client.Replies(), Is.EqualTo(new[] { "[$only]" }));
    }

    private long Merges() => _server.Server.Context.Shards.All.ToArray().Sum(shard => shard.Index.Merges);

    private static string[] Names(string reply) => reply[1..^1].Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
