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
