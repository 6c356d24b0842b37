using NUnit.Framework;
using Strata.Server;
using Strata.Server.Diagnostics.Traffic.Curve;

namespace Strata.Tests.Server.Diagnostics.Traffic.Curve;

/// <summary>The curve that is made from a few keys, against caches of each size that are given all of them. Chance is
/// the seed's.</summary>
[TestFixture]
internal sealed class CurveSimulationTests
{
    private const int Keys = 100_000;
    private const int Accesses = 600_000;
    private const int AccessesPerPeriod = 20_000;
    private const uint Threshold = uint.MaxValue / 16;
    private const double Memory = 0.1 * Keys * 160;

    private ZipfNumbers _zipf = null!;

    [OneTimeSetUp]
    public void Draw() => _zipf = new ZipfNumbers(Keys, 0.99);

    [Test]
    public void Of_zipf_traffic_it_is_within_a_point([Range(1, 3)] int seed)
        => Compare(seed, (random, _) => _zipf.Next(random));

    [Test]
    public void With_scans_between_it_is_within_a_point([Range(1, 3)] int seed)
    {
        var scanned = 0;
        Compare(seed, (random, _) => random.Next(4) == 0 ? Keys + (scanned++ % (3 * Keys)) : _zipf.Next(random));
    }

    [Test]
    public void Of_a_loop_it_is_within_a_point([Range(1, 3)] int seed)
        => Compare(seed, static (_, access) => access % (Keys * 2 / 5));

    [Test]
    public void While_the_hot_keys_change_it_is_within_a_point([Range(1, 3)] int seed)
        => Compare(seed, (random, access) => (_zipf.Next(random) + (access / 12)) % Keys);

    /// <summary>Where more keys are hot than it has room for, it draws fewer, and goes on.</summary>
    [Test]
    public void It_never_holds_more_keys_than_it_has_room_for()
    {
        var cache = new MiniCache(100, uint.MaxValue) { SizeBytes = 1e9 };
        for (var i = 0UL; i < 20_000; i++)
        {
            if (CurveSampler.IsDrawn(Mix(i), cache.Threshold))
            {
                _ = cache.Use(new SampledAccess(Mix(i), 100, 0, IsRead: true), now: 0);
            }

            Assert.That(cache.Count, Is.InRange(0, 100));
        }

        Assert.That(cache.Rate, Is.EqualTo(1 / 256.0).Within(1).Percent);
    }

    [Test]
    public void What_is_deleted_or_expires_is_gone_in_every_cache()
    {
        var cache = new MiniCache(100, uint.MaxValue) { SizeBytes = 1e9 };
        Assert.That(cache.Use(new SampledAccess(1, 10, 0, IsRead: false), now: 1), Is.False, "set");
        Assert.That(cache.Use(new SampledAccess(1, 0, 0, IsRead: true), now: 1), "read, where it is evicted by now");
        Assert.That(cache.Use(new SampledAccess(1, 0, 0, IsRead: false), now: 1), "deleted");
        Assert.That(cache.Use(new SampledAccess(1, 0, 0, IsRead: true), now: 1), Is.False);
        Assert.That(cache.Count, Is.Zero);
        _ = cache.Use(new SampledAccess(2, 10, 7, IsRead: false), now: 1);
        Assert.That(cache.Use(new SampledAccess(2, 10, 7, IsRead: true), now: 6));
        Assert.That(cache.Use(new SampledAccess(2, 0, 0, IsRead: true), now: 7), Is.False);
    }

    [Test]
    public void A_window_forgets_what_is_older()
    {
        var window = new CurveWindow(caches: 1, seconds: 100, periods: 10);
        Count(window, 1000, hits: 0);
        Assert.That(window.HitRatioOf(0).Ratio, Is.EqualTo(0).Within(1e-3));
        Count(window, 1050, hits: 1);
        Assert.That(window.HitRatioOf(0).Ratio, Is.EqualTo(0.5).Within(1e-3));
        Count(window, 1120, hits: 1);
        Assert.That(window.HitRatioOf(0).Ratio, Is.EqualTo(1).Within(1e-3));
        window.CountReads(0, 0, 5000);
        Assert.That(window.HitRatioOf(0).Ratio, Is.NaN);
    }

    private static void Count(CurveWindow window, long seconds, int hits)
    {
        window.CountReads(320, 0, seconds);
        for (var group = 0; group < CurveWindow.Groups; group++)
        {
            window.Count(0, group, 10, isMiss: hits == 0);
        }
    }

    private static ulong Mix(ulong number)
    {
        number += 0x9E3779B97F4A7C15UL;
        number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9UL;
        number = (number ^ (number >> 27)) * 0x94D049BB133111EBUL;
        return number ^ (number >> 31);
    }

    private static void Compare(int seed, Func<Random, int, int> next)
    {
        var random = new Random(seed);
        var factors = TrafficLimits.CurveFactors;
        var exact = factors.Select(factor => new MiniCache(5 * Keys, uint.MaxValue) { SizeBytes = factor * Memory })
            .ToList();
        var hits = new int[factors.Count];
        var simulation = new CurveSimulation(Threshold, TrafficLimits.CurveKeysPerCache);
        simulation.SetMemory(Memory);
        simulation.CountReads(0, 0, nowSeconds: 1000);
        var counts = new Dictionary<ulong, int>();
        var hotPart = 0.0;
        for (var i = 0; i < Accesses; i++)
        {
            var key = next(random, i);
            var hash = Mix((ulong)key + ((ulong)seed << 40));
            var access = new SampledAccess(hash, (uint)(60 + (Mix((ulong)key) % 200)), 0, IsRead: true);
            for (var cache = 0; cache < exact.Count; cache++)
            {
                hits[cache] += exact[cache].Use(access, now: 0) ? 1 : 0;
            }

            if (CurveSampler.IsDrawn(hash, simulation.Threshold))
            {
                simulation.Use(access, nowSeconds: 1000);
            }

            // As the server does of its own hot keys.
            counts[hash] = counts.GetValueOrDefault(hash) + 1;
            if (i % AccessesPerPeriod == AccessesPerPeriod - 1)
            {
                simulation.CountReads(AccessesPerPeriod, (long)(hotPart * AccessesPerPeriod), nowSeconds: 1000);
                var hot = counts.Where(static count
                    => count.Value > TrafficLimits.CurveHotShare * AccessesPerPeriod).ToList();
                hotPart = hot.Sum(static count => count.Value) / (double)AccessesPerPeriod;
                simulation.HotKeys = hot.Select(static count => count.Key).ToHashSet();
                counts.Clear();
            }
        }

        var points = simulation.Of(simulation.Hour).ToList();
        var off = points.Select((point, at) => Math.Abs(point.HitRatio - ((double)hits[at] / Accesses))).ToList();
        Assert.That(100 * off.Average(), Is.LessThan(1), string.Join(' ', off.Select(static by => $"{100 * by:F2}")));
    }
}
