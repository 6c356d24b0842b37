using System.Globalization;
using Strata.Bench.Keys;

namespace Strata.Bench.HitRatio;

/// <summary>
/// A traffic in figures, derived from the flags. "What fits" is counted generously, with as little overhead for each
/// item as hardly any server has, so that the key space is at least ten times what fits in each server.
/// </summary>
internal sealed record TrafficPlan
{
    private const int KeySpaceOverFit = 10;
    private const int LeastOverheadBytes = 27;

    // Of the traffic whose popularity ages: a new key every so many reads, so that a twentieth of them is new after as
    // many reads as there are keys.
    private const long ReadsPerShift = 20;

    // Two thirds of what fits is popular at a time, each key for four reads.
    private const int WindowParts = 15;
    private const int WindowReads = 4;

    // Three times what fits, which others replace after half as many reads.
    private const int ReplacedOverFit = 3;
    private const int SetsPerRead = 2;

    // How fast reads come where that decides what has expired, and nothing else is said.
    private const int UsualRatePerSecond = 50_000;

    public required TrafficKind Traffic { get; init; }

    public required long MaxMemoryBytes { get; init; }

    public required long Keys { get; init; }

    public required int KeyBytes { get; init; }

    public required int MinValueBytes { get; init; }

    public required int MaxValueBytes { get; init; }

    public required double ZipfTheta { get; init; }

    public required double ScanShare { get; init; }

    public required long LoopKeys { get; init; }

    public required long WarmUpReads { get; init; }

    public required long Reads { get; init; }

    public required ulong Seed { get; init; }

    /// <summary>Reads a second; 0 for as fast as it goes.</summary>
    public required int RatePerSecond { get; init; }

    /// <summary>Whether keys are drawn independently of each other, so that what was counted is all that can be known.
    /// </summary>
    public bool IsIndependent => Cluster is not { HasExpiries: true }
        && Traffic is not (TrafficKind.Loop or TrafficKind.Shift or TrafficKind.Window or TrafficKind.Replaced);

    private TwitterCluster? Cluster { get; init; }

    /// <exception cref="BenchException">A flag is out of its range.</exception>
    public static TrafficPlan Of(TrafficKind traffic, HitRatioOptions options)
    {
        var (minValueBytes, maxValueBytes) = ParseRange(options.ValueSize);
        var cluster = TwitterCluster.Of(traffic);
        if (cluster is not null)
        {
            (minValueBytes, maxValueBytes) = (cluster.ValueBytes / 2, cluster.ValueBytes * 3 / 2);
        }

        var keyBytes = Math.Max(KeyName.SizeBytes, cluster?.KeyBytes ?? 0);
        var maxMemoryBytes = MemorySize.Parse(options.MaxMemory, "--maxmemory");
        var itemBytes = keyBytes + LeastOverheadBytes + ((minValueBytes + maxValueBytes) / 2);
        var keys = options.Keys ?? Math.Max(1, KeySpaceOverFit * maxMemoryBytes / itemBytes);
        // The scans' cold keys lie behind the others and are as many.
        Check(keys is > 0 and <= KeyName.MaxKeys / 2, "--keys",
            "1 to 500000000 (a smaller --maxmemory asks for fewer)");
        Check(options.ZipfTheta is > 0 and <= 10, "--zipf-theta", "above 0, up to 10");
        Check(options.ScanShare is > 0 and < 1, "--scan-share", "between 0 and 1");
        Check(options.Loop is > 0 and <= KeySpaceOverFit, "--loop", "above 0, up to 10");
        Check(options.WarmUpReads is null or >= 0, "--warm-up", "0 or more");
        Check(options.Reads is null or > 0, "--reads", "1 or more");
        Check(options.RatePerSecond >= 0, "--rate", "0 or more");
        return new TrafficPlan
        {
            Traffic = traffic,
            Cluster = cluster,
            MaxMemoryBytes = maxMemoryBytes,
            Keys = keys,
            KeyBytes = keyBytes,
            MinValueBytes = minValueBytes,
            MaxValueBytes = maxValueBytes,
            ZipfTheta = cluster?.ZipfTheta ?? options.ZipfTheta,
            ScanShare = options.ScanShare,
            LoopKeys = Math.Max(1, (long)(keys * options.Loop / KeySpaceOverFit)),
            WarmUpReads = options.WarmUpReads ?? keys,
            Reads = options.Reads ?? keys,
            Seed = options.Seed,
            RatePerSecond = options.RatePerSecond == 0 && cluster is { HasExpiries: true }
                ? UsualRatePerSecond
                : options.RatePerSecond,
        };
    }

    /// <summary>A fresh run of the keys: every call with the same plan gives the same ones.</summary>
    public IKeySource KeySource()
    {
        var zipf = new ZipfKeys(Keys, ZipfTheta, Seed);
        return Traffic switch
        {
            TrafficKind.Zipf => zipf,
            TrafficKind.Scan => new ScanMixedKeys(zipf, Keys, ScanShare),
            TrafficKind.Loop => new LoopKeys(LoopKeys),
            TrafficKind.Shift => new ShiftingKeys(Keys, ZipfTheta, Seed, ReadsPerShift),
            TrafficKind.Window => new WindowKeys(Math.Max(1, Keys / WindowParts), WindowReads, Seed),
            TrafficKind.Replaced => Replaced(Math.Max(1, Keys * ReplacedOverFit / KeySpaceOverFit)),
            _ => new OneHitMixedKeys(zipf, Keys, Cluster!.OneHitReadShare, Seed + 1),
        };
    }

    /// <summary>How long a key lives once it is set, ms, at the rate of the reads here; null for always. It is always
    /// the same for the same key.</summary>
    public long? LifetimeMsOf(long key)
    {
        const double Parts = 1 << 20;
        return Cluster?.ReadsToLive(SplitMix64.Mix((ulong)key + 2) % (ulong)Parts / Parts) is { } reads
            ? Math.Max(1, (long)(reads * 1000 / RatePerSecond))
            : null;
    }

    /// <summary>The size of a key's value: always the same for the same key, spread evenly over the range.</summary>
    public int ValueBytesOf(long key) =>
        MinValueBytes + (int)(SplitMix64.Mix((ulong)key + 1) % (ulong)(MaxValueBytes - MinValueBytes + 1));

    private ReplacedKeys Replaced(long keys) => new(keys, ZipfTheta, Seed, Math.Max(1, keys / SetsPerRead));

    private static (int Min, int Max) ParseRange(string text)
    {
        var ends = text.Split('-');
        if (ends.Length is 1 or 2
            && int.TryParse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture, out var min)
            && int.TryParse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture, out var max)
            && min <= max && max <= 1 << 20)
        {
            return (min, max);
        }

        throw new BenchException($"--value-size {text} is not a size: give bytes up to 1048576, or MIN-MAX.");
    }

    private static void Check(bool holds, string flag, string range)
    {
        if (!holds)
        {
            throw new BenchException($"{flag} is out of range: give {range}.");
        }
    }
}
