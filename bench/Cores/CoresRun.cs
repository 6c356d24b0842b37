using System.Globalization;
using Strata.Bench.Load;
using Strata.Bench.Reports;
using Strata.Bench.Servers;
using Strata.Bench.Types;
using static Strata.Bench.BenchException;

namespace Strata.Bench.Cores;

/// <summary>
/// Starts the server with so many workers, sends it each load, and asks before and after what its workers have counted.
/// Counts say on few cores, too, what grows with the number of workers: times would not.
/// </summary>
internal sealed class CoresRun
{
    private const int PerThousand = 1000;

    private static readonly int[] s_usualWorkers = [1, 2, 4, 8, 16];

    // Enough connections for sixteen workers to have some each.
    private static readonly string[] s_clients = ["--connections", "64", "--pipeline", "30"];

    private static readonly Dictionary<string, string[]> s_loads = new()
    {
        ["get-uniform"] = ["--op", "get"],
        ["get-zipf"] = ["--op", "get", "--distribution", "zipf"],
        ["get-one"] = ["--op", "get", "--keys", "1"],
        ["set-uniform"] = ["--op", "set"],
        ["set-zipf"] = ["--op", "set", "--distribution", "zipf"],
        ["set-one"] = ["--op", "set", "--keys", "1"],
        ["mix-one"] = ["--op", "mix", "--ratio", "1:1", "--keys", "1"],
    };

    private readonly CoresOptions _options;
    private readonly List<int> _workers;
    private readonly List<string> _loads;
    private readonly List<Measurement> _measurements = [];

    /// <exception cref="BenchException">A flag names a load wrongly, or is out of range.</exception>
    public CoresRun(CoresOptions options)
    {
        _options = options;
        _workers = [.. options.Workers.Any() ? options.Workers.Distinct() : s_usualWorkers];
        _loads = [.. options.Loads.Any() ? options.Loads.Distinct() : s_loads.Keys];
        Require(_workers.TrueForAll(static workers => workers > 0) && options.Seconds > 0 && options.Keys > 0,
            "--workers, --seconds and --keys must be above 0.");
        Require(new ServerSpec("strata", 0, options.Server).TakesWorkers,
            "--server: the command needs {workers}, how many there are to be.");
        var unknown = _loads.Find(load => !s_loads.ContainsKey(load));
        Require(unknown is null, $"--loads {unknown} does not exist: choose from {string.Join(' ', s_loads.Keys)}.");
    }

    /// <summary>Runs everything; the progress is told as a part done (0 to 1) and what is running.</summary>
    /// <exception cref="BenchException">The server or the load failed.</exception>
    public BenchReport Execute(Action<double, string> onProgress)
    {
        for (var i = 0; i < _workers.Count; i++)
        {
            var name = NameOf(_workers[i]);
            using var server = ServerProcess.Start(
                new ServerSpec("strata", 0, _options.Server), _options.ServerCpus, _workers[i]);
            Send(server, ["--runtime", "0", "--op", "set"]);
            using var control = RespClient.Connect("127.0.0.1", server.Port, password: null);
            for (var k = 0; k < _loads.Count; k++)
            {
                onProgress((i + ((double)k / _loads.Count)) / _workers.Count, $"{_loads[k]}, {name}");
                Measure(_loads[k], name, server, control);
            }
        }

        return new BenchReport
        {
            Benchmark = "cores",
            At = DateTimeOffset.UtcNow,
            Machine = MachineInfo.Current(),
            Settings = Settings(),
            Baselines = [NameOf(_workers[0])],
            Measurements = _measurements,
        };
    }

    private static string NameOf(int workers)
        => workers == 1 ? "1 worker" : string.Create(CultureInfo.InvariantCulture, $"{workers} workers");

    private static string Text(double number) => number.ToString(CultureInfo.InvariantCulture);

    private void Measure(string load, string name, ServerProcess server, RespClient control)
    {
        var before = SharedWork.Of(control);
        var figures = Send(server, ["--runtime", Text(_options.Seconds), .. s_clients, .. s_loads[load]]);
        Require(figures.Misses == 0, $"The server did not find what was asked for, {figures.Misses} times.");
        var done = SharedWork.Of(control).Since(before);
        Require(figures.Operations > 0 && done.Commands > 0, "The server answered nothing: see its log.");
        Keep(Metric.CpuPerOp, 1e6 * done.CpuSeconds);
        Keep(Metric.LeasesTaken, PerThousand * done.LeasesFoundTaken);
        Keep(Metric.InboxItems, PerThousand * done.InboxItems);
        Keep(Metric.WorkerTurns, PerThousand * done.Turns);

        void Keep(Metric metric, double sum)
            => _measurements.Add(Measurement.Of(load, name, metric, [sum / done.Commands]));
    }

    private LoadFigures Send(ServerProcess server, string[] flags)
    {
        // A load of one key says so behind this.
        string[] keys = flags.Contains("--keys") ? [] : ["--keys", Text(_options.Keys)];
        var figures = LoadProcess.Run(server.Port, _options.ClientCpus, [.. flags, .. keys]);
        figures.CheckErrors("strata");
        return figures;
    }

    private Dictionary<string, string> Settings() => new()
    {
        ["command"] = _options.Server,
        ["server CPUs"] = _options.ServerCpus ?? "all",
        ["client CPUs"] = _options.ClientCpus ?? "all",
        ["keys"] = Text(_options.Keys),
        ["seconds"] = Text(_options.Seconds),
        ["clients"] = string.Join(' ', s_clients),
    };
}
