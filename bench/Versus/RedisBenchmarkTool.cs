using System.Globalization;

namespace Strata.Bench.Versus;

/// <summary>
/// redis-benchmark, where memtier_benchmark is missing: GET or SET alone, so mixed loads are left out. It counts
/// requests, not seconds: each run sends as many as the last one of that load would have done in the time asked for.
/// Its clock has milliseconds, and a run that ends within one has an infinite rate: such a run is repeated with more
/// requests.
/// </summary>
/// <param name="options">Keys, their values, and the client's CPUs.</param>
/// <param name="run">Runs redis-benchmark with arguments and returns what it wrote.</param>
internal sealed class RedisBenchmarkTool(VersusOptions options, Func<string[], string> run) : ILoadTool
{
    private const string Program = "redis-benchmark";
    private const double FirstGuessPerSecond = 20_000;
    private const int MoreRequests = 10;
    private const string Infinite = "inf"; // as C's printf writes it

    private readonly Dictionary<VersusLoad, double> _opsPerSecond = [];

    public RedisBenchmarkTool(VersusOptions options)
        : this(options, arguments => ToolProcess.Run(Program, options.ClientCpus, arguments))
    {
    }

    public string Name => Program;

    public bool Supports(VersusLoad load) => !load.IsMixed && load.KeysPerGet == 1;

    // Keys are drawn at random: five times as many SETs leave less than one key in a hundred unset.
    public void Fill(VersusLoad load, int port)
        => Run(load with { Connections = 4, Pipeline = 50 }, "set", port, options.KeysOf(load) * 5);

    public LoadSample Run(VersusLoad load, int port, int seconds)
    {
        var requests = (long)(_opsPerSecond.GetValueOrDefault(load, FirstGuessPerSecond) * seconds);
        while (true)
        {
            var table = Run(load, load.Sets > 0 ? "set" : "get", port, requests);
            var sample = Parse(table, requests);
            if (double.IsFinite(sample.OpsPerSecond))
            {
                _opsPerSecond[load] = sample.OpsPerSecond;
                return sample;
            }

            requests *= MoreRequests;
        }
    }

    /// <summary>Reads the one line of figures of redis-benchmark's CSV.</summary>
    /// <param name="csv">What it wrote.</param>
    /// <param name="requests">The requests that it sent.</param>
    /// <returns>The figures; the rate is infinite when the run took less than a millisecond.</returns>
    /// <exception cref="BenchException">It is not such a table.</exception>
    public static LoadSample Parse(string csv, long requests)
    {
        var lines = csv.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        var head = Array.FindIndex(lines, line => line.StartsWith("\"test\",", StringComparison.Ordinal));
        if (head < 0 || head + 1 >= lines.Length)
        {
            throw new BenchException($"{Program} gave no table but: {ToolProcess.Tail(csv)}");
        }

        var names = lines[head].Split(',').ToList();
        var figures = lines[head + 1].Split(',');
        return new LoadSample(requests, Figure("rps"), Figure("p50_latency_ms"), Figure("p99_latency_ms"));

        double Figure(string name)
        {
            var column = names.IndexOf($"\"{name}\"");
            var text = column >= 0 && column < figures.Length ? figures[column].Trim('"') : "";
            if (text == Infinite)
            {
                return double.PositiveInfinity;
            }

            return double.TryParse(text, CultureInfo.InvariantCulture, out var value)
                ? value
                : throw new BenchException($"{Program}'s table has no {name}: use version 7.0 or later.");
        }
    }

    private string Run(VersusLoad load, string verb, int port, long requests) => run(
    [
        "-h", "127.0.0.1", "-p", Text(port), "-t", verb, "-c", Text(load.Connections), "-P", Text(load.Pipeline),
        "-d", Text(options.ValueBytesOf(load)), "-r", Text(options.KeysOf(load)), "-n", Text(requests), "--csv",
    ]);

    private static string Text(IFormattable number) => number.ToString(null, CultureInfo.InvariantCulture);
}
