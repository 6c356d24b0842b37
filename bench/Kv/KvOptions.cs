using CommandLine;
using Strata.Bench.HitRatio;
using Strata.Bench.Keys;
using Strata.Bench.Load;
using Strata.Storage;

namespace Strata.Bench.Kv;

/// <summary>The flags of <c>strata-bench kv</c>.</summary>
[Verb("kv", HelpText = "Read and change records through the storage library, without a network.")]
[Example("--file /var/tmp --log-memory 64mb --keys 2000000 --read 90 --upsert 10")]
public sealed class KvOptions
{
    private const int MinKeyBytes = 8;

    [Option("read", Default = 100, HelpText = "Percent of the operations that copy a value out.")]
    public int ReadPercent { get; set; } = 100;

    [Option("upsert", Default = 0, HelpText = "Percent that write a new value.")]
    public int UpsertPercent { get; set; }

    [Option("rmw", Default = 0, HelpText = "Percent that read a value and write the next.")]
    public int RmwPercent { get; set; }

    [Option("delete", Default = 0, HelpText = "Percent that delete a key.")]
    public int DeletePercent { get; set; }

    [Option("keys", Default = 1_000_000L, HelpText = "Number of different keys; all are written first.")]
    public long Keys { get; set; } = 1_000_000;

    [Option("key-size", Default = MinKeyBytes, HelpText = "Bytes of a key.")]
    public int KeyBytes { get; set; } = MinKeyBytes;

    [Option("value-size", Default = 100, HelpText = "Bytes of a value.")]
    public int ValueBytes { get; set; } = 100;

    [Option("distribution", Default = KeyDistribution.Uniform, HelpText = "uniform or zipf.")]
    public KeyDistribution Distribution { get; set; } = KeyDistribution.Uniform;

    [Option("zipf-theta", Default = 0.99, HelpText = "Skew of --distribution zipf; 0.99 is YCSB's.")]
    public double ZipfTheta { get; set; } = 0.99;

    [Option("threads", Default = 1, HelpText = "Threads, each of which is a worker.")]
    public int Threads { get; set; } = 1;

    [Option("load-threads", Default = 0, HelpText = "Threads that write the keys first; 0 is --threads.")]
    public int LoadThreads { get; set; }

    [Option("shards", Default = 16, HelpText = "Shards, a power of two.")]
    public int Shards { get; set; } = 16;

    [Option("log-memory", Default = "1gb", HelpText = "Memory of index and log together, like maxmemory.")]
    public string LogMemory { get; set; } = "1gb";

    [Option("device", Default = "native",
        HelpText = "Where data goes that does not fit: native, random-access, memory, null (bytes vanish), or none.")]
    public string Device { get; set; } = "native";

    [Option("device-io-backend", Default = "auto", HelpText = "What native uses: auto, io_uring, libaio, or managed.")]
    public string Backend { get; set; } = "auto";

    [Option("latency-us", Default = 0, HelpText = "Microseconds that a request to --device memory takes.")]
    public int LatencyUs { get; set; }

    [Option("file", HelpText = "Folder for the device's files; needed for native and random-access.")]
    public string Folder { get; set; } = "";

    [Option("segment-size", Default = "64mb", HelpText = "Bytes of a segment, a power of two.")]
    public string SegmentSize { get; set; } = "64mb";

    [Option("depth", Default = 128, HelpText = "Operations that each thread keeps under way.")]
    public int Depth { get; set; } = 128;

    [Option("throttle", Default = 0, HelpText = "Requests of a thread that the device has at most; 0 is --depth.")]
    public int Throttle { get; set; }

    [Option("runtime", Default = 10.0, HelpText = "Seconds to measure; a tenth of that, at most 1 s, is warm-up.")]
    public double RuntimeSeconds { get; set; } = 10;

    [Option("operations", Default = 0L, HelpText = "Measure so many operations instead, without warm-up.")]
    public long Operations { get; set; }

    [Option("pin", HelpText = "Let every thread run on one processor only, in turn.")]
    public bool Pins { get; set; }

    [Option("validate", HelpText = "Hold all that is read against what was written; any difference ends with 1.")]
    public bool Validates { get; set; }

    [Option("dump-distribution", HelpText = "File that is told how often each key was drawn, most popular first.")]
    public string? DistributionFile { get; set; }

    [Option("csv", HelpText = "File to which the result is added as a line; its first line names the columns.")]
    public string? CsvFile { get; set; }

    [Option("seed", Default = 1UL, HelpText = "Seed of the keys and operations.")]
    public ulong Seed { get; set; } = 1;

