using CommandLine;

namespace Strata.Bench.Versus;

/// <summary>The flags of <c>strata-bench versus</c>.</summary>
[Verb("versus", HelpText = "Start servers, load them in turn, and compare speed, CPU per operation and memory.")]
[Example("--server 's=0=out/strata-server --port {port}' --server 'r=0=redis-server --port {port}'")]
public sealed class VersusOptions
{
    [Option("server", HelpText = "NAME=PORT=COMMAND; several may be given. Port 0 takes a free one; "
        + "{port}, {dir} and {workers} in the command are filled in.")]
    public IEnumerable<string> Servers { get; set; } = [];

    [Option("floor", HelpText = "Command of a server that answers a constant and keeps nothing, as bench/floor does: "
        + "what the kernel alone costs. It takes part in the loads of one worker; {port} and {bytes}, those of a "
        + "value, are filled in.")]
    public string? Floor { get; set; }

    [Option("baseline", HelpText = "Name of the server to compare with; by default the last one.")]
    public string? Baseline { get; set; }

    [Option("servers", HelpText = "File with further servers, each on a line as --server takes it; lines that are "
        + "empty or begin with # are skipped. Those of --server come first.")]
    public string? ServersFile { get; set; }

    [Option("loads", HelpText = "Which loads: get-p30 set-p30 mix1:10-p30 mix1:10-p1 mix1:10-p1-1000c get-16k-p1 "
        + "set-16k-p1 get-1m-p1 mget30-p1 get-missing-p30 get-p30-2workers set-p30-2workers memory start; by default "
        + "all.")]
    public IEnumerable<string> Loads { get; set; } = [];

    [Option("rounds", Default = 3, HelpText = "Rounds; every figure is the median of them.")]
    public int Rounds { get; set; } = 3;

    [Option("seconds", Default = 6, HelpText = "Seconds of each load, after half as long to warm up.")]
    public int Seconds { get; set; } = 6;

    [Option("keys", Default = 200_000L, HelpText = "Different keys of the loads.")]
    public long Keys { get; set; } = 200_000;

    [Option("value-size", Default = 256, HelpText = "Bytes of a value in the loads.")]
    public int ValueSizeBytes { get; set; } = 256;

    [Option("items", Default = 1_000_000L, HelpText = "Items of the memory measurement.")]
    public long Items { get; set; } = 1_000_000;

    [Option("server-cpus", Default = "0", HelpText = "CPUs of the servers, as taskset takes them.")]
    public string ServerCpus { get; set; } = "0";

    [Option("two-worker-cpus", Default = "0,1", HelpText = "CPUs of the servers in the loads with two workers.")]
    public string TwoWorkerCpus { get; set; } = "0,1";

    [Option("client-cpus", Default = "1", HelpText = "CPUs of the client.")]
    public string ClientCpus { get; set; } = "1";

    [Option("memtier", HelpText = "memtier_benchmark to use; by default $MEMTIER, else the one on the PATH. "
        + "redis-benchmark stands in where there is none.")]
    public string? Memtier { get; set; }

    [Option("json", HelpText = "Also write the report to this file, for strata-bench chart.")]
    public string? Json { get; set; }

    /// <summary>Bytes of a value of a load.</summary>
    internal int ValueBytesOf(VersusLoad load) => load.ValueBytes > 0 ? load.ValueBytes : ValueSizeBytes;

    /// <summary>Different keys of a load.</summary>
    internal long KeysOf(VersusLoad load) => load.Keys > 0 ? load.Keys : Keys;
}
