using NUnit.Framework;
using Strata.Storage;

namespace Strata.Tests.Server.Execution;

/// <summary>Databases that change places while very many keys are waited for: none of those who wait is moved, and it
/// is looked in steps what is there now, between which others have their turn. Nobody notices.</summary>
[TestFixture(1)]
[TestFixture(2)]
internal sealed class ManyExchangedWaitsTests(int workers)
{
    private const int Names = 16 * Limits.ExchangedAtOnce;
    private const string Last = "name:4095";

    [Test]
    public void Who_may_have_something_is_woken_in_steps_before_the_next_command()
    {
        using var server = new TurnServer(workers);
        var (first, second, other) = (server.Connect(), server.Connect(), server.Connect());
        first.Expect([$"BLPOP {Many()} 0"]);
        second.Expect([$"BLPOP {Last} 0"]);
        other.Expect(["SELECT 1", $"RPUSH {Last} a b c"], "+OK", ":3");
        Exchange(server, other, "SELECT 0", $"LLEN {Last}");
        server.Settle();
        Assert.That(other.Replies(), Is.EqualTo(new[] { "+OK", "+OK", ":1" }));
        Assert.That(first.Replies(), Is.EqualTo(new[] { $"[${Last} $a]" }));
        Assert.That(second.Replies(), Is.EqualTo(new[] { $"[${Last} $b]" }));
        Assert.That(other.Call("INFO clients")[0], Does.Contain("total_blocking_keys:0\r\n"));
    }

    [Test]
    public void Who_comes_meanwhile_comes_behind_them([Values] bool isNew)
    {
        using var server = new TurnServer(workers);
        var (first, late, other) = (server.Connect(), server.Connect(), server.Connect());
        first.Expect([$"BLPOP {Many()} 0"]);
        if (!isNew)
        {
            other.Expect(["SELECT 1", $"RPUSH {Last} a", "SELECT 0"], "+OK", ":1", "+OK");
        }

        Exchange(server, other);
        late.Send([.. isNew ? [$"RPUSH {Last} a"] : Array.Empty<string>(), $"LPOP {Last}"]);
        server.Settle();
        Assert.That(late.Replies()[^1], Is.EqualTo("nil"));
        Assert.That(first.Replies(), Is.EqualTo(new[] { $"[${Last} $a]" }));
    }

    [Test]
    public void Groups_of_streams_are_no_exception()
    {
        using var server = new TurnServer(workers);
        var (first, late, other) = (server.Connect(), server.Connect(), server.Connect());
        foreach (var database in (int[])[1, 0])
        {
            _ = first.Call($"SELECT {database}");
            for (var i = 0; i < Names; i += 256)
            {
                _ = first.Call(
                    [.. Enumerable.Range(i, 256).Select(n => $"XGROUP CREATE name:{n} g $ MKSTREAM")]);
            }
        }

        var ids = string.Join(' ', Enumerable.Repeat(">", Names));
        first.Expect([$"XREADGROUP GROUP g one BLOCK 0 STREAMS {Many()} {ids}"]);
        other.Expect(
            ["SELECT 1", $"XADD {Last} 1-1 a b", "SELECT 0"], "+OK", "$1-1", "+OK");
        Exchange(server, other);
        late.Send($"XREADGROUP GROUP g two STREAMS {Last} >");
        server.Settle();
        Assert.That(late.Replies(), Is.EqualTo(new[] { "nil" }));
        Assert.That(first.Replies(), Is.EqualTo(new[] { $"[[${Last} [[$1-1 [$a $b]]]]]" }));
    }

    /// <summary>What is done to keys of the one database afterwards wakes those who waited for the other's before.
    /// </summary>
    [Test]
    public void They_may_change_places_again_before_the_end([Values(1, 2, 3)] int times)
    {
        using var server = new TurnServer(workers);
        var (first, other) = (server.Connect(), server.Connect());
        first.Expect([$"BLPOP {Many()} 0"]);
        for (var i = 0; i < times; i++)
        {
            Exchange(server, i % 2 == 0 ? other : server.Connect());
        }

        other.Send("SELECT 1", $"RPUSH {Last} a", $"LLEN {Last}", "SELECT 0", $"RPUSH {Last} b", $"EXISTS {Last}");
        server.Settle();
        Assert.That(other.Replies().TakeLast(6), Is.EqualTo(new[] { "+OK", ":1", ":1", "+OK", ":1", ":0" }));
        Assert.That(first.Replies(), Is.EqualTo(new[] { $"[${Last} $b]" }));
    }

    private static string Many() => string.Join(' ', Enumerable.Range(0, Names).Select(i => $"name:{i}"));

    /// <summary>Exchanges databases; some who wait are yet to be looked at.</summary>
    private static void Exchange(TurnServer server, TurnClient client, params string[] commands)
    {
        var databases = server.Server.Context.Databases;
        var version = databases.Version;
        client.Send(["SWAPDB 0 1", .. commands]);
        for (var turn = 0; databases.Version == version; turn++)
        {
            server.Turn(turn % server.Server.Context.WorkerCount);
            Assert.That(turn, Is.LessThan(100));
        }

        Assert.That(server.Server.Context.Shards.All.ToArray().All(shard => shard.Waits.HasWokenExchanged), Is.False);
    }
}
