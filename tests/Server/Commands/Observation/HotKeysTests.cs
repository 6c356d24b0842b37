using System.Globalization;
using NUnit.Framework;
using Strata.Server.Diagnostics.Traffic;
using Strata.Tests.Server.Execution;
using Strata.Tests.Simulation;
using Strata.Tests.Storage.Devices;
using Strata.Tests.Support;

namespace Strata.Tests.Server.Commands.Observation;

/// <summary>STRATA HOTKEYS, by a clock that stands still: rates are what was counted, by one factor.</summary>
[TestFixture]
internal sealed class HotKeysTests
{
    private const int Calls = 30_000;
    private const int Pipelined = 100;

    private static readonly string[] s_fields =
        ["key", "db", "length", "per-second", "at-least", "at-most", "share"];

    /// <summary>Whatever way a command goes, each of its keys is counted once, as read or written.</summary>
    [TestCase(1, "GET k", 1.0, 0.0)]
    [TestCase(2, "GET k", 1.0, 0.0)]
    [TestCase(2, "SET k v", 0.0, 1.0)]
    [TestCase(1, "SET k v GET", 0.0, 1.0)]
    [TestCase(1, "HSET h f v", 0.0, 1.0)]
    [TestCase(2, "EXISTS k", 1.0, 0.0)]
    [TestCase(1, "MGET k k2 k3", 3.0, 0.0)]
    [TestCase(2, "MGET k k2 k3", 3.0, 0.0)]
    [TestCase(2, "MSET k 1 k2 2", 0.0, 2.0)]
    [TestCase(2, "SUNIONSTORE u s t", 2.0, 1.0)]
    [TestCase(1, "OBJECT ENCODING k", 1.0, 0.0)]
    [TestCase(1, "SORT s STORE u", 1.0, 1.0)]
    [TestCase(1, "ZUNION 2 z y", 2.0, 0.0)]
    [TestCase(1, "XREAD STREAMS x 0", 1.0, 0.0)]
    [TestCase(1, "LMPOP 1 none LEFT", 0.0, 1.0)]
    [TestCase(2, "EVAL return(redis.call('get',KEYS[1])) 1 k", 1.0, 0.0)]
    [TestCase(1, "EVAL redis.call('incr',KEYS[1])return(redis.call('mget',KEYS[1],'k2')) 1 n", 2.0, 1.0)]
    [TestCase(1, "PING", 0.0, 0.0)]
    [TestCase(1, "EVAL return(1) 1 k", 0.0, 0.0)]
    public void Each_use_of_a_key_is_counted_once(int workers, string command, double reads, double writes)
    {
        using var server = new TurnServer(workers);
        Use(server, command);
        Assert.That(Counted(server, HotKeyMeasure.Reads), Is.EqualTo(reads * Calls).Within(15).Percent);
        Assert.That(Counted(server, HotKeyMeasure.Writes), Is.EqualTo(writes * Calls).Within(15).Percent);
    }

    [Test]
    public void Those_of_transactions_are_counted_when_they_are_executed([Values(1, 2)] int workers)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        for (var i = 0; i < Calls / Pipelined; i++)
        {
            var gets = Enumerable.Repeat("GET k", Pipelined - 1);
            _ = client.All(Pipelined + 2, ["MULTI", .. gets, "MGET k k", i % 3 == 0 ? "DISCARD" : "EXEC"]);
        }

