namespace Strata.Storage;

/// <summary>Every fixed bound on what shards note of their own keys, so that it can be told what memory goes where. The
/// memory is taken at the start.</summary>
public static class CensusLimits
{
    /// <summary>Keys that are drawn of all shards together, at most.</summary>
    public const int SampledKeys = 8192;

    /// <summary>The largest keys that are known of one shard, at most, and at least.</summary>
    public const int MostLargestKeys = 64;

    /// <inheritdoc cref="MostLargestKeys"/>
    public const int LeastLargestKeys = 8;

    /// <summary>Those of all shards together, unless each has the least.</summary>
    public const int LargestKeys = 1024;

    /// <summary>Bytes from which on a key is one of the largest: it need not be looked at before.</summary>
    public const int LeastLargeBytes = 4096;

    /// <summary>Bytes of such a key's name that are kept; of a longer one its length is known, and its hash.</summary>
    public const int KeyBytes = 96;

    /// <summary>The part of all keys, one in so many, of whose coming and going the seam of change tells at most. Where
    /// a shard has so few keys that more are drawn, the others are looked for.</summary>
    public const int SeamPart = 16;

    /// <summary>Milliseconds between two looks whether a walk of the index is due; so long it takes at most until keys
    /// are found that the seam has not told of.</summary>
    public const int LookMs = 5000;

    /// <summary>Milliseconds between two walks that look for the largest keys, or for keys on the device.</summary>
    public const int SearchMs = 60_000;

    /// <summary>Buckets of the index that a slice of a walk enters; of one that looks at every record, fewer.</summary>
    public const int BucketsAtOnce = 256;

    /// <inheritdoc cref="BucketsAtOnce"/>
    public const int BucketsLookedThroughAtOnce = 64;

    /// <summary>The parts, one in each slice of background work, in which what is known of the keys drawn is looked up
    /// anew; likewise of the largest.</summary>
    public const int SampleParts = 64;

    /// <inheritdoc cref="SampleParts"/>
    public const int LargestParts = 10;

    /// <summary>Keys that are looked up anew at once for who asks for all.</summary>
    public const int KeysAtOnce = 512;

    /// <summary>Milliseconds between two pages that a shard reads from the device for names that it does not know.
    /// </summary>
    public const int PageReadMs = 250;

    /// <summary>How often a slice of background work waits for a page that is read for them: one that cannot be read is
    /// passed over.</summary>
    public const int PageTries = 20;

    /// <summary>Keys that one shard draws at most.</summary>
    /// <param name="shards">How many shards there are.</param>
    public static int SampledKeysOf(int shards) => SampledKeys / shards;

    /// <summary>The largest keys that are known of one shard.</summary>
    /// <param name="shards">How many shards there are.</param>
    public static int LargestKeysOf(int shards) => Math.Clamp(LargestKeys / shards, LeastLargestKeys, MostLargestKeys);

    /// <summary>Proves the relations the code relies on.</summary>
    /// <exception cref="InvalidOperationException">A relation does not hold.</exception>
    public static void Check()
    {
        Invariant.Check(SampledKeys < short.MaxValue, "places of keys are 16 bits");
        Invariant.Check(SampledKeys >= Limits.MaxShards, "each shard draws keys");
    }
}
