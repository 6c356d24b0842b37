using CommandLine;

namespace Strata.Bench.Types;

/// <summary>The flags of <c>strata-bench types</c>.</summary>
[Verb("types", HelpText = "Start servers, load them with commands on hashes, lists, sets, sorted sets, transactions "
    + "channels and scripts in turn, and compare CPU per operation and memory.")]
[Example("--server 's=0=out/strata-server --port {port}' --server 'r=0=redis-server --port {port}'")]
public sealed class TypesOptions
{
    [Option("server", Required = true, HelpText = "NAME=PORT=COMMAND; several may be given. Port 0 takes a free one; "
        + "{port}, {dir} and {workers} in the command are filled in.")]
    public IEnumerable<string> Servers { get; set; } = [];

    [Option("baseline", HelpText = "Name of the server to compare with; by default the last one.")]
    public string? Baseline { get; set; }

    [Option("loads", HelpText = "Which loads: hset hget lpush lpop sadd sismember zadd zadd-large zrange multi-5 "
        + "publish-100 xadd xrange xreadgroup-xack geoadd geosearch pfadd pfadd-sparse pfcount-3 script-return "
        + "script-return-p1 script-release script-release-p1 script-limiter script-limiter-p1 "
        + "script-limiter-2workers script-1000-bodies memory-hash memory-set memory-sorted-set memory-stream "
        + "memory-list memory-small-hashes memory-small-streams; by default all.")]
    public IEnumerable<string> Loads { get; set; } = [];

    [Option("rounds", Default = 3, HelpText = "Rounds; every figure is the median of them.")]
    public int Rounds { get; set; } = 3;

    [Option("seconds", Default = 5.0, HelpText = "Seconds of each load, after half as long to warm up.")]
    public double Seconds { get; set; } = 5;

    [Option("requests", Default = 2_000_000L, HelpText = "Requests of lpush, lpop, sadd and script-release, which "
        + "change how much data there is, after half as many to warm up.")]
    public long Requests { get; set; } = 2_000_000;

    [Option("items", Default = 1_000_000L, HelpText = "Elements of zadd-large and of the memory loads' collections.")]
    public long Items { get; set; } = 1_000_000;

    [Option("server-cpus", Default = "0", HelpText = "CPUs of the servers, as taskset takes them.")]
    public string ServerCpus { get; set; } = "0";

    [Option("two-worker-cpus", Default = "0,1", HelpText = "CPUs of the servers in the load with two workers.")]
    public string TwoWorkerCpus { get; set; } = "0,1";

    [Option("client-cpus", Default = "1", HelpText = "CPUs of the client.")]
    public string ClientCpus { get; set; } = "1";

    [Option("json", HelpText = "Also write the report to this file, for strata-bench chart.")]
    public string? Json { get; set; }

    [Option("chart", HelpText = "Also draw the ratios to the baseline as an SVG chart in this file.")]
    public string? Chart { get; set; }
}