        var executed = (Calls / Pipelined * 2 / 3.0) * (Pipelined + 1);
        Assert.That(Counted(server, HotKeyMeasure.Reads), Is.EqualTo(executed).Within(15).Percent);
    }

    /// <summary>One that waits for the device is executed again, and counted once.</summary>
    [Test]
    public void Those_of_keys_on_the_device_are_counted_once([Values(1, 2)] int workers)
    {
        const int Keys = 6000;
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new TurnServer(workers, device: device);
        var client = server.Connect();
        client.Expect(["DEBUG TIER-EAGER 1"], "+OK");
        for (var i = 0; i < Keys; i += Pipelined)
        {
            _ = client.All(Pipelined, [.. Enumerable.Range(i, Pipelined).Select(key => $"SET key:{key} value")]);
        }

        server.Settle();
        client.Expect(["DEBUG TIER-EAGER 0"], "+OK");
        for (var i = 0; i < Keys; i += Pipelined)
        {
            _ = client.All(Pipelined, [.. Enumerable.Range(i, Pipelined).Select(key => $"GET key:{key}")]);
            var keys = string.Join(' ', Enumerable.Range(i, Pipelined).Select(key => $"key:{key}"));
            _ = client.All(1, $"MGET {keys}");
        }

        Assert.That(server.Server.Workers.Sum(static worker => worker.Tier!.Reads), Is.GreaterThan(Keys / 2));
        Assert.That(Counted(server, HotKeyMeasure.Writes), Is.EqualTo(Keys).Within(15).Percent);
        Assert.That(Counted(server, HotKeyMeasure.Reads), Is.EqualTo(2 * Keys).Within(15).Percent);
    }

    [Test]
    public void Keys_are_told_with_their_database_and_as_they_are()
    {
        using var server = new TurnServer(2);
        var client = server.Connect();
        client.Expect(["SELECT 3", "SWAPDB 3 5"], "+OK", "+OK");
        Use(server, "GET \r\n\0\u00ff", client);
        Use(server, "GET " + new string('x', 2000), client);
        var report = client.Call("STRATA HOTKEYS READS COUNT 2")[0];
        Assert.That(report, Does.Contain("\r\n\0\u00ff"));
        Assert.That(report, Does.Contain(new string('x', 96)).And.Not.Contain(new string('x', 97)));
        Assert.That(report, Does.Contain("2000").And.Contain("$db :3"));
    }

    [Test]
    public void The_reply_has_fields_and_as_many_keys_as_are_asked_for()
    {
        using var server = StrataProcess.Start("--workers", "2");
        using var client = server.Connect();
        for (var i = 0; i < 300; i++)
        {
            var keys = 1 + (i % 100); // Uses are sampled: one key is so far ahead that no sample hides it.
            client.Send([.. Enumerable.Range(0, 100)
                .Select(key => RespCommand.Of("GET", $"key:{(key % 3 == 0 ? 0 : key % keys)}"))]);
            Assert.That(Enumerable.Range(0, 100).All(_ => client.ReadReply().IsNull));
        }

        foreach (var (count, told) in new[] { (null, 10), ("3", 3), ("1000000", 60) })
        {
            var report = client.Call(["STRATA", "HOTKEYS", .. count == null ? (string[])[] : ["COUNT", count]]).Items;
            Assert.That(
                report.Where(static (_, at) => at % 2 == 0).Select(static name => name.Text),
                Is.EqualTo(new[] { "measure", "half-life-seconds", "total-per-second", "keys" }));
            var keys = report[7].Items;
            Assert.That(keys, Has.Count.InRange(told, Math.Max(told, 100)));
            foreach (var key in keys)
            {
                Assert.That(
                    key.Items.Where(static (_, at) => at % 2 == 0).Select(static name => name.Text),
                    Is.EqualTo(s_fields));
                var figures = new[] { 9, 7, 11 }.Select(
                    at => double.Parse(key.Items[at].Text, CultureInfo.InvariantCulture));
                Assert.That(figures, Is.Ordered);
            }

            Assert.That(keys[0].Items[1].Text, Is.EqualTo("key:0"));
        }

        Assert.That(client.Call("STRATA", "HOTKEYS", "WRITES").Items[7].Items, Is.Empty);
    }

    [TestCase("STRATA HOTKEYS TIMES", "-ERR syntax error")]
    [TestCase("STRATA HOTKEYS COUNT", "-ERR syntax error")]
    [TestCase("STRATA HOTKEYS COUNT 1 READS", "-ERR syntax error")]
    [TestCase("STRATA HOTKEYS READS WRITES", "-ERR syntax error")]
    [TestCase("STRATA HOTKEYS COUNT x", "-ERR COUNT should be greater than 0")]
    [TestCase("STRATA HOTKEYS bytes count -1", "-ERR COUNT should be greater than 0")]
    public void What_is_wrong_is_refused(string command, string reply)
    {
        using var server = new TurnServer(1);
        server.Connect().Expect([command], reply);
    }

    /// <summary>As KEYS and MONITOR it is nothing for everybody; and who may not read a key does not learn of it.
    /// </summary>
    [Test]
    public void A_user_is_told_of_keys_that_it_may_read()
    {
        using var server = new TurnServer(1);
        var client = server.Connect();
        foreach (var key in (string[])["mine:1", "mine:" + new string('l', 200), "theirs:1", "written:1"])
        {
            Use(server, "GET " + key, client);
        }

        client.Expect(
            [
                "ACL SETUSER some on >p %R~mine:* %W~written:* +strata +get",
                "ACL SETUSER other on >p ~* +@all -@dangerous",
                "ACL SETUSER whole on >p %R~* +strata|hotkeys", "ACL SETUSER split on >p ~mine:* (~theirs:* +strata)",
            ],
            "+OK", "+OK", "+OK", "+OK");
        Assert.That(KeysToldTo("some"), Is.EquivalentTo(new[] { "mine:1" }));
        Assert.That(KeysToldTo("whole"), Has.Count.EqualTo(4));
        Assert.That(KeysToldTo("split"), Is.EquivalentTo(new[] { "theirs:1" }));
        var refused = server.Connect();
        refused.Expect(["AUTH other p"], "+OK");
        Assert.That(refused.Call("STRATA HOTKEYS")[0], Does.StartWith("-NOPERM"));

        List<string> KeysToldTo(string user)
        {
            var other = server.Connect();
            other.Expect([$"AUTH {user} p"], "+OK");
            var words = other.Call("STRATA HOTKEYS")[0].Split(' ');
            return [.. words.Where((_, at) => at > 0 && words[at - 1].EndsWith("$key", StringComparison.Ordinal))
                .Select(static word => word.TrimStart('$'))];
        }
    }

    /// <summary>Thousands of patterns to look at for each key take steps.</summary>
    [Test]
    public void For_a_user_of_many_patterns_it_goes_on_in_steps()
    {
        using var server = new TurnServer(1);
        var (client, other) = (server.Connect(), server.Connect());
        for (var i = 0; i < 300; i++)
        {
            _ = client.All(64, [.. Enumerable.Repeat($"GET key:{i}", 64)]);
        }

        var patterns = string.Join(' ', Enumerable.Range(0, 2000).Select(static i => $"~*a{i}*b"));
        client.Expect([$"ACL SETUSER many on >p {patterns} +@all"], "+OK");
        client.Expect(["AUTH many p"], "+OK");
        var replies = client.CallBesides(other, "STRATA HOTKEYS COUNT 1000");
        Assert.That(replies[0], Does.EndWith("$keys []]"));
    }

    private static void Use(TurnServer server, string command, TurnClient? client = null)
    {
        client ??= server.Connect();
        for (var i = 0; i < Calls; i += Pipelined)
        {
            _ = client.All(Pipelined, [.. Enumerable.Repeat(command, Pipelined)]);
        }
    }

    /// <summary>What was counted in all, soon after the start.</summary>
    private static double Counted(TurnServer server, HotKeyMeasure measure)
    {
        server.Clock.AdvanceMs(1000);
        var seconds = (server.Clock.NowMs - SimulatedClock.StartMs) / 1000.0;
        return server.Server.Services.HotKeys(measure).TotalPerSecond * seconds;
    }
}
