using CommandLine;

namespace Strata.Bench.HitRatio;

/// <summary>The flags of <c>strata-bench hitratio</c>.</summary>
[Verb("hitratio", HelpText = "Play the same read-through traffic to servers and compare their hit ratios.")]
[Example("--target strata=127.0.0.1:6379 --target redis=127.0.0.1:6380 --baseline redis --maxmemory 64mb")]
public sealed class HitRatioOptions
{
    [Option("server", HelpText = "NAME=PORT=COMMAND of a server to start for each traffic; several may be given. "
        + "Port 0 takes a free one; {port}, {dir} and {maxmemory} in the command are filled in.")]
    public IEnumerable<string> Servers { get; set; } = [];

    [Option("target", HelpText = "NAME=HOST:PORT of a server that runs already; several may be given.")]
    public IEnumerable<string> Targets { get; set; } = [];

    [Option("baseline", HelpText = "Names of the servers to compare with; the best of them counts.")]
    public IEnumerable<string> Baselines { get; set; } = [];

    [Option("password", HelpText = "Password of the servers, when they ask for one.")]
    public string? Password { get; set; }

    [Option("flush", HelpText = "Empty the targets (FLUSHALL) before each traffic; without it they must be empty.")]
    public bool Flush { get; set; }

    [Option("traffic", HelpText = "zipf, scan, loop, shift, window, replaced, cluster4, cluster24, cluster29, "
        + "cluster45 or cluster52; several may be given, and all are the default.")]
    public IEnumerable<TrafficKind> Traffics { get; set; } = [];

    [Option("bound", HelpText = "Also show what a cache reaches that has counted all reads of all keys, and spends no "
        + "byte beside keys and values.")]
    public bool Bound { get; set; }

    [Option("maxmemory", Default = "64mb", HelpText = "The servers' maxmemory, which sizes the key space; checked.")]
    public string MaxMemory { get; set; } = "64mb";

    [Option("value-size", Default = "100-400", HelpText = "Bytes of a value: one number, or a range MIN-MAX. Clusters "
        + "have their own.")]
    public string ValueSize { get; set; } = "100-400";

    [Option("keys", HelpText = "Different keys of the Zipf part; by default ten times what fits.")]
    public long? Keys { get; set; }

    [Option("zipf-theta", Default = 0.99, HelpText = "Skew of the Zipf part. Clusters have their own.")]
    public double ZipfTheta { get; set; } = 0.99;

    [Option("scan-share", Default = 0.1, HelpText = "Part of the scan traffic's reads that belongs to scans.")]
    public double ScanShare { get; set; } = 0.1;

    [Option("loop", Default = 2.0, HelpText = "Keys of the loop, as a multiple of those that fit.")]
    public double Loop { get; set; } = 2;

    [Option("warm-up", HelpText = "Reads before counting begins; by default as many as there are keys.")]
    public long? WarmUpReads { get; set; }

    [Option("reads", HelpText = "Reads that are counted; by default as many as there are keys.")]
    public long? Reads { get; set; }

    [Option("rate", Default = 0, HelpText = "Reads a second; 0 is as fast as the server answers, or "
        + "50,000 where keys expire.")]
    public int RatePerSecond { get; set; }

    [Option("seed", Default = 1UL, HelpText = "Seed of the traffic.")]
    public ulong Seed { get; set; } = 1;

    [Option("json", HelpText = "Also write the report to this file, for strata-bench chart.")]
    public string? Json { get; set; }
}
