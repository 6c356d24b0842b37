using System.Text;
using NUnit.Framework;
using Strata.Server;
using Strata.Server.Diagnostics.Traffic.Curve;

namespace Strata.Tests.Server.Diagnostics.Traffic.Curve;

/// <summary>The curve of a part of the keys, against caches that are given all of them.</summary>
[TestFixture]
internal sealed class PartCurveTests
{
    private const int Keys = 60_000;
    private const int Accesses = 400_000;
    private const int AccessesPerPeriod = 20_000;
    private const double Memory = 0.1 * Keys * 160;

    /// <summary>Of two databases, and two prefixes in each, that are used differently: each time within what is said,
    /// and all together as the whole curve.</summary>
    [Test]
    public void Of_each_part_it_is_about_right([Range(1, 3)] int seed)
    {
        var traffic = new SimulatedTraffic(Memory, 5 * Keys, uint.MaxValue / 16) { KnowsHotKeys = false };
        var zipf = new ZipfNumbers(Keys, 0.8);
        var random = new Random(seed);
        var (reads, misses) = (new int[3], new int[3, TrafficLimits.CurveFactors.Count]);
        for (var i = 0; i < Accesses; i++)
        {
            var part = i % 4 == 0 ? 1 : i % 4 == 1 ? 2 : 0;
            var key = part == 1 ? random.Next(Keys / 3) : part == 2 ? i + Keys : zipf.Next(random);
            var name = Encoding.ASCII.GetBytes($"{"zus"[part]}:{key}");
            var hash = CurveSimulationTests.Mix((ulong)key + ((ulong)seed << 40) + ((ulong)part << 32));
            var missed = traffic.Read(hash, 160, new SampledName(name, (byte)(part == 0 ? 0 : 1)));
            reads[part]++;
            for (var cache = 0; cache < TrafficLimits.CurveFactors.Count; cache++)
            {
                misses[part, cache] += (int)(missed >> cache & 1);
            }

            if (i % AccessesPerPeriod == AccessesPerPeriod - 1)
            {
                traffic.EndPeriod(1_000_000);
            }
        }

        for (var part = 0; part < reads.Length; part++)
        {
            var curve = Sum(traffic.Simulation, -1, "zus"[part] + ":");
            Assert.That(curve.ReadsRatio, Is.EqualTo((double)reads[part] / Accesses).Within(0.05));
            foreach (var (point, cache) in curve.Hour.Select(static (point, cache) => (point, cache)))
            {
                var right = 1 - ((double)misses[part, cache] / reads[part]);
                Assert.That(point.HitRatio, Is.EqualTo(right).Within(0.02 + (2 * point.Error)), $"{part} {point}");
            }
        }

        var all = Sum(traffic.Simulation, -1, "").Hour.ToList();
        Assert.That(traffic.Off(all).Average(), Is.LessThan(0.02));
        Assert.That(
            Sum(traffic.Simulation, 0, "").Hour.Select(static point => point.HitRatio),
            Is.EqualTo(Sum(traffic.Simulation, -1, "z:").Hour.Select(static point => point.HitRatio)));
        Assert.That(Sum(traffic.Simulation, 2, "").Hour.Select(static point => point.HitRatio), Is.All.NaN);
        Assert.That(
            Sum(traffic.Simulation, -1, "").Day.Select(static point => point.HitRatio),
            Is.EqualTo(all.Select(static point => point.HitRatio)).Within(1e-9));
    }

    /// <summary>Where there are more keys than room, fewer are noted; those that are left count for more, and it goes
    /// on. When they are read no more there is room again.</summary>
    [Test]
    public void The_keys_that_are_noted_are_bounded()
    {
        var keys = new KeyReads(100, 1, uint.MaxValue / 4);
        keys.Advance(0);
        for (var i = 0UL; i < 5000; i++)
        {
            var hash = CurveSimulationTests.Mix(i);
            if (CurveSampler.IsDrawn(hash, keys.Threshold))
            {
                keys.Note(new SampledAccess(hash, 10, 0, IsRead: true), weight: 1, misses: 1);
            }

            Assert.That(keys.Count, Is.LessThanOrEqualTo(100));
        }

        Assert.That(keys.Threshold, Is.LessThan(uint.MaxValue / 30));
        Assert.That(Enumerable.Range(0, keys.Count).Sum(index
            => KeySums.Of(keys.Hour, index, keys.HashOf(index), 0).Misses), Is.EqualTo(5000).Within(20).Percent);
        keys.Raise(uint.MaxValue / 4);
        Assert.That(keys.Threshold, Is.LessThan(uint.MaxValue / 30), "there is no room yet");
        keys.Advance(3 * TrafficLimits.CurveDaySeconds);
        for (var i = 0; i < 10; i++)
        {
            keys.Raise(uint.MaxValue / 4);
        }

        Assert.That(keys.Threshold, Is.InRange(uint.MaxValue / 9, uint.MaxValue / 4));
        Assert.That(keys.Count, Is.Zero);
    }

    /// <summary>What is read more often than can be counted is counted by chance.</summary>
    [Test]
    public void A_key_that_is_read_very_often_is_counted_about()
    {
        var keys = new KeyReads(10, 1, uint.MaxValue);
        keys.Advance(0);
        keys.NoteThreshold(0, uint.MaxValue);
        for (var i = 0; i < 400_000; i++)
        {
            keys.Note(new SampledAccess(7, 10, 0, IsRead: true), weight: 1, misses: i % 4 == 0 ? 1U : 0);
        }

        var sums = KeySums.Of(keys.Hour, 0, 7, 0);
        Assert.That(sums.Reads, Is.EqualTo(400_000).Within(2).Percent);
        Assert.That(sums.Misses, Is.EqualTo(100_000).Within(4).Percent);
    }

    private static PartCurve Sum(CurveSimulation simulation, int database, string prefix)
    {
        var curve = new PartCurve(simulation, database, Encoding.ASCII.GetBytes(prefix));
        for (var i = 0; i < simulation.Keys.Count; i++)
        {
            curve.Add(i, static (_, _) => true);
        }

        return curve;
    }
}
