using System.Globalization;
using System.Text.Json;

namespace Strata.Bench.Versus;

/// <summary>memtier_benchmark: one thread, keys drawn at random, results from its JSON file.</summary>
internal sealed class MemtierTool(string path, VersusOptions options) : ILoadTool
{
    public string Name => "memtier_benchmark";

    public bool Supports(VersusLoad load) => true;

    public void Fill(VersusLoad load, int port) => Execute(load, port,
        "--ratio=1:0", "--requests=allkeys", "--key-pattern=P:P", "--clients=4", "--pipeline=50");

    public LoadSample Run(VersusLoad load, int port, int seconds) => Parse(
        Execute(load, port,
        [
            .. CommandsOf(load), Invariant($"--clients={load.Connections}"), Invariant($"--pipeline={load.Pipeline}"),
            Invariant($"--test-time={seconds}"), "--distinct-client-seed",
        ]),
        seconds);

    private static string[] CommandsOf(VersusLoad load)
        => load.KeysPerGet == 1
            ? [Invariant($"--ratio={load.Sets}:{load.Gets}")]
            : [$"--command=MGET {string.Join(' ', Enumerable.Repeat("__key__", load.KeysPerGet))}",
                "--command-key-pattern=R"];

    /// <summary>Reads memtier's JSON. The rate is the count over the seconds that memtier was told to run: its own
    /// rates divide by a duration that it gets wrong by whole seconds (a run of one says 2, 1001 or 2003 ms).</summary>
    /// <exception cref="BenchException">It is not such a file, or connections failed.</exception>
    public static LoadSample Parse(string json, int seconds)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            var totals = document.RootElement.GetProperty("ALL STATS").GetProperty("Totals");
            var connectionErrors = totals.GetProperty("Connection Errors").GetInt64();
            if (connectionErrors > 0)
            {
                throw new BenchException(
                    $"memtier_benchmark lost {connectionErrors} connections: see the server's log.");
            }

            var operations = totals.GetProperty("Count").GetInt64();
            var percentiles = totals.GetProperty("Percentile Latencies");
            return new LoadSample(operations, operations / (double)seconds,
                percentiles.GetProperty("p50.00").GetDouble(), percentiles.GetProperty("p99.00").GetDouble());
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException)
        {
            throw new BenchException(
                $"memtier_benchmark's JSON is not as expected ({e.Message}): use version 2 or later.", e);
        }
    }

    private string Execute(VersusLoad load, int port, params string[] arguments)
    {
        var file = Path.GetTempFileName();
        try
        {
            var said = ToolProcess.Run(path, options.ClientCpus,
            [
                "--server=127.0.0.1", Invariant($"--port={port}"), "--threads=1", "--hide-histogram",
                $"--json-out-file={file}", Invariant($"--data-size={options.ValueBytesOf(load)}"),
                Invariant($"--key-maximum={options.KeysOf(load)}"), .. arguments,
            ]);
            return said.Contains("error response", StringComparison.Ordinal)
                ? throw new BenchException($"The server answered errors to memtier_benchmark: {ToolProcess.Tail(said)}")
                : File.ReadAllText(file);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
