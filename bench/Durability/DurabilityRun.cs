using System.Globalization;
using Strata.Bench.Load;
using Strata.Bench.Reports;
using Strata.Bench.Servers;
using Strata.Bench.Types;
using static Strata.Bench.BenchException;

namespace Strata.Bench.Durability;

/// <summary>Runs every load on every server in <see cref="ServerRounds"/>: each time the server is started anew, in a
/// folder of its own, filled, warmed up and measured.</summary>
internal sealed class DurabilityRun
{
    private const string FlagsPlace = "{flags}";
    private const int LoadKeys = 200_000;
    private const int SlowReplyMs = 300_000;

    // Numbers, not letters that repeat: LZF, which both servers have, finds little in them.
    private static readonly string s_digits = string.Concat(Enumerable.Repeat("{random:1000000000}", 28));

    private readonly DurabilityOptions _options;
    private readonly ServerRounds _rounds;
    private readonly List<DurabilityLoad> _loads;

    /// <exception cref="BenchException">A flag names a server or load wrongly, or is out of range.</exception>
    public DurabilityRun(DurabilityOptions options)
    {
        _options = options;
        Require(options.Rounds > 0 && options.Seconds > 0 && options.SaveKeys > 0 && options.SnapshotKeys > 0
            && options.SnapshotSets > 0 && options.SnapshotGets > 0,
            "--rounds, --seconds, --save-keys, --snapshot-keys, --snapshot-sets and --snapshot-gets must be above 0.");
        _rounds = new ServerRounds(options.Servers, options.Baseline);
        var names = DurabilityLoad.All.Select(load => load.Name).ToList();
        var unknown = options.Loads.Except(names).FirstOrDefault();
        Require(unknown is null, $"--loads {unknown} does not exist: choose from {string.Join(' ', names)}.");
        var without = _rounds.Servers.Find(s => !s.Command.Contains(FlagsPlace, StringComparison.Ordinal));
        Require(without is null, $"--server {without?.Name}: its command needs {FlagsPlace}, which loads fill in.");
        _loads = [.. DurabilityLoad.All.Where(load => !options.Loads.Any() || options.Loads.Contains(load.Name))];
    }

    /// <summary>Runs everything; the progress is told as a part done (0 to 1) and what is running.</summary>
    /// <exception cref="BenchException">A server or the load failed.</exception>
    public BenchReport Execute(Action<double, string> onProgress)
    {
        var steps = _loads.SelectMany(load => _rounds.Servers.Select(
            server => new RoundStep(load.Name, server, () => Measure(load, server))));
        return _rounds.Run("durability", Settings(), _options.Rounds, [.. steps], onProgress);
    }

    private void Measure(DurabilityLoad load, ServerSpec spec)
    {
        var withFlags = spec with { Command = spec.Command.Replace(FlagsPlace, load.Flags, StringComparison.Ordinal) };
        switch (load.Name)
        {
            case DurabilityLoad.SaveLoad:
                MeasureSaveAndLoad(withFlags);
                break;
            case DurabilityLoad.Snapshot:
                MeasureSnapshot(withFlags);
                break;
            default:
                MeasureCommands(load, withFlags);
                break;
        }
    }

    private void MeasureCommands(DurabilityLoad load, ServerSpec spec)
    {
        using var server = ServerProcess.Start(spec, _options.ServerCpus);
        Fill(server, spec, LoadKeys, "SET key:{key} {data:256}");
        string[] keys = load.Sent.Contains("--op") ? ["--keys", Text(LoadKeys)] : [];
        string[] sent = [.. load.Sent, .. keys];
        string[] beside = load.Beside.Length == 0 ? [] : [.. load.Beside, "--keys", Text(LoadKeys)];
        SendBoth(server, spec, sent, beside, _options.Seconds / 2, seed: 2, out _);
        var before = server.CpuTime;
        var figures = SendBoth(server, spec, sent, beside, _options.Seconds, seed: 3, out var besides);
        var cpu = server.CpuTime - before;
        var operations = figures.Operations + (besides?.Operations ?? 0);
        _rounds.Keep(load.Name, spec, Metric.CpuPerOp, cpu.TotalMicroseconds / operations);
        _rounds.Keep(load.Name, spec, load.IsOfSets ? Metric.SetsPerSecond : Metric.OpsPerSecond,
            figures.OperationsPerSecond);
        if (besides is not null)
        {
            _rounds.Keep(load.Name, spec, Metric.GetsPerSecond, besides.OperationsPerSecond);
        }

        _rounds.Keep(load.Name, spec, Metric.P50Ms, figures.P50Ms);
        _rounds.Keep(load.Name, spec, Metric.P99Ms, figures.P99Ms);
        _rounds.Keep(load.Name, spec, Metric.BusyCores, cpu.TotalSeconds / figures.Seconds);
    }

