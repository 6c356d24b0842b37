using CommandLine;
using Strata.Bench.Keys;

namespace Strata.Bench.Load;

/// <summary>The flags of <c>strata-bench resp</c>.</summary>
[Verb("resp", HelpText = "Load a RESP server and report throughput, latency, hits and misses.")]
[Example("--port 6379 --op mix --pipeline 30 --runtime 5")]
public sealed class LoadOptions : TargetOptions
{
    [Option("op", Default = LoadOperation.Get, HelpText = "get, set, incr, mget, del, or mix (SETs and GETs).")]
    public LoadOperation Operation { get; set; } = LoadOperation.Get;

    [Option("command", HelpText = "Instead of --op: the commands to send in turn, separated by ';'. {key} is a number "
        + "of --keys, {key/N} and {key%N} its quotient and remainder, {next} another one, {random:N} a number below N, "
        + "{data:N} N letters.")]
    public string? Command { get; set; }

    [Option("subscribers", Default = 0, HelpText = "Connections that subscribe to the channel news and read it.")]
    public int Subscribers { get; set; }

    [Option("ratio", Default = "1:10", HelpText = "SETs to GETs of --op mix.")]
    public string Ratio { get; set; } = "1:10";

    [Option("keys", Default = 200_000L, HelpText = "Number of different keys.")]
    public long Keys { get; set; } = 200_000;

    [Option("keys-per-mget", Default = 10, HelpText = "Keys that one MGET asks for.")]
    public int KeysPerMget { get; set; } = 10;

    [Option("value-size", Default = 256, HelpText = "Bytes of a value.")]
    public int ValueSizeBytes { get; set; } = 256;

    [Option("threads", Default = 1, HelpText = "Client threads.")]
    public int Threads { get; set; } = 1;

    [Option("connections", Default = 16, HelpText = "Connections of each thread.")]
    public int Connections { get; set; } = 16;

    [Option("pipeline", Default = 1, HelpText = "Requests sent together on a connection, replies awaited together.")]
    public int Pipeline { get; set; } = 1;

    [Option("distribution", Default = KeyDistribution.Uniform, HelpText = "uniform or zipf.")]
    public KeyDistribution Distribution { get; set; } = KeyDistribution.Uniform;

    [Option("zipf-theta", Default = 0.99, HelpText = "Skew of --distribution zipf; 0.99 is YCSB's.")]
    public double ZipfTheta { get; set; } = 0.99;

    [Option("runtime", Default = 10.0, HelpText = "Seconds to run; 0 sets every key once, in order, and stops. With "
        + "--command it sends --keys requests.")]
    public double RuntimeSeconds { get; set; } = 10;

    [Option("rate", Default = 0L, HelpText = "Requests a second, of all connections together; 0 sends as fast as "
        + "replies come. What a connection cannot send in time it sends later.")]
    public long Rate { get; set; }

    [Option("seed", Default = 1UL, HelpText = "Seed of the keys: the same seed asks for the same keys.")]
    public ulong Seed { get; set; } = 1;

    [Option("json", HelpText = "Print one JSON object instead of a progress bar and a table.")]
    public bool Json { get; set; }

    /// <summary>Whether this run only fills the server.</summary>
    internal bool LoadsOnly => RuntimeSeconds == 0;

    /// <summary>What the load is called.</summary>
    internal string OperationName =>
        Command is not null ? "command" : LoadsOnly ? "load" : Operation.ToString().ToLowerInvariant();

    /// <summary>Checks the flags against each other.</summary>
    /// <exception cref="BenchException">One is out of its range; the message names it and the range.</exception>
    public void Validate()
    {
        Check(Port is > 0 and <= 65535, "--port", Port, "1 to 65535");
        Check(Keys is > 0 and <= KeyName.MaxKeys, "--keys", Keys, "1 to 1000000000");
        Check(KeysPerMget is > 0 and <= 10_000, "--keys-per-mget", KeysPerMget, "1 to 10000");
        Check(ValueSizeBytes is >= 0 and <= 512 << 20, "--value-size", ValueSizeBytes, "0 to 536870912");
        Check(Threads is > 0 and <= 1024, "--threads", Threads, "1 to 1024");
        Check(Connections is > 0 and <= 100_000, "--connections", Connections, "1 to 100000");
        Check(Subscribers is >= 0 and <= 100_000, "--subscribers", Subscribers, "0 to 100000");
        Check(Pipeline is > 0 and <= 1_000_000, "--pipeline", Pipeline, "1 to 1000000");
        Check(ZipfTheta is > 0 and <= 10, "--zipf-theta", ZipfTheta, "above 0, up to 10");
        Check(RuntimeSeconds is >= 0 and <= 1e6, "--runtime", RuntimeSeconds, "0 to 1000000");
        Check(Rate is >= 0 and <= 1_000_000_000, "--rate", Rate, "0 to 1000000000");
        OperationRatio.Parse(Ratio);
    }

    private static void Check(bool holds, string flag, IFormattable value, string range)
    {
        if (!holds)
        {
            throw new BenchException(FormattableString.Invariant($"{flag} {value} is out of range: give {range}."));
        }
    }
}
