using System.Globalization;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Storage;
using Strata.Tests.Server.Execution;
using Strata.Tests.Storage.Devices;

namespace Strata.Tests.Server.Commands.Observation;

/// <summary>STRATA BIGKEYS.</summary>
[TestFixture]
internal sealed class BigKeysTests
{
    private const int Pipelined = 500;

    private static readonly Regex s_key = new(
        @"\$key \$(\S+) \$db :(\d+) \$length :\d+ \$bytes :(\d+) \$on-disk :(\d)");

    /// <summary>Of more keys than are known by name, the largest are, and as large as MEMORY USAGE says.</summary>
    [Test]
    public void The_largest_keys_are_known_whatever_was_drawn([Values(1, 2)] int workers)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        var random = new Random(1);
        var commands = Enumerable.Range(0, 40_000).Select(i => $"SET key:{i} {new string('v', random.Next(10, 400))}")
            .Concat(Enumerable.Range(0, 400).Select(i => $"SET large:{i} {new string('v', 5000 + (10 * i))}"))
            .Concat(Enumerable.Range(0, 2000).Select(static i => $"RPUSH list {i} {new string('e', 200)}"))
            .OrderBy(_ => random.Next());
        Do(client, commands);
        AssertLargest(["list", .. Enumerable.Range(0, 150).Select(static i => $"large:{399 - i}")], least: 5000);

        // One that grows is among them, one that shrinks or goes no more.
        Do(client, [
            "LTRIM list 0 1", "DEL large:399", "DEL large:398", "SET large:398 v", "RENAME large:397 other",
            .. Enumerable.Range(0, 100).Select(static i => $"APPEND grown {new string('g', 200)}")]);
        AssertLargest(["grown", "other", "large:396", "large:395"], least: 5000);
        Do(client, ["FLUSHALL", "SET small v"]);
        Assert.That(Ask(client).Single().Name, Is.EqualTo("small"));

        void AssertLargest(string[] keys, long least)
        {
            var reply = client.Call($"STRATA BIGKEYS COUNT {keys.Length}")[0];
            var told = KeysIn(reply);
            Assert.That(told.Select(static key => key.Name), Is.EqualTo(keys));
            Assert.That(told.Select(static key => key.Bytes), Is.Ordered.Descending);
            foreach (var key in told.Take(20))
            {
                client.Expect([$"MEMORY USAGE {key.Name}"], $":{key.Bytes}");
            }

            var complete = Regex.Match(reply, @"\$complete-above :(\d+)").Groups[1].Value;
            Assert.That(long.Parse(complete, CultureInfo.InvariantCulture), Is.InRange(4000, told[^1].Bytes));
            Assert.That(told[^1].Bytes, Is.GreaterThan(least));
        }
    }

    /// <summary>Where so many of the largest have gone that others are among them by now, these are looked for.
    /// </summary>
    [Test]
    public void When_the_largest_have_gone_the_next_are_found()
    {
        const int Large = 1000;
        using var server = new TurnServer(1);
        var client = server.Connect();
        Do(client, Enumerable.Range(0, Large).Select(static i => $"SET large:{i} {new string('v', 5000 + (8 * i))}"));
        Do(client, Enumerable.Range(0, 40_000).Select(static i => $"SET key:{i} v"));
        Do(client, Enumerable.Range(Large / 2, Large / 2).Select(static i => $"DEL large:{i}"));
        for (var i = 0; i < 100; i++)
        {
            server.Clock.AdvanceMs(CensusLimits.LookMs);
            server.Settle();
        }

        var told = Ask(client, "COUNT 10");
        Assert.That(told.Select(static key => key.Name), Is.EqualTo(Enumerable.Range(0, 10)
            .Select(static i => $"large:{(Large / 2) - 1 - i}")));
    }

    [Test]
    public void Keys_on_the_device_are_told_as_such()
    {
        using var device = new SimulatedDevice(seed: 1, segmentBytes: 1 << 20);
        using var server = new TurnServer(1, device: device);
        var client = server.Connect();
        Do(client, ["SELECT 2", $"SET string {new string('v', 50_000)}", "SELECT 0"]);
        Do(client, Enumerable.Range(0, 3000).Select(static i => $"HSET hash field:{i} value"));
        var before = Ask(client);
        client.Expect(["DEBUG TIER-EAGER 1"], "+OK");
        for (var i = 0; i < 10; i++)
        {
            server.Clock.AdvanceMs(100);
            server.Settle();
        }

        client.Expect(["DEBUG TIER-EAGER 0"], "+OK");
        var after = Ask(client);
        Assert.That(before.Select(static key => key.IsCold), Is.EqualTo(new[] { false, false }));
        Assert.That(after.Select(static key => key.IsCold), Is.EqualTo(new[] { true, true }));
        Assert.That(after.Single(static key => key.Name == "string").Database, Is.EqualTo(2));
        Assert.That(after.Single(static key => key.Name == "hash").Bytes,
            Is.LessThan(before.Single(static key => key.Name == "hash").Bytes), "it is packed");
        Assert.That(Ask(client, "DB 2").Single().Name, Is.EqualTo("string"));
    }

    private static void Do(TurnClient client, IEnumerable<string> commands)
    {
        foreach (var some in commands.Chunk(Pipelined))
        {
            Assert.That(client.All(some.Length, some), Has.None.StartsWith("-"));
        }
    }

    private static List<BigKey> Ask(TurnClient client, string options = "")
        => KeysIn(client.Call($"STRATA BIGKEYS {options}".TrimEnd())[0]);

    private static List<BigKey> KeysIn(string reply)
        => [.. s_key.Matches(reply).Select(static match => new BigKey(
            match.Groups[1].Value,
            int.Parse(match.Groups[2].Value, CultureInfo.InvariantCulture),
            long.Parse(match.Groups[3].Value, CultureInfo.InvariantCulture),
            match.Groups[4].Value == "1"))];

    private sealed record BigKey(string Name, int Database, long Bytes, bool IsCold);
}
