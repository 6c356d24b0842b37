using CommandLine;

namespace Strata.Bench.Observability;

/// <summary>The flags of <c>strata-bench observability</c>.</summary>
[Verb("observability", HelpText = "Measure what it costs to watch a server: metrics scraped each second and the live "
    + "page open against neither, in turn, on one server that runs on.")]
[Example("--server 'out/strata-server --port {port} --metrics-port {metrics} --workers {workers}'")]
public sealed class ObservabilityOptions
{
    [Option("server", Required = true, HelpText = "The command that starts it; {port}, {metrics}, {dir} and {workers} "
        + "are filled in.")]
    public string Server { get; set; } = "";

    [Option("loads", HelpText = "Which loads: get-p30 set-p30 mix-p30 get-p1 set-p1 mix-p1 idle scrape memory; "
        + "by default all.")]
    public IEnumerable<string> Loads { get; set; } = [];

    [Option("pairs", Default = 24, HelpText = "How often each load is measured with and without.")]
    public int Pairs { get; set; } = 24;

    [Option("seconds", Default = 3.0, HelpText = "Seconds of each measurement.")]
    public double Seconds { get; set; } = 3;

    [Option("scrapes", Default = 400, HelpText = "Scrapes whose CPU is measured, and as many whose clients are.")]
    public int Scrapes { get; set; } = 400;

    [Option("keys", Default = 200_000L, HelpText = "Keys, with 256-byte values.")]
    public long Keys { get; set; } = 200_000;

    [Option("server-cpus", Default = "0", HelpText = "CPUs of the server, as taskset takes them.")]
    public string ServerCpus { get; set; } = "0";

    [Option("client-cpu", Default = 1, HelpText = "CPU of the clients, and of who watches.")]
    public int ClientCpu { get; set; } = 1;

    [Option("json", HelpText = "Also write the report to this file, for strata-bench chart.")]
    public string? Json { get; set; }
}
