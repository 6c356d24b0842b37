using Strata.Bench.Reports;
using Strata.Bench.Statistics;
using static Strata.Bench.BenchException;

namespace Strata.Bench.Servers;

/// <summary>
/// Servers that are measured side by side, round after round: within a round they take turns at each load, so that what
/// else the machine does falls on all of them alike. The figures of all rounds are kept for one report.
/// </summary>
internal sealed class ServerRounds
{
    private readonly Dictionary<(string Load, string Server, Metric Metric), List<double>> _samples = [];

    /// <summary>The servers of the flags <c>--server</c> and <c>--baseline</c>.</summary>
    /// <param name="servers">One or more, in the notation of <see cref="ServerSpec"/>.</param>
    /// <param name="baseline">The name of the one that the others are compared with; null for the last.</param>
    /// <exception cref="BenchException">A flag is wrong.</exception>
    public ServerRounds(IEnumerable<string> servers, string? baseline)
    {
        Servers = servers.Select(ServerSpec.Parse).ToList();
        Require(Servers.Count > 0, "No server is named: name one or more with --server NAME=PORT=COMMAND.");
        Require(Servers.DistinctBy(s => s.Name).Count() == Servers.Count, "--server: each needs a name of its own.");
        Baseline = baseline ?? Servers[^1].Name;
        Require(Servers.Exists(s => s.Name == Baseline), $"--baseline {Baseline} is none of the servers.");
    }

    public List<ServerSpec> Servers { get; }

    /// <summary>The server that the others are compared with.</summary>
    public string Baseline { get; }

    /// <summary>Keeps a figure of the round.</summary>
    public void Keep(string load, ServerSpec server, Metric metric, double value)
    {
        if (!_samples.TryGetValue((load, server.Name, metric), out var samples))
        {
            samples = _samples[(load, server.Name, metric)] = [];
        }

        samples.Add(value);
    }

    /// <summary>Takes all steps in each round; the progress is told as a part done (0 to 1) and what is running.
    /// </summary>
    /// <param name="benchmark">The verb.</param>
    /// <param name="settings">What the figures depend on, by name.</param>
    /// <param name="rounds">How often.</param>
    /// <param name="steps">Each keeps its figures.</param>
    /// <param name="onProgress">Whom to tell.</param>
    /// <exception cref="BenchException">A step failed.</exception>
    public BenchReport Run(
        string benchmark,
        Dictionary<string, string> settings,
        int rounds,
        List<RoundStep> steps,
        Action<double, string> onProgress)
    {
        Rounds.Run(rounds, [.. steps.Select(step => ($"{step.Load} on {step.Server.Name}", step.Measure))], onProgress);
        return new BenchReport
        {
            Benchmark = benchmark,
            At = DateTimeOffset.UtcNow,
            Machine = MachineInfo.Current(),
            Settings = settings,
            Baselines = [Baseline],
            Measurements = [.. _samples.Select(s => Measurement.Of(s.Key.Load, s.Key.Server, s.Key.Metric, s.Value))],
        };
    }
}
