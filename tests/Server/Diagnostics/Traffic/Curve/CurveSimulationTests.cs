using NUnit.Framework;
using Strata.Server.Diagnostics.Traffic.Curve;
using Strata.Storage.Log;

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
    private const long Start = 1_000_000;
    private const long SecondsPerPeriod = 60;

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

    /// <summary>Which keys are drawn is chance; on the average of many draws a cache of ten keys finds nearly what one
    /// of 640 does.</summary>
    [Test]
    public void A_cache_of_few_keys_finds_on_average_nearly_what_one_of_many_does()
    {
        const int Draws = 200;
        const uint One = uint.MaxValue;
        var random = new Random(1);
        var traffic = Enumerable.Range(0, 100_000).Select(_ => _zipf.Next(random)).Where(static key => key > 100)
            .ToList();
        var exact = HitRatioOf([new MiniCache(Keys, One) { SizeBytes = 640 * 100 }], traffic);
        var drawn = HitRatioOf(
            [.. Enumerable.Range(0, Draws).Select(static _ => new MiniCache(100, One / 64) { SizeBytes = 640 * 100 })],
            traffic);
        Assert.That(100 * drawn, Is.EqualTo(100 * exact).Within(1.5));
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
        window.Advance(5000);
        Assert.That(window.HitRatioOf(0).Ratio, Is.NaN);
    }

    /// <summary>Where the keys that are drawn are read too often, or are missed too often, it is known, and taken off.
    /// </summary>
    [Test]
    public void What_the_server_has_missed_corrects_what_is_drawn()
    {
        var window = new CurveWindow(caches: 1, seconds: 100, periods: 10);
        window.Advance(1000);
        window.CountReads(0, new ReadTotals { Reads = 1000, Lookups = 1000, Missed = 300 });
        for (var i = 0; i < 1000; i++)
        {
            var hash = (ulong)i << 7;
            var isMissed = i % 10 < i % 32 / 8; // Of some groups more: 15 % in all.
            window.Count(0, 1, new SampledAccess(hash, isMissed ? 0U : 10, 0, IsRead: true), isMissed);
        }

        Assert.That(window.HitRatioOf(0).Ratio, Is.EqualTo(0.7).Within(1e-3));
    }

    /// <summary>After a burst it draws as many keys as before, once there was room for a while, and what it tells of
    /// the time before, and then, is right.</summary>
    [Test]
    public void After_a_burst_it_draws_more_keys_again([Range(1, 3)] int seed)
    {
        const int Burst = 3;
        var thresholds = new List<uint>();
        var simulation = Compare(seed, (random, _) => _zipf.Next(random), mostOff: 1.5, (simulation, period) =>
        {
            if (period == Burst)
            {
                simulation.Lower(Threshold / 4);
            }

            thresholds.Add(simulation.Threshold);
            simulation.Raise(Threshold, Start + (SecondsPerPeriod * period));
        });
        Assert.That(thresholds.Skip(Burst).Take(4), Is.All.LessThanOrEqualTo(Threshold / 4));
        Assert.That(simulation.Threshold, Is.GreaterThan(Threshold / 2));
    }

    [Test]
    public void Where_nothing_may_go_a_volatile_policy_refuses_what_is_new()
    {
        var cache = new MiniCache(100, uint.MaxValue) { Policy = EvictionPolicy.VolatileLru, SizeBytes = 1000 };
        for (var i = 1UL; i <= 20; i++)
        {
            _ = cache.Use(new SampledAccess(Mix(i), 100, ExpiresAt: i <= 5 ? 9U : 0, IsRead: false), now: 1);
        }

        bool Has(ulong key) => cache.Use(new SampledAccess(Mix(key), 0, 0, IsRead: true), now: 1);
        Assert.That(Enumerable.Range(1, 5).Count(key => Has((ulong)key)), Is.Zero, "those that expire went first");
        Assert.That(Enumerable.Range(6, 15).Where(key => Has((ulong)key)), Is.EqualTo(Enumerable.Range(6, 10)));
    }

    [Test]
    public void Volatile_ttl_gives_up_what_expires_soonest()
    {
        var cache = new MiniCache(32, uint.MaxValue) { Policy = EvictionPolicy.VolatileTtl, SizeBytes = 1000 };
        for (var i = 1U; i <= 20; i++)
        {
            _ = cache.Use(new SampledAccess(Mix(i), 100, ExpiresAt: 1000 - (i * 10), IsRead: false), now: 1);
        }

        var left = Enumerable.Range(1, 20)
            .Where(key => cache.Use(new SampledAccess(Mix((ulong)key), 0, 0, IsRead: true), now: 1)).ToList();
        Assert.That(left, Has.Count.EqualTo(10));
        Assert.That(left.Average(), Is.LessThan(9.5), "of those drawn the soonest, but not the newest");
    }

    /// <summary>Under random keys go whether they are read or not; under lru what is read stays.</summary>
    [Test]
    public void The_random_policy_looks_at_no_reads()
    {
        var kept = new[] { EvictionPolicy.AllKeysLru, EvictionPolicy.AllKeysLfu, EvictionPolicy.AllKeysRandom }
            .Select(policy =>
            {
                var cache = new MiniCache(1000, uint.MaxValue) { Policy = policy, SizeBytes = 100 * 100 };
                for (var i = 1000UL; i < 2000; i++)
                {
                    _ = cache.Use(new SampledAccess(Mix(i), 100, 0, IsRead: false), now: 1);
                    if (i < 1050)
                    {
                        _ = cache.Use(new SampledAccess(Mix(i - 1000), 100, 0, IsRead: false), now: 1);
                    }

                    for (var hot = 0UL; hot < 50; hot++)
                    {
                        _ = cache.Use(new SampledAccess(Mix(hot), 0, 0, IsRead: true), now: 1);
                    }
                }

                return Enumerable.Range(0, 50).Count(key
                    => cache.Use(new SampledAccess(Mix((ulong)key), 0, 0, IsRead: true), now: 1));
            }).ToList();
        Assert.That(kept[0], Is.GreaterThan(40));
        Assert.That(kept[1], Is.GreaterThan(40));
        Assert.That(kept[2], Is.LessThan(5));
    }

    /// <summary>What caches of other keys each find together of the same traffic.</summary>
    private static double HitRatioOf(List<MiniCache> caches, List<int> traffic)
    {
        var (reads, hits) = (0L, 0L);
        for (var draw = 0; draw < caches.Count; draw++)
        {
            foreach (var key in traffic)
            {
                var hash = Mix((ulong)key + ((ulong)draw << 40));
                if (CurveSampler.IsDrawn(hash, caches[draw].Threshold))
                {
                    reads++;
                    hits += caches[draw].Use(new SampledAccess(hash, 100, 0, IsRead: true), now: 0) ? 1 : 0;
                }
            }
        }

        return (double)hits / reads;
    }

    private static void Count(CurveWindow window, long seconds, int hits)
    {
        window.Advance(seconds);
        window.CountReads(0, new ReadTotals { Reads = 320 });
        for (var group = 0UL; group < CurveWindow.Groups; group++)
        {
            window.Count(0, 10, new SampledAccess(group << 7, 1, 0, IsRead: true), isMiss: hits == 0);
        }
    }

    internal static ulong Mix(ulong number)
    {
        number += 0x9E3779B97F4A7C15UL;
        number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9UL;
        number = (number ^ (number >> 27)) * 0x94D049BB133111EBUL;
        return number ^ (number >> 31);
    }

    private static CurveSimulation Compare(
        int seed,
        Func<Random, int, int> next,
        double mostOff = 1,
        Action<CurveSimulation, int>? atPeriod = null)
    {
        var random = new Random(seed);
        var server = new SimulatedTraffic(Memory, 5 * Keys, Threshold);
        for (var i = 0; i < Accesses; i++)
        {
            var key = next(random, i);
            var hash = Mix((ulong)key + ((ulong)seed << 40));
            server.Read(hash, (uint)(60 + (Mix((ulong)key) % 200)), default);
            if (i % AccessesPerPeriod == AccessesPerPeriod - 1)
            {
                var period = i / AccessesPerPeriod;
                server.EndPeriod(Start + (SecondsPerPeriod * period));
                atPeriod?.Invoke(server.Simulation, period);
            }
        }

        var off = server.Off(server.Simulation.Of(server.Simulation.Hour));
        Assert.That(100 * off.Average(), Is.LessThan(mostOff), string.Join(' ', off.Select(by => $"{100 * by:F2}")));
        return server.Simulation;
    }
}
