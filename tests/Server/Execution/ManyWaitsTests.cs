using NUnit.Framework;
using Strata.Server;

namespace Strata.Tests.Server.Execution;

/// <summary>A client that has waited for many keys leaves them in steps, between which others have their turn: its
/// places count meanwhile as if it were yet to have its turn there, so that nobody's is lost.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class ManyWaitsTests(int workers)
{
    private const int Names = (10 * ServerLimits.GivenUpAtOnce) + 1;

    [Test]
    public void They_are_left_in_steps_and_the_next_one_has_its_turn(
        [Values("goes", "served", "unblocked")] string end, [Values] bool pushesMeanwhile)
    {
        using var server = new TurnServer(workers);
        var (first, second, other) = (server.Connect(), server.Connect(), server.Connect());
        var names = string.Join(' ', Enumerable.Range(0, Names).Select(i => $"name:{i}"));
        var id = first.Call("CLIENT ID")[0][1..];
        first.Expect([$"BLPOP {names} 0"]);
        second.Expect([$"BLPOP name:{Names - 1} 0"]);
        Assert.That(WaitsOf(server), Is.EqualTo(Names + 1));

        End(server, first, other, id, end);
        Assert.That(WaitsOf(server), Is.InRange(2, Names), "some are left, and others have their turn");
        if (!pushesMeanwhile)
        {
            server.Settle();
            Assert.That(WaitsOf(server), Is.EqualTo(1));
        }

        other.Send($"RPUSH name:{Names - 1} x", $"LLEN name:{Names - 1}");
        server.Settle();
        Assert.That(other.Replies().TakeLast(2), Is.EqualTo(new[] { ":1", ":0" }));
        Assert.That(second.Replies(), Is.EqualTo(new[] { $"[$name:{Names - 1} $x]" }));
        Assert.That(WaitsOf(server), Is.Zero);
        Assert.That(other.Call("INFO clients")[0], Does.Contain("total_blocking_keys:0\r\n"));
    }

    /// <summary>The keys that it has yet to leave are another wait's.</summary>
    [Test]
    public void Who_waits_again_at_once_is_served_there()
    {
        using var server = new TurnServer(workers);
        var (first, other) = (server.Connect(), server.Connect());
        var names = string.Join(' ', Enumerable.Range(0, Names).Select(i => $"name:{i}"));
        first.Send([.. Enumerable.Repeat($"BLPOP {names} 0", 2)]);
        server.Settle();
        other.Send("RPUSH name:0 a", $"RPUSH name:{Names - 1} b", "EXISTS name:0");
        server.Settle();
        Assert.That(other.Replies(), Is.EqualTo(new[] { ":1", ":1", ":0" }));
        Assert.That(first.Replies(), Is.EqualTo(new[] { "[$name:0 $a]", $"[$name:{Names - 1} $b]" }));
        first.Send($"BLPOP {names} 0");
        server.Settle();
        other.Expect([$"RPUSH name:{Names / 2} c", $"EXISTS name:{Names / 2}"], ":1", ":0");
        server.Settle();
        Assert.That(first.Replies(), Is.EqualTo(new[] { $"[$name:{Names / 2} $c]" }));
        Assert.That(WaitsOf(server), Is.Zero);
    }

    [Test]
    public void They_are_looked_at_in_steps([Values("BLPOP * 0", "BZMPOP 0 1281 * MIN")] string command)
    {
        using var server = new TurnServer(workers);
        var (first, _, other) = (server.Connect(), server.Connect(), server.Connect()); // Of one worker.
        var isList = command[1] == 'L';
        _ = other.Call(isList ? $"RPUSH name:{Names - 1} x" : $"ZADD name:{Names - 1} 1 x");
        Assert.That(other.TurnsBesides(first, Whole(command), most: 2000, each: 2), Is.GreaterThan(2));
        server.Settle();
        Assert.That(WaitsOf(server), Is.Zero);
    }

    [TestCase("RPUSH name:0 x", ":1")]
    [TestCase("RPUSH name:1280 x", ":1")]
    [TestCase("EVAL return(redis.call('rpush','name:0','x')) 0", ":1")]
    public void Who_brings_something_before_all_are_waited_for_serves(string command, string reply)
    {
        using var server = new TurnServer(workers);
        var (first, other) = (server.Connect(), server.Connect());
        first.Send(Whole("BLPOP * 0"));
        TurnUntilSomeWait(server);
        other.Send(command);
        server.Settle();
        Assert.That(other.Replies(), Is.EqualTo(new[] { reply }));
        Assert.That(first.Replies(), Has.Count.EqualTo(1).And.All.EndsWith(" $x]"));
        Assert.That(WaitsOf(server), Is.Zero);
    }

    [Test]
    public void Who_goes_before_all_are_waited_for_leaves_nothing()
    {
        using var server = new TurnServer(workers);
        var (first, other) = (server.Connect(), server.Connect());
        first.Send(Whole("BLPOP * 0"));
        TurnUntilSomeWait(server);
        first.Close();
        server.Settle();
        other.Expect(["RPUSH name:0 x", "LLEN name:0"], ":1", ":1");
        Assert.That(WaitsOf(server), Is.Zero);
    }

    [Test]
    public void Who_came_before_has_their_turn_first()
    {
        using var server = new TurnServer(workers);
        var (first, second, other) = (server.Connect(), server.Connect(), server.Connect());
        first.Expect([$"BLPOP name:{Names - 1} 0"]);
        second.Expect([Whole("BLPOP * 0")]);
        other.Expect([$"RPUSH name:{Names - 1} x y"], ":2");
        server.Settle();
        Assert.That(first.Replies(), Is.EqualTo(new[] { $"[$name:{Names - 1} $x]" }));
        Assert.That(second.Replies(), Is.EqualTo(new[] { $"[$name:{Names - 1} $y]" }));
        Assert.That(WaitsOf(server), Is.Zero);
    }

    private static string Whole(string command)
        => command.Replace("*", string.Join(' ', Enumerable.Range(0, Names).Select(i => $"name:{i}")));

    /// <summary>Turns until some of the keys are waited for, and not all.</summary>
    private void TurnUntilSomeWait(TurnServer server)
    {
        for (var turn = 0; KeysOf(server) == 0; turn++)
        {
            server.Turn(turn % workers);
            Assert.That(turn, Is.LessThan(200));
        }

        Assert.That(KeysOf(server), Is.LessThan(Names));
    }

    private static int KeysOf(TurnServer server)
    {
        var keys = 0;
        foreach (var shard in server.Server.Context.Shards.All)
        {
            keys += shard.Waits.Keys;
        }

        return keys;
    }

    private void End(TurnServer server, TurnClient first, TurnClient other, string id, string end)
    {
        if (end == "goes")
        {
            first.Close();
        }
        else
        {
            other.Send(end == "served" ? "RPUSH name:0 x" : $"CLIENT UNBLOCK {id}");
        }

        for (var turn = 0; turn < 20 && WaitsOf(server) > Names; turn++)
        {
            for (var worker = 0; worker < workers; worker++)
            {
                server.Turn(worker);
            }
        }
    }

    private static int WaitsOf(TurnServer server)
    {
        var waits = 0;
        foreach (var shard in server.Server.Context.Shards.All)
        {
            waits += shard.Waits.Count;
        }

        return waits;
    }
}
