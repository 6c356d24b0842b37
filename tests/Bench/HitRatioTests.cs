using NUnit.Framework;
using Strata.Bench.HitRatio;
using Strata.Bench.Reports;

namespace Strata.Tests.Bench;

public sealed class HitRatioTests
{
    [Test]
    public void The_verb_plays_all_traffics_to_every_server_and_writes_a_report()
    {
        BenchRun.RequireOnPath("redis-server");
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "hitratio-test.json");
        var limited = BenchRun.RedisCommand + " --maxmemory {maxmemory} --maxmemory-policy ";
        var output = BenchRun.Succeed("hitratio", "--server", "lru=0=" + limited + "allkeys-lru",
            "--server", "lfu=0=" + limited + "allkeys-lfu", "--baseline", "lru", "--maxmemory", "2mb",
            "--rate", "100000", "--keys", "20000", "--warm-up", "20000", "--reads", "20000", "--json", json);
        var report = BenchReport.Load(json);
        File.Delete(json);
        Assert.Multiple(() =>
        {
            Assert.That(output, Does.Contain("lfu").And.Contain("points"));
            Assert.That(report.Of(Metric.HitPercent).Select(m => (m.Load, m.Server)), Is.EquivalentTo(
                Enum.GetNames<TrafficKind>().Select(name => name.ToLowerInvariant())
                    .SelectMany(name => new[] { (name, "lru"), (name, "lfu") })));
            Assert.That(report.Of(Metric.HitPercent).Where(m => m.Load is "zipf" or "scan").Select(m => m.Value),
                Is.All.InRange(10, 95));
            Assert.That(report.Value("scan", "lru", Metric.HitPercent),
                Is.LessThan(report.Value("zipf", "lru", Metric.HitPercent)!.Value));
            Assert.That(report.Of(Metric.Items).Select(m => m.Value), Is.All.InRange(100, 10_000));
        });
    }

    [Test]
    public void With_room_for_all_the_only_misses_are_first_reads()
    {
        BenchRun.RequireOnPath("redis-server");
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "hitratio-room.json");
        BenchRun.Succeed("hitratio", "--server", "roomy=0=" + BenchRun.RedisCommand + " --maxmemory {maxmemory}",
            "--maxmemory", "64mb", "--keys", "100", "--warm-up", "20000", "--reads", "5000", "--traffic", "zipf",
            "--json", json);
        var report = BenchReport.Load(json);
        File.Delete(json);
        Assert.That(report.Value("zipf", "roomy", Metric.HitPercent), Is.EqualTo(100));
    }

    [Test]
    public void A_server_with_another_limit_or_with_keys_is_refused()
    {
        using var redis = BenchRun.StartRedis("--maxmemory 4mb");
        var target = $"redis=127.0.0.1:{redis.Port}";
        var otherLimit = BenchRun.Run("hitratio", "--target", target, "--maxmemory", "5mb");
        BenchRun.Succeed("resp", "--port", $"{redis.Port}", "--runtime", "0", "--keys", "3");
        var notEmpty = BenchRun.Run("hitratio", "--target", target, "--maxmemory", "4mb");
        Assert.Multiple(() =>
        {
            Assert.That((otherLimit.ExitCode, notEmpty.ExitCode), Is.EqualTo((1, 1)));
            Assert.That(otherLimit.Error, Does.Contain("runs with a maxmemory of 4194304 bytes, not 5242880"));
            Assert.That(notEmpty.Error, Does.Contain("holds 3 keys"));
        });
    }

    /// <summary>Zipf's law with theta 1 over 1,000 keys of which 99 fit: by the harmonic numbers 69 % of the reads go
    /// to these, give or take 0.2 points of 50,000 reads, and a cache that has counted all reads holds nearly those.
    /// </summary>
    [Test]
    public void The_bound_is_near_what_the_keys_popularity_allows()
    {
        BenchRun.RequireOnPath("redis-server");
        var json = Path.Combine(TestContext.CurrentContext.WorkDirectory, "hitratio-bound.json");
        BenchRun.Succeed("hitratio", "--server", "lru=0=" + BenchRun.RedisCommand + " --maxmemory {maxmemory} "
            + "--maxmemory-policy allkeys-lru", "--bound", "--maxmemory", "2mb", "--value-size", "20987",
            "--keys", "1000", "--warm-up", "50000", "--reads", "50000", "--traffic", "zipf", "--zipf-theta", "1",
            "--json", json);
        var report = BenchReport.Load(json);
        File.Delete(json);
        var harmonic = Enumerable.Range(1, 1_000).Select(rank => 1.0 / rank).ToList();
        var allowed = 100 * harmonic.Take(99).Sum() / harmonic.Sum();
        Assert.Multiple(() =>
        {
            Assert.That(report.Value("zipf", "bound", Metric.Items), Is.EqualTo(99), "2 MB of 13 and 20,987 bytes");
            Assert.That(report.Value("zipf", "bound", Metric.HitPercent), Is.InRange(allowed - 4, allowed + 1));
            Assert.That(report.Value("zipf", "bound", Metric.HitPercent),
                Is.GreaterThan(report.Value("zipf", "lru", Metric.HitPercent)!.Value));
        });
    }

    [Test]
    public void The_key_space_is_ten_times_what_fits_with_hardly_any_overhead()
    {
        var plan = TrafficPlan.Of(TrafficKind.Zipf, new() { MaxMemory = "64mb", ValueSize = "100-400" });
        Assert.That(plan.Keys, Is.GreaterThanOrEqualTo(10 * (64L << 20) / (250 + 13 + 27)));
    }

    [Test]
    public void Values_spread_over_the_range_and_stay_the_same_for_a_key()
    {
        var plan = TrafficPlan.Of(TrafficKind.Zipf, new() { ValueSize = "100-400" });
        var again = TrafficPlan.Of(TrafficKind.Zipf, new() { ValueSize = "100-400", Seed = 2 });
        var sizes = Enumerable.Range(0, 100_000).Select(key => plan.ValueBytesOf(key)).ToList();
        Assert.Multiple(() =>
        {
            Assert.That(sizes.Min(), Is.EqualTo(100));
            Assert.That(sizes.Max(), Is.EqualTo(400));
            Assert.That(sizes.Average(), Is.EqualTo(250).Within(2));
            Assert.That(again.ValueBytesOf(7), Is.EqualTo(plan.ValueBytesOf(7)));
        });
    }

    [Test]
    public void A_tenth_of_the_scan_traffic_is_scans_in_order_over_cold_keys()
    {
        const int Keys = 10_000;
        var drawn = Drawn(TrafficPlan.Of(TrafficKind.Scan, new() { Keys = Keys }), 5 * Keys);
        var scanned = drawn.Where(key => key >= Keys).ToList();
        Assert.Multiple(() =>
        {
            Assert.That(scanned, Has.Count.EqualTo(drawn.Count / 10));
            Assert.That(scanned, Is.EqualTo(Enumerable.Range(Keys, scanned.Count).Select(key => (long)key)));
            Assert.That(drawn.Take(100), Is.All.LessThan(Keys));
        });
    }

    [Test]
    public void A_loop_is_of_as_many_keys_as_it_is_told()
    {
        var plan = TrafficPlan.Of(TrafficKind.Loop, new() { MaxMemory = "1mb", ValueSize = "60" });
        var drawn = Drawn(plan, 50_000);
        var fitting = (1 << 20) / 100;
        Assert.That(drawn.Distinct().Count(), Is.EqualTo(2 * fitting).Within(2));
        plan = TrafficPlan.Of(TrafficKind.Loop, new() { MaxMemory = "1mb", ValueSize = "60", Loop = 4 });
        Assert.That(Drawn(plan, 50_000).Distinct().Count(), Is.EqualTo(4 * fitting).Within(4));
        Assert.That(drawn.Take(20_000), Is.EqualTo(Enumerable.Range(0, 20_000).Select(static key => (long)key)));
        Assert.That(plan.IsIndependent, Is.False);
    }

    /// <summary>Of 1,000 keys a twentieth is new after 1,000 reads: what was popular is so no more.</summary>
    [Test]
    public void What_is_popular_ages()
    {
        var drawn = Drawn(TrafficPlan.Of(TrafficKind.Shift, new() { Keys = 1000 }), 10_000);
        var (early, late) = (MostRead(drawn.Take(1000)), MostRead(drawn.Skip(9000)));
        Assert.That(early.Intersect(late), Is.Empty);
        Assert.That(drawn, Is.All.InRange(0, 999));

        static List<long> MostRead(IEnumerable<long> keys)
            => [.. keys.CountBy(static key => key).OrderByDescending(static key => key.Value).Take(5).Select(
                static key => key.Key)];
    }

    [Test]
    public void A_window_moves_on_after_every_fourth_read()
    {
        var drawn = Drawn(TrafficPlan.Of(TrafficKind.Window, new() { Keys = 15_000 }), 100_000);
        Assert.That(drawn.Select(static (key, read) => key - (read / 4)), Is.All.InRange(0, 999));
        Assert.That(drawn.Distinct().Count(), Is.EqualTo(25_000).Within(5).Percent);
    }

    [Test]
    public void Replaced_keys_do_not_come_again()
    {
        var drawn = Drawn(TrafficPlan.Of(TrafficKind.Replaced, new() { Keys = 10_000 }), 15_000);
        Assert.That(drawn.Select(static (key, read) => (key / 3000) - (read / 1500)), Is.All.Zero);
    }

    /// <summary>Of cluster 45, each sixth read is of a key that is asked for once: 0.4874 of the keys, each of which
    /// was read 2.9 times.</summary>
    [Test]
    public void A_cluster_has_the_sizes_and_the_keys_asked_for_once_that_were_published()
    {
        var plan = TrafficPlan.Of(TrafficKind.Cluster45, new() { Keys = 1000 });
        var once = Drawn(plan, 100_000).Where(static key => key >= 1000).ToList();
        Assert.That(once, Is.Unique);
        Assert.That(once, Has.Count.EqualTo(100_000 * 0.4874 / 2.9).Within(3).Percent);
        Assert.That(Enumerable.Range(0, 10_000).Average(key => plan.ValueBytesOf(key)), Is.EqualTo(120).Within(2));
        Assert.That(plan.LifetimeMsOf(1), Is.Null);
        Assert.That(TrafficPlan.Of(TrafficKind.Cluster52, new()).KeyBytes, Is.EqualTo(20));
    }

    /// <summary>A key of cluster 4 that lived for a minute, while 315,600 requests came, lives as many here.</summary>
    [Test]
    public void Lifetimes_are_as_many_reads_as_they_were()
    {
        var plan = TrafficPlan.Of(TrafficKind.Cluster4, new() { Keys = 1000, RatePerSecond = 5_260_000 });
        var lifetimes = Enumerable.Range(0, 100_000).Select(key => plan.LifetimeMsOf(key)!.Value)
            .CountBy(static ms => ms).ToDictionary();
        Assert.That(lifetimes.Keys, Is.EquivalentTo([60, 300, 3600, 600, 14_400, 86_400]));
        Assert.That(lifetimes[60], Is.EqualTo(39_000).Within(2).Percent);
    }

    [TestCase("64mb", 64L << 20)]
    [TestCase("1GB", 1L << 30)]
    [TestCase("5m", 5_000_000)]
    [TestCase("100", 100)]
    [TestCase("7b", 7)]
    public void Sizes_are_read_as_redis_conf_writes_them(string text, long sizeBytes) =>
        Assert.That(MemorySize.Parse(text, "--maxmemory"), Is.EqualTo(sizeBytes));

    [TestCase("--maxmemory=lots", "--maxmemory lots is not a size")]
    [TestCase("--value-size=5-2", "--value-size 5-2 is not a size")]
    [TestCase("--scan-share=1", "--scan-share is out of range")]
    [TestCase("--loop=0", "--loop is out of range")]
    [TestCase("--baseline=x", "--baseline x is none of the servers")]
    public void Wrong_flags_are_named(string flag, string message)
    {
        var (exitCode, _, error) = BenchRun.Run("hitratio", "--target", "a=127.0.0.1:1", flag);
        Assert.Multiple(() =>
        {
            Assert.That(exitCode, Is.EqualTo(1));
            Assert.That(error, Does.Contain(message));
        });
    }

    private static List<long> Drawn(TrafficPlan plan, int reads)
    {
        var source = plan.KeySource();
        var drawn = new List<long>();
        for (var i = 0; i < reads; i++)
        {
            source.TryNext(out var key);
            drawn.Add(key);
        }

        return drawn;
    }
}
