using System.Globalization;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Strata.Server;
using Strata.Server.Diagnostics.Traffic;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Storage.Census;
using Strata.Tests.Server.Execution;

namespace Strata.Tests.Server.Commands.Observation;

/// <summary>STRATA CURVE on a server: what is drawn, and what is told of it.</summary>
[TestFixture]
internal sealed class CurveTests
{
    private const int Pipelined = 100;

    /// <summary>Each key that a command names is read once for the curve, whatever way the command goes.</summary>
    [TestCase(1, "GET k", 1)]
    [TestCase(2, "GET k", 1)]
    [TestCase(2, "SET k v", 0)]
    [TestCase(2, "MGET k k2 k3", 3)]
    [TestCase(1, "SUNIONSTORE u s t", 2)]
    [TestCase(2, "EVAL return(redis.call('get',KEYS[1])) 1 k", 1)]
    [TestCase(1, "PING", 0)]
    public void Reads_are_counted_once(int workers, string command, int reads)
    {
        using var server = new TurnServer(workers);
        _ = server.Connect().All(Pipelined, [.. Enumerable.Repeat(command, Pipelined)]);
        var counted = Enumerable.Range(0, workers).Sum(worker => server.Server.Services.Curve[worker].Reads);
        Assert.That(counted, Is.EqualTo(reads * Pipelined));
    }

    /// <summary>A key that is there comes with its size and its time, one that is not without.</summary>
    [Test]
    public void What_is_drawn_has_the_size_that_the_key_has([Values(1, 2)] int workers)
    {
        using var server = new TurnServer(workers);
        var client = server.Connect();
        server.Server.Services.IsCronPaused = true;
        var sampler = server.Server.Services.Curve[0];
        sampler.Threshold = uint.MaxValue;
        var setLarge = $"SET large {new string('x', 5000)} EX 100";
        _ = client.Call("SET small v", setLarge, "GET large", "DEL large", "GET none");
        List<SampledAccess> drawn = [];
        while (sampler.Queue.TryTake(out var access))
        {
            drawn.Add(access);
        }

        // They are looked at behind the run, in which the key was deleted in the end.
        Assert.That(
            drawn.Select(static access => access.IsRead), Is.EqualTo(new[] { false, false, true, false, true }));
        Assert.That(drawn.Skip(1).Select(static access => access.Bytes), Is.All.Zero);
        Assert.That(drawn[0].Bytes, Is.InRange(10, 100));
        _ = client.Call(setLarge, "GET large");
        Assert.That(sampler.Queue.TryTake(out var set));
        Assert.That(sampler.Queue.TryTake(out var get));
        Assert.That((set.IsRead, get.IsRead), Is.EqualTo((false, true)));
        Assert.That((set.Bytes, set.ExpiresAt), Is.EqualTo((get.Bytes, get.ExpiresAt)));
        Assert.That(set.Bytes, Is.InRange(5000, 5100));
        Assert.That(set.ExpiresAt, Is.EqualTo((server.Clock.NowMs / 1000) + 100).Within(1));
    }

    [Test]
    public void Where_more_is_drawn_than_can_be_simulated_fewer_keys_are()
    {
        using var server = new TurnServer(1);
        var client = server.Connect();
        var sampler = server.Server.Services.Curve[0];
        var length = TrafficLimits.CurveQueueLength(1);
        for (var i = 0; i < length; i++)
        {
            sampler.Queue.Add(new SampledAccess((ulong)i << 40, 100, 0, IsRead: true));
        }

        Assert.That(sampler.Queue.IsBusy);
        server.Clock.AdvanceMs(2000);
        server.Settle();
        Assert.That(sampler.Threshold, Is.LessThan(TrafficLimits.CurveFirstThreshold));
        Assert.That(sampler.Queue.Count, Is.LessThan(length));
        client.Expect(["PING"], "+PONG");
    }

