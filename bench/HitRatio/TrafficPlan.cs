using System.Globalization;
using Strata.Bench.Keys;

namespace Strata.Bench.HitRatio;

/// <summary>
/// The traffic in figures, derived from the flags. "What fits" is counted generously, with as little overhead for each
/// item as hardly any server has, so that the key space is at least ten times what fits in each server.
/// </summary>
internal sealed record TrafficPlan
{
    private const int KeySpaceOverFit = 10;
    private const int LeastOverheadBytes = 27;

    public required long MaxMemoryBytes { get; init; }

    public required long Keys { get; init; }

    public required int MinValueBytes { get; init; }

    public required int MaxValueBytes { get; init; }

    public required double ZipfTheta { get; init; }

    public required double ScanShare { get; init; }

    public required long WarmUpReads { get; init; }

    public required long Reads { get; init; }

    public required ulong Seed { get; init; }

    /// <exception cref="BenchException">A flag is out of its range.</exception>
    public static TrafficPlan Of(HitRatioOptions options)
    {
        var (minValueBytes, maxValueBytes) = ParseRange(options.ValueSize);
        var maxMemoryBytes = MemorySize.Parse(options.MaxMemory, "--maxmemory");
        var itemBytes = KeyName.SizeBytes + LeastOverheadBytes + ((minValueBytes + maxValueBytes) / 2);
        var keys = options.Keys ?? Math.Max(1, KeySpaceOverFit * maxMemoryBytes / itemBytes);
        // The scans' cold keys lie behind the others and are as many.
        Check(keys is > 0 and <= KeyName.MaxKeys / 2, "--keys",
            "1 to 500000000 (a smaller --maxmemory asks for fewer)");
        Check(options.ZipfTheta is > 0 and <= 10, "--zipf-theta", "above 0, up to 10");
        Check(options.ScanShare is > 0 and < 1, "--scan-share", "between 0 and 1");
        Check(options.WarmUpReads is null or >= 0, "--warm-up", "0 or more");
        Check(options.Reads is null or > 0, "--reads", "1 or more");
        Check(options.RatePerSecond >= 0, "--rate", "0 or more");
        return new TrafficPlan
        {
            MaxMemoryBytes = maxMemoryBytes,
            Keys = keys,
            MinValueBytes = minValueBytes,
            MaxValueBytes = maxValueBytes,
            ZipfTheta = options.ZipfTheta,
            ScanShare = options.ScanShare,
            WarmUpReads = options.WarmUpReads ?? keys,
            Reads = options.Reads ?? keys,
            Seed = options.Seed,
        };
    }

    /// <summary>A fresh run of the keys: every call with the same plan gives the same ones.</summary>
    public IKeySource KeysOf(TrafficKind traffic)
    {
        var zipf = new ZipfKeys(Keys, ZipfTheta, Seed);
        return traffic == TrafficKind.Zipf ? zipf : new ScanMixedKeys(zipf, Keys, ScanShare);
    }

    /// <summary>The size of a key's value: always the same for the same key, spread evenly over the range.</summary>
    public int ValueBytesOf(long key) =>
        MinValueBytes + (int)(SplitMix64.Mix((ulong)key + 1) % (ulong)(MaxValueBytes - MinValueBytes + 1));

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
