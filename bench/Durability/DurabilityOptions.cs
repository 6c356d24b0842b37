using CommandLine;

namespace Strata.Bench.Durability;

/// <summary>The flags of <c>strata-bench durability</c>.</summary>
[Verb("durability", HelpText = "Start servers that keep their data and compare what that costs: the append-only file, "
    + "saving and loading, and what clients notice of a snapshot.")]
[Example("--server 's=0=out/strata-server --port {port} {flags}' --server 'r=0=redis-server --port {port} {flags}'")]
public sealed class DurabilityOptions
{
    [Option("server", Required = true, HelpText = "NAME=PORT=COMMAND; several may be given. Port 0 takes a free one; "
        + "{port}, {dir} and {workers} in the command are filled in, and {flags} by what each load asks for.")]
    public IEnumerable<string> Servers { get; set; } = [];

    [Option("baseline", HelpText = "Name of the server to compare with; by default the last one.")]
    public string? Baseline { get; set; }

    [Option("loads", HelpText = "Which loads: set-off get-off set-everysec set-always mixed-always save-load bgsave; "
        + "by default all.")]
    public IEnumerable<string> Loads { get; set; } = [];

    [Option("rounds", Default = 3, HelpText = "Rounds; every figure is the median of them.")]
    public int Rounds { get; set; } = 3;

    [Option("seconds", Default = 4.0, HelpText = "Seconds of each load, after half as long to warm up.")]
    public double Seconds { get; set; } = 4;

    [Option("save-keys", Default = 4_000_000L, HelpText = "Keys of save-load, with 256-byte values: 1 GB by default.")]
    public long SaveKeys { get; set; } = 4_000_000;

    [Option("snapshot-keys", Default = 5_000_000L, HelpText = "Keys of bgsave, with 100-byte values.")]
    public long SnapshotKeys { get; set; } = 5_000_000;

    [Option("snapshot-sets", Default = 50_000L, HelpText = "SETs a second while bgsave measures.")]
    public long SnapshotSets { get; set; } = 50_000;

    [Option("snapshot-gets", Default = 10_000L, HelpText = "GETs a second beside them, whose latency is measured.")]
    public long SnapshotGets { get; set; } = 10_000;

    [Option("server-cpus", Default = "0", HelpText = "CPUs of the servers, as taskset takes them.")]
    public string ServerCpus { get; set; } = "0";

    [Option("client-cpus", Default = "1", HelpText = "CPUs of the clients.")]
    public string ClientCpus { get; set; } = "1";

    [Option("json", HelpText = "Also write the report to this file, for strata-bench chart.")]
    public string? Json { get; set; }
}
