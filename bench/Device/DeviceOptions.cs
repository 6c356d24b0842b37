using CommandLine;
using Strata.Bench.HitRatio;
using Strata.Storage;

namespace Strata.Bench.Device;

/// <summary>The flags of <c>strata-bench device</c>.</summary>
[Verb("device", HelpText = "Read and write random blocks through a storage device, as the tiered log does.")]
[Example("--file /var/tmp/blocks --file-size 4gb --depth 128")]
public sealed class DeviceOptions
{
    private const int MaxDepth = 65_536;

    [Option("file", HelpText = "File to make, measure and remove; needed unless --device is memory or null.")]
    public string File { get; set; } = "";

    [Option("file-size", Default = "1gb", HelpText = "Size of the file; it is written whole before the measurement.")]
    public string FileSize { get; set; } = "1gb";

    [Option("keep", HelpText = "Do not remove the file at the end.")]
    public bool Keep { get; set; }

    [Option("reuse", HelpText = "Measure on the file as an earlier run with --keep left it, and keep it.")]
    public bool Reuse { get; set; }

    [Option("device", Default = "native", HelpText = "native, random-access, memory, or null (bytes vanish).")]
    public string Device { get; set; } = "native";

    [Option("device-io-backend", Default = "auto", HelpText = "What native uses: auto, io_uring, libaio, or managed.")]
    public string Backend { get; set; } = "auto";

    [Option("latency-us", Default = 0, HelpText = "Microseconds that a request to --device memory takes.")]
    public int LatencyUs { get; set; }

    [Option("block-size", Default = 4096, HelpText = "Bytes of a request, down to the logical sector of the disk.")]
    public int BlockBytes { get; set; } = 4096;

    [Option("depth", Default = 128, HelpText = "Requests that each thread keeps under way.")]
    public int Depth { get; set; } = 128;

    [Option("throttle", Default = 0, HelpText = "Requests of a thread that the device has at most; 0 is --depth.")]
    public int Throttle { get; set; }

    [Option("threads", Default = 1, HelpText = "Threads, each with a queue of its own.")]
    public int Threads { get; set; } = 1;

    [Option("write-percent", Default = 0, HelpText = "Share of the requests that write.")]
    public int WritePercent { get; set; }

    [Option("runtime", Default = 10.0, HelpText = "Seconds to measure; a tenth of that, at most 1 s, is warm-up.")]
    public double RuntimeSeconds { get; set; } = 10;

    [Option("seed", Default = 1UL, HelpText = "Seed of the offsets.")]
    public ulong Seed { get; set; } = 1;

    [Option("json", HelpText = "Print one JSON object instead of a progress bar and a table.")]
    public bool Json { get; set; }

    /// <summary>Most requests in flight to a thread's queue.</summary>
    internal int ThrottleLimit => Throttle == 0 ? Depth : Throttle;

    /// <summary>How long a run is before it is measured.</summary>
    internal TimeSpan WarmUp => TimeSpan.FromSeconds(Math.Min(1, RuntimeSeconds / 10));

    /// <summary>Whole blocks in the file.</summary>
    internal long Blocks => MemorySize.Parse(FileSize, "--file-size") / BlockBytes;

    /// <summary>Checks the flags against each other.</summary>
    /// <exception cref="BenchException">One is out of its range; the message names it and the range.</exception>
    public void Validate()
    {
        Check(BlockBytes is >= Limits.MinSectorBytes and <= 64 << 20 && BlockBytes % Limits.MinSectorBytes == 0,
            "--block-size", BlockBytes, "512 to 67108864, a multiple of 512");
        Check(Depth is > 0 and <= MaxDepth, "--depth", Depth, $"1 to {MaxDepth}");
        Check(Throttle is >= 0 and <= MaxDepth, "--throttle", Throttle, $"0 to {MaxDepth}");
        Check(Threads is > 0 and <= 1024, "--threads", Threads, "1 to 1024");
        Check(WritePercent is >= 0 and <= 100, "--write-percent", WritePercent, "0 to 100");
        Check(RuntimeSeconds is > 0 and <= 1e6, "--runtime", RuntimeSeconds, "above 0, up to 1000000");
        Check(LatencyUs is >= 0 and <= Limits.MaxSimulatedLatencyUs, "--latency-us", LatencyUs,
            $"0 to {Limits.MaxSimulatedLatencyUs}");
        if (Blocks == 0)
        {
            throw new BenchException($"--file-size {FileSize} holds no block of {BlockBytes} bytes.");
        }
    }

    private static void Check(bool holds, string flag, IFormattable value, string range)
    {
        if (!holds)
        {
            throw new BenchException(FormattableString.Invariant($"{flag} {value} is out of range: give {range}."));
        }
    }
}