    [Test]
    public void It_tells_all_sizes_once_something_was_read()
    {
        using var server = new TurnServer(1, null, null, "--maxmemory", "64mb");
        var client = server.Connect();
        server.Clock.AdvanceMs(1000);
        server.Settle();
        Assert.That(client.Call("STRATA CURVE")[0], Does.EndWith("$hour [] $day []]"));
        for (var round = 0; round < 2; round++)
        {
            for (var i = 0; i < 20_000; i += Pipelined)
            {
                var keys = Enumerable.Range(i, Pipelined);
                _ = client.All(
                    2 * Pipelined, [.. keys.SelectMany(static key => new[] { $"GET k{key}", $"SET k{key} value" })]);
            }

            do
            {
                server.Clock.AdvanceMs(100);
                server.Settle();
            }
            while (server.Server.Services.Curve[0].Queue.Count > 0);
        }

        var report = client.Call("STRATA CURVE")[0];
        foreach (var factor in TrafficLimits.CurveFactors)
        {
            Assert.That(report, Does.Contain(FormattableString.Invariant($"$factor ${factor} ")));
        }

        var points = server.Server.Services.Curve.Hour.ToList();
        Assert.That(points[^1].HitRatio, Is.EqualTo(0.5).Within(0.03), "the second round finds what the first has set");
        Assert.That(points.Select(static point => point.Factor), Is.Ordered);
    }

    /// <summary>Keys of one prefix are always found, those of another never; a database has its own.</summary>
    [Test]
    public void It_tells_of_a_database_and_of_a_prefix([Values(1, 2)] int workers)
    {
        using var server = new TurnServer(workers, null, null, "--maxmemory", "64mb");
        var client = server.Connect();
        Play(server, client, static key => [$"SET p:{key} v"]);
        Play(server, client, static key => [$"GET p:{key}", $"GET q:{key}"]);
        _ = client.Call("SELECT 1");
        Play(server, client, static key => [$"GET q:{key}"]);
        Assert.That(HitRatios(client, "PREFIX p:"), Is.All.EqualTo(1).And.Exactly(12).Items);
        Assert.That(HitRatios(client, "PREFIX q:"), Is.All.Zero.And.Exactly(12).Items);
        Assert.That(HitRatios(client, "DB 0"), Is.All.EqualTo(0.5).Within(0.06).And.Exactly(12).Items);
        Assert.That(HitRatios(client, "DB 1"), Is.All.Zero.And.Exactly(12).Items);
        Assert.That(HitRatios(client, "PREFIX p: DB 0"), Is.All.EqualTo(1).And.Exactly(12).Items);
        Assert.That(HitRatios(client, "DB 1 PREFIX p:"), Is.Empty);
        Assert.That(HitRatios(client, "DB 2"), Is.Empty);
        Assert.That(client.Call("STRATA CURVE DB 1")[0], Does.Contain("$db :1 $prefix $ $keys :"));

        // Of what its user may not read a client is told nothing.
        _ = client.Call("ACL SETUSER u on nopass ~p:* +@all", "AUTH u x");
        Assert.That(HitRatios(client, "PREFIX q:"), Is.Empty);
        Assert.That(HitRatios(client, "DB 0"), Is.All.EqualTo(1).And.Exactly(12).Items);
    }

    [TestCase("DB", "-ERR syntax error")]
    [TestCase("DB x", "-ERR value is not an integer or out of range")]
    [TestCase("DB 16", "-ERR DB index is out of range")]
    [TestCase("DB -1", "-ERR DB index is out of range")]
    [TestCase("PREFIX", "-ERR syntax error")]
    [TestCase("COUNT 3", "-ERR syntax error")]
    [TestCase("PREFIX 12345678901234567890123456789012345678901", "-ERR PREFIX should have at most 40 bytes")]
    public void What_is_wrong_is_said(string options, string error)
    {
        using var server = new TurnServer(1);
        server.Connect().Expect([$"STRATA CURVE {options}"], error);
    }

