using CommandLine;

namespace Strata.Bench.Cores;

/// <summary>The flags of <c>strata-bench cores</c>.</summary>
[Verb("cores", HelpText = "Count what workers have of each other: leases found taken, and work left for another one, "
    + "for as many workers as are asked for, on keys that are spread, skewed, or one alone.")]
[Example("--server 'out/strata-server --port {port} --workers {workers}' --workers 2 4 8")]
public sealed class CoresOptions
{
    [Option("server", Required = true, HelpText = "The command that starts it; {port}, {dir} and {workers} are filled "
        + "in.")]
    public string Server { get; set; } = "";

    [Option("workers", HelpText = "How many workers, one after the other; by default 1 2 4 8 16.")]
    public IEnumerable<int> Workers { get; set; } = [];

    [Option("loads", HelpText = "Which loads: get-uniform get-zipf get-one set-uniform set-zipf set-one mix-one; "
        + "by default all.")]
    public IEnumerable<string> Loads { get; set; } = [];

    [Option("seconds", Default = 3.0, HelpText = "Seconds of each load.")]
    public double Seconds { get; set; } = 3;

    [Option("keys", Default = 200_000L, HelpText = "Keys, with 256-byte values, where there is more than one.")]
    public long Keys { get; set; } = 200_000;

    [Option("server-cpus", HelpText = "CPUs of the server, as taskset takes them; by default all.")]
    public string? ServerCpus { get; set; }

    [Option("client-cpus", HelpText = "CPUs of the clients; by default all.")]
    public string? ClientCpus { get; set; }

    [Option("json", HelpText = "Also write the report to this file, for strata-bench chart.")]
    public string? Json { get; set; }
}
