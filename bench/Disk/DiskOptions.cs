using CommandLine;

namespace Strata.Bench.Disk;

/// <summary>The flags of <c>strata-bench disk</c>.</summary>
[Verb("disk", HelpText = "Measure a disk with fio, as a device, below the storage library and below the server.")]
[Example("--folder /mnt/nvme --seconds 30 --json disk.json")]
public sealed class DiskOptions
{
    [Option("folder", Required = true,
        HelpText = "Folder on the file system to measure; what is made there is removed.")]
    public string Folder { get; set; } = "";

    [Option("server", HelpText = "Command of the server; {port}, {workers}, {dir} (an empty folder on that file "
        + "system), {backend} and {memory} are filled in. Without it the server's rows are left out.")]
    public string? Server { get; set; }

    [Option("backends", HelpText = "Backends in turn: io_uring libaio; by default both.")]
    public IEnumerable<string> Backends { get; set; } = [];

    [Option("seconds", Default = 10, HelpText = "Seconds of each measurement.")]
    public int Seconds { get; set; } = 10;

    [Option("rounds", Default = 3, HelpText = "Rounds over all layers; every figure is the median of them.")]
    public int Rounds { get; set; } = 3;

    [Option("file-size", Default = "1gb", HelpText = "Size of the file that fio and device read.")]
    public string FileSize { get; set; } = "1gb";

    [Option("depth", Default = 128, HelpText = "Requests that fio, device and kv keep under way.")]
    public int Depth { get; set; } = 128;

    [Option("keys", Default = 2_000_000L, HelpText = "Keys of kv and of the server, with values of 100 bytes.")]
    public long Keys { get; set; } = 2_000_000;

    [Option("server-memory", Default = "64mb", HelpText = "What {memory} in the server's command stands for.")]
    public string ServerMemory { get; set; } = "64mb";

    [Option("server-cpus", Default = "0", HelpText = "CPUs of the server, as taskset takes them.")]
    public string ServerCpus { get; set; } = "0";

    [Option("client-cpus", Default = "1", HelpText = "CPUs of memtier_benchmark.")]
    public string ClientCpus { get; set; } = "1";

    [Option("fio", Default = "fio", HelpText = "fio to use.")]
    public string Fio { get; set; } = "fio";

    [Option("memtier", HelpText = "memtier_benchmark to use; by default $MEMTIER, else the one on the PATH.")]
    public string? Memtier { get; set; }

    [Option("json", HelpText = "Also write the report to this file.")]
    public string? Json { get; set; }

    /// <summary>The backends asked for.</summary>
    internal IReadOnlyList<string> BackendNames => Backends.Any() ? [.. Backends] : ["io_uring", "libaio"];

    /// <summary>Checks the flags against each other.</summary>
    /// <exception cref="BenchException">One is wrong; the message names it.</exception>
    public void Validate()
    {
        if (Seconds < 1 || Rounds < 1 || Keys < 1)
        {
            throw new BenchException("--seconds, --rounds and --keys must be 1 or more.");
        }

        if (BackendNames.FirstOrDefault(name => name is not ("io_uring" or "libaio")) is { } unknown)
        {
            throw new BenchException($"--backends {unknown} does not exist: choose from io_uring libaio.");
        }

        if (!Directory.Exists(Folder))
        {
            throw new BenchException($"--folder {Folder} is not there: make it, on the file system to measure.");
        }
    }
}