    [TestCase("noeviction", "allkeys-lru")]
    [TestCase("allkeys-random", "allkeys-random")]
    [TestCase("volatile-ttl", "volatile-ttl")]
    public void It_says_which_policy_it_simulates(string policy, string simulated)
    {
        using var server = new TurnServer(1, null, null, "--maxmemory", "64mb", "--maxmemory-policy", policy);
        var client = server.Connect();
        server.Clock.AdvanceMs(1000);
        server.Settle();
        Assert.That(client.Call("STRATA CURVE")[0], Does.Contain($"$policy ${simulated} "));
    }

    /// <summary>A key that is read much, and is never there, is missed by every cache.</summary>
    [Test]
    public void A_hot_key_that_is_not_there_is_a_miss([Values(1, 2)] int workers)
    {
        using var server = new TurnServer(workers, null, null, "--maxmemory", "64mb");
        var client = server.Connect();
        _ = client.Call("SET there v");
        for (var i = 0; i < 200; i++)
        {
            _ = client.All(2 * Pipelined, [.. Enumerable.Repeat(new[] { "GET there", "GET none" }, Pipelined)
                .SelectMany(static pair => pair)]);
            server.Clock.AdvanceMs(2000);
            server.Settle();
        }

        Assert.That(
            server.Server.Services.Curve.HotKeys.ToArray().Count(static key => key != null), Is.EqualTo(2));
        Assert.That(HitRatios(client, ""), Is.All.EqualTo(0.5).Within(0.15).And.Exactly(12).Items);
        Assert.That(HitRatios(client, "PREFIX there"), Is.All.EqualTo(1).And.Exactly(12).Items);
        Assert.That(HitRatios(client, "PREFIX none"), Is.All.Zero.And.Exactly(12).Items);
    }

    /// <summary>A worker that finds too much waiting draws fewer keys by itself, and drops nothing of the others.
    /// </summary>
    [Test]
    public void A_worker_draws_fewer_keys_before_it_drops_some()
    {
        var sampler = new CurveSampler(queueLength: 64) { Threshold = uint.MaxValue };
        var taken = new HashSet<uint>();
        for (var i = 0U; i < 10_000; i++)
        {
            var number = i * 2654435769U;
            var hash = (ulong)number << 24;
            if (CurveSampler.IsDrawn(hash, sampler.Threshold) && sampler.Takes(hash))
            {
                sampler.Queue.Add(new SampledAccess(hash, 1, 0, IsRead: true));
                _ = taken.Add(number);
            }

            Assert.That(taken.Contains(number) || number >= sampler.Threshold);
        }

        Assert.That(sampler.Queue.Count, Is.EqualTo(taken.Count).And.LessThanOrEqualTo(64));
    }

    [Test]
    public void Its_memory_is_bounded_with_that_of_the_hot_keys_and_prefixes(
        [Values(1, 2, 8, 64)] int workers, [Values(1, 16, 256)] int shards)
    {
        var hotKeys = (long)workers * KeyTraffic.BytesFor(TrafficLimits.HotKeysPerWorker(workers));
        Assert.That(
            hotKeys + CurveKeeper.BytesFor(workers) + KeyCensus.BytesFor(shards), Is.LessThan(4 << 20));
    }

    private static void Play(TurnServer server, TurnClient client, Func<int, string[]> commandsOf)
    {
        for (var i = 0; i < 20_000; i += Pipelined)
        {
            string[] commands = [.. Enumerable.Range(i, Pipelined).SelectMany(commandsOf)];
            _ = client.All(commands.Length, commands);
            if (i % 2000 == 0)
            {
                server.Clock.AdvanceMs(100);
                server.Settle();
            }
        }

        server.Clock.AdvanceMs(1000);
        server.Settle();
        server.Clock.AdvanceMs(1000);
        server.Settle();
    }

    private static List<double> HitRatios(TurnClient client, string options)
    {
        var hour = client.Call($"STRATA CURVE {options}".TrimEnd())[0].Split("$hour ")[1].Split("$day ")[0];
        return [.. Regex.Matches(hour, @"\$hit-ratio \$(\S+)").Select(static match
            => double.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture))];
    }
}