    /// <summary>Saves, and starts again with the file.</summary>
    private void MeasureSaveAndLoad(ServerSpec spec)
    {
        var folder = Directory.CreateTempSubdirectory("strata-bench-save-");
        try
        {
            var kept = spec with { Command = spec.Command.Replace("{dir}", folder.FullName, StringComparison.Ordinal) };
            using (var server = ServerProcess.Start(kept, _options.ServerCpus))
            {
                Fill(server, spec, _options.SaveKeys, $"SET key:{{key}} {s_digits}");
                using var control = RespClient.Connect("127.0.0.1", server.Port, password: null);
                control.Socket.ReceiveTimeout = SlowReplyMs;
                var save = System.Diagnostics.Stopwatch.StartNew();
                control.Call("SAVE");
                _rounds.Keep(DurabilityLoad.SaveLoad, spec, Metric.SaveSeconds, save.Elapsed.TotalSeconds);
            }

            using (var server = ServerProcess.Start(kept, _options.ServerCpus))
            {
                using var control = RespClient.Connect("127.0.0.1", server.Port, password: null);
                var held = control.Call("DBSIZE")[0];
                Require(held == Text(_options.SaveKeys), $"{spec.Name} has loaded {held} of {_options.SaveKeys} keys.");
                _rounds.Keep(DurabilityLoad.SaveLoad, spec, Metric.LoadSeconds, server.StartMs / 1e3);
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <summary>What those who read notice of a snapshot, while others write.</summary>
    private void MeasureSnapshot(ServerSpec spec)
    {
        using var server = ServerProcess.Start(spec, _options.ServerCpus);
        Fill(server, spec, _options.SnapshotKeys, "SET key:{key} {data:100}");
        string[] keys = ["--keys", Text(_options.SnapshotKeys)];
        string[] gets = ["--op", "get", "--connections", "10", "--rate", Text(_options.SnapshotGets), .. keys];
        string[] sets =
        [
            "--command", "SET key:{key} {data:100}", "--connections", "8", "--pipeline", "8",
            "--rate", Text(_options.SnapshotSets), .. keys,
        ];
        _ = SendBoth(server, spec, gets, sets, _options.Seconds / 2, seed: 2, out _);
        var quiet = SendBoth(server, spec, gets, sets, _options.Seconds, seed: 3, out _);
        using var snapshots = new SnapshotLoop(server);
        snapshots.Start();
        double p999Ms = 0;
        for (var seed = 4; p999Ms == 0 || !snapshots.HasEndedOne; seed++)
        {
            var figures = SendBoth(server, spec, gets, sets, _options.Seconds, seed, out _);
            p999Ms = Math.Max(p999Ms, figures.P999Ms);
        }

        snapshots.Stop();
        _rounds.Keep(DurabilityLoad.Snapshot, spec, Metric.SnapshotSeconds, snapshots.Seconds);
        _rounds.Keep(DurabilityLoad.Snapshot, spec, Metric.GrowthPercent, snapshots.GrowthPercent);
        _rounds.Keep(DurabilityLoad.Snapshot, spec, Metric.QuietP999Ms, quiet.P999Ms);
        _rounds.Keep(DurabilityLoad.Snapshot, spec, Metric.SnapshotP999Ms, p999Ms);
        _rounds.Keep(DurabilityLoad.Snapshot, spec, Metric.SlowerTimes, p999Ms / quiet.P999Ms);
    }

    private void Fill(ServerProcess server, ServerSpec spec, long keys, string command)
    {
        var figures = LoadProcess.Run(server.Port, _options.ClientCpus,
            ["--command", command, "--runtime", "0", "--keys", Text(keys), "--connections", "4", "--pipeline", "50"]);
        figures.CheckErrors(spec.Name);
        Require(figures.Operations == keys,
            $"{spec.Name} answered {figures.Operations} of {keys} requests of the fill.");
    }

    /// <summary>Sends for a time, and has other clients send beside.</summary>
    private LoadFigures SendBoth(
        ServerProcess server, ServerSpec spec, string[] sent, string[] beside, double seconds, int seed,
        out LoadFigures? besides)
    {
        string[] common = ["--runtime", Text(seconds), "--seed", Text(seed)];
        var other = beside.Length == 0
            ? Task.FromResult<LoadFigures?>(null)
            : Task.Run<LoadFigures?>(() => LoadProcess.Run(server.Port, _options.ClientCpus, [.. beside, .. common]));
        var figures = LoadProcess.Run(server.Port, _options.ClientCpus, [.. sent, .. common]);
        besides = other.GetAwaiter().GetResult();
        figures.CheckErrors(spec.Name);
        besides?.CheckErrors(spec.Name);
        Require(figures.Operations > 0 && besides?.Operations != 0, $"{spec.Name} answered nothing: see its log.");
        Require(figures.Misses == 0, $"{spec.Name} did not find what was asked for, {figures.Misses} times.");
        return figures;
    }

    private Dictionary<string, string> Settings()
    {
        var settings = new Dictionary<string, string>
        {
            ["rounds"] = Text(_options.Rounds),
            ["seconds"] = Text(_options.Seconds),
            ["keys of save-load"] = Text(_options.SaveKeys),
            ["keys of bgsave"] = Text(_options.SnapshotKeys),
            ["SETs a second of bgsave"] = Text(_options.SnapshotSets),
            ["GETs a second of bgsave"] = Text(_options.SnapshotGets),
            ["server CPUs"] = _options.ServerCpus,
            ["client CPUs"] = _options.ClientCpus,
            ["folder"] = Path.GetTempPath(),
        };
        _rounds.Servers.ForEach(s => settings["command of " + s.Name] = s.Command);
        _loads.ForEach(l => settings["flags of " + l.Name] = l.Flags);
        return settings;
    }

    private static string Text(IFormattable number) => number.ToString(null, CultureInfo.InvariantCulture);
}