    [Option("json", HelpText = "Print one JSON object instead of a progress bar and a table.")]
    public bool Json { get; set; }

    /// <summary>Threads that load.</summary>
    internal int Loaders => LoadThreads == 0 ? Threads : LoadThreads;

    /// <summary>Threads in all: those of the larger phase.</summary>
    internal int Workers => Math.Max(Threads, Loaders);

    /// <summary>Most requests in flight to a thread's queue.</summary>
    internal int ThrottleLimit => Throttle == 0 ? Depth : Throttle;

    internal long LogMemoryBytes => MemorySize.Parse(LogMemory, "--log-memory");

    internal long SegmentBytes => MemorySize.Parse(SegmentSize, "--segment-size");

    /// <summary>How long a run is before it is measured.</summary>
    internal TimeSpan WarmUp => TimeSpan.FromSeconds(Operations > 0 ? 0 : Math.Min(1, RuntimeSeconds / 10));

    /// <summary>What operations do.</summary>
    internal KvMix Mix => new(ReadPercent, UpsertPercent, RmwPercent);

    /// <summary>The source of a thread's keys.</summary>
    internal IKeySource KeysOf(int thread)
    {
        var seed = SplitMix64.Mix(Seed + ((ulong)thread << 32));
        return Distribution == KeyDistribution.Zipf ? new ZipfKeys(Keys, ZipfTheta, seed) : new UniformKeys(Keys, seed);
    }

    /// <summary>Checks the flags against each other.</summary>
    /// <exception cref="BenchException">One is out of its range; the message names it and the range.</exception>
    public void Validate()
    {
        foreach (var percent in new[] { ReadPercent, UpsertPercent, RmwPercent, DeletePercent })
        {
            Check(percent is >= 0 and <= 100, "--read, --upsert, --rmw, --delete:", percent, "0 to 100");
        }

        var sum = ReadPercent + UpsertPercent + RmwPercent + DeletePercent;
        Check(sum == 100, "--read + --upsert + --rmw + --delete:", sum, "100 in all");
        Check(Keys is > 0 and <= KeyName.MaxKeys, "--keys", Keys, $"1 to {KeyName.MaxKeys}");
        Check(KeyBytes is >= MinKeyBytes and <= 1 << 16, "--key-size", KeyBytes, $"{MinKeyBytes} to 65536");
        Check(ValueBytes is >= KvValue.MinBytes and <= 64 << 20, "--value-size", ValueBytes,
            $"{KvValue.MinBytes} to 67108864");
        Check(ZipfTheta is > 0 and <= 10, "--zipf-theta", ZipfTheta, "above 0, up to 10");
        Check(Threads is > 0 and <= Limits.MaxWorkers, "--threads", Threads, $"1 to {Limits.MaxWorkers}");
        Check(LoadThreads is >= 0 and <= Limits.MaxWorkers, "--load-threads", LoadThreads,
            $"0 to {Limits.MaxWorkers}");
        Check(Shards is >= Limits.MinShards and <= Limits.MaxShards && int.IsPow2(Shards), "--shards", Shards,
            $"{Limits.MinShards} to {Limits.MaxShards}, a power of two");
        Check(SegmentBytes is >= Limits.MinTierSegmentBytes and <= Limits.MaxTierSegmentBytes
                && long.IsPow2(SegmentBytes),
            "--segment-size", SegmentBytes, "1mb to 1024gb, a power of two");
        Check(Depth is > 0 and <= Limits.MaxQueueDepth, "--depth", Depth, $"1 to {Limits.MaxQueueDepth}");
        Check(Throttle is >= 0 and <= Limits.MaxQueueDepth, "--throttle", Throttle, $"0 to {Limits.MaxQueueDepth}");
        Check(RuntimeSeconds is > 0 and <= 1e6, "--runtime", RuntimeSeconds, "above 0, up to 1000000");
        Check(Operations >= 0, "--operations", Operations, "0 or more");
        Check(LatencyUs is >= 0 and <= Limits.MaxSimulatedLatencyUs, "--latency-us", LatencyUs,
            $"0 to {Limits.MaxSimulatedLatencyUs}");
        Check(LogMemoryBytes >= 1 << 20, "--log-memory", LogMemoryBytes, "1mb or more");
    }

    private static void Check(bool holds, string flag, IFormattable value, string range)
    {
        if (!holds)
        {
            throw new BenchException(FormattableString.Invariant($"{flag} {value} is out of range: give {range}."));
        }
    }
}
