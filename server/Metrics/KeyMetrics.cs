using System.Diagnostics;
using System.Globalization;
using Strata.Server.Diagnostics;
using Strata.Server.Diagnostics.Traffic;
using static Strata.Server.Metrics.Metric;

namespace Strata.Server.Metrics;

/// <summary>What becomes of keys.</summary>
internal static class KeyMetrics
{
    private static readonly string[] s_measures =
        [.. Enum.GetNames<HotKeyMeasure>().Select(static name => name.ToLowerInvariant())];

    public static readonly Metric Hits = Counter(
        "keyspace_hits", "Reads that found their key.", source => source.Totals[ServerCounter.Hits], "keyspace_hits");

    public static readonly Metric Misses = Counter(
        "keyspace_misses", "Reads that did not find their key.",
        source => source.Totals[ServerCounter.Misses],
        "keyspace_misses");

    public static readonly Metric ExpiredKeys = Counter(
        "expired_keys", "Keys deleted because their time had come.",
        source => source.Totals[ServerCounter.ExpiredKeys],
        "expired_keys");

    public static readonly Metric ExpiredFields = Counter(
        "expired_subkeys", "Fields of hashes deleted because their time had come.",
        source => source.Totals[ServerCounter.ExpiredFields],
        "expired_subkeys");

    public static readonly Metric ExpireCyclesCut = Counter(
        "expired_time_cap_reached", "How often the search for expired keys ended because it took too long.",
        source => source.Totals[ServerCounter.ExpireCyclesCut],
        "expired_time_cap_reached_count");

    public static readonly Metric ExpireCycleSeconds = Counter(
        "expire_cycle_seconds", "Time spent on the search for expired keys.",
        source => source.Totals[ServerCounter.ExpireCycleTicks] / (double)Stopwatch.Frequency);

    public static readonly Metric EvictedKeys = Counter(
        "evicted_keys", "Keys evicted because memory was short.",
        source => source.Totals[ServerCounter.EvictedKeys],
        "evicted_keys");

    public static readonly Metric Keys = OfDatabases(
        "db_keys", "Keys of each database that has some.", database => database.Keys);

    public static readonly Metric ExpiringKeys = OfDatabases(
        "db_keys_expiring", "Keys of each database that expire.", database => database.Expires);

    public static readonly Metric SecondsLeft = OfDatabases(
        "db_avg_ttl_seconds",
        "How long keys that expire have left, on average.",
        database => database.AverageTimeLeftMs / 1000.0);

    public static readonly Metric HottestKey = Several(
        "hottest_key_ratio", MetricKind.Gauge,
        "The part of all reads, writes and bytes of the last minutes that one key has (STRATA HOTKEYS names it).",
        (source, series) =>
        {
            foreach (var measure in Enum.GetValues<HotKeyMeasure>())
            {
                series.Add(source.Services.Shares.OfKey(measure), "by", s_measures[(int)measure]);
            }
        });

    public static readonly Metric LargestKey = Gauge(
        "largest_key_bytes",
        "Bytes of the largest key, of those of 4 KB and more (STRATA BIGKEYS names it).",
        source => source.Services.Censuses.Max(static census => census.LargestBytes));

    public static readonly Metric LargestPrefix = Gauge(
        "largest_prefix_ratio",
        "The part of all memory and disk of keys that one prefix has (STRATA PREFIXES names it).",
        source => source.Services.Shares.OfPrefix(source.Turns));

    public static readonly Metric Curve = Several(
        "curve_hit_ratio", MetricKind.Gauge,
        "The part of the last hour's reads that would have found their key with so many times the memory.",
        (source, series) =>
        {
            foreach (var point in source.Services.Curve.Hour)
            {
                if (!double.IsNaN(point.HitRatio))
                {
                    series.Add(point.HitRatio, "factor", point.Factor.ToString(CultureInfo.InvariantCulture));
                }
            }
        });

    /// <summary>All of them.</summary>
    public static readonly Metric[] All =
    [
        Hits, Misses, ExpiredKeys, ExpiredFields, ExpireCyclesCut, ExpireCycleSeconds, EvictedKeys, Keys, ExpiringKeys,
        SecondsLeft, HottestKey, LargestKey, LargestPrefix, Curve,
    ];

    private static Metric OfDatabases(string name, string help, Func<DatabaseOverview, double> value)
        => Several(name, MetricKind.Gauge, help, (source, series) =>
        {
            foreach (var database in source.Databases)
            {
                var name = string.Create(CultureInfo.InvariantCulture, $"db{database.Database}");
                series.Add(value(database), "db", name);
            }
        });
}
