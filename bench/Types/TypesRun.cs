using System.Globalization;
using System.Text.Json;
using Strata.Bench.Reports;
using Strata.Bench.Servers;
using Strata.Bench.Versus;

namespace Strata.Bench.Types;

/// <summary>
/// Runs every load on every server, round after round; within a round the servers take turns at each load. Each time
/// the server is started anew, filled, warmed up with the same load, and then measured. The load comes from another
/// process of this program, pinned to CPUs of its own.
/// </summary>
internal sealed class TypesRun
{
    private const int SettleMs = 1_000;

    private readonly TypesOptions _options;
    private readonly List<ServerSpec> _servers;
    private readonly List<TypeLoad> _loads;
    private readonly Dictionary<(string Load, string Server, Metric Metric), List<double>> _samples = [];

    /// <exception cref="BenchException">The flags name a server or load wrongly.</exception>
    public TypesRun(TypesOptions options)
    {
        _options = options;
        _servers = options.Servers.Select(ServerSpec.Parse).ToList();
        _loads = [.. TypeLoad.All, .. TypeLoad.Memory];
        var unknown = options.Loads.Except(_loads.Select(load => load.Name)).FirstOrDefault();
        if (unknown is not null)
        {
            throw new BenchException($"--loads {unknown} does not exist: choose from "
                + $"{string.Join(' ', _loads.Select(load => load.Name))}.");
        }

        if (options.Rounds <= 0 || options.Seconds <= 0 || options.Scale <= 0)
        {
            throw new BenchException("--rounds, --seconds and --scale must be above 0.");
        }

        _loads.RemoveAll(load => options.Loads.Any() && !options.Loads.Contains(load.Name));
    }

    /// <summary>Runs everything; the progress is told as a part done (0 to 1) and what is running.</summary>
    /// <exception cref="BenchException">A server or the load failed.</exception>
    public BenchReport Execute(Action<double, string> onProgress)
    {
        var steps = _loads.SelectMany(load => _servers.Select(server => (load, server))).ToList();
        for (var round = 0; round < _options.Rounds; round++)
        {
            for (var i = 0; i < steps.Count; i++)
            {
                var (load, server) = steps[i];
                var done = (double)((round * steps.Count) + i) / (_options.Rounds * steps.Count);
                onProgress(done, $"round {round + 1}: {load.Name} on {server.Name}");
                if (load.IsMemory)
                {
                    MeasureMemory(load, server);
                }
                else
                {
                    MeasureLoad(load, server);
                }
            }
        }

        return new BenchReport
        {
            Benchmark = "types",
            At = DateTimeOffset.UtcNow,
            Machine = MachineInfo.Current(),
            Settings = Settings(),
            Baselines = [_servers[^1].Name],
            Measurements = [.. _samples.Select(s => Measurement.Of(s.Key.Load, s.Key.Server, s.Key.Metric, s.Value))],
        };
    }

    private void MeasureLoad(TypeLoad load, ServerSpec spec)
    {
        using var server = ServerProcess.Start(spec, _options.ServerCpus);
        Fill(load, server.Port);
        _ = Load(load, server.Port, Math.Max(0.5, _options.Seconds / 2));
        var before = server.CpuTime;
        var sample = Load(load, server.Port, _options.Seconds);
        var cpu = server.CpuTime - before;
        var operations = (double)sample.Operations / load.RequestsPerOperation;
        if (operations == 0)
        {
            throw new BenchException($"{spec.Name} answered nothing to {load.Name}: see the server's log.");
        }

        Keep(load, spec, Metric.CpuPerOp, cpu.TotalMicroseconds / operations);
        Keep(load, spec, Metric.OpsPerSecond, sample.OperationsPerSecond / load.RequestsPerOperation);
        Keep(load, spec, Metric.P50Ms, sample.P50Ms);
        Keep(load, spec, Metric.P99Ms, sample.P99Ms);
        Keep(load, spec, Metric.BusyCores, cpu.TotalSeconds / sample.Seconds);
    }

    private void MeasureMemory(TypeLoad load, ServerSpec spec)
    {
        using var server = ServerProcess.Start(spec, cpus: null);
        Thread.Sleep(SettleMs);
        var before = server.ResidentBytes;
        Fill(load, server.Port);
        Thread.Sleep(SettleMs);
        Keep(load, spec, Metric.DataMb, (server.ResidentBytes - before) / 1e6);
    }

    private void Fill(TypeLoad load, int port)
    {
        if (load.Fill is { } command)
        {
            var keys = Math.Max(1, (long)(load.FillKeys * _options.Scale));
            Check(Send("--command", command, "--keys", Text(keys), "--port", Text(port), "--runtime", "0",
                "--connections", "4", "--pipeline", "50"));
        }
    }

    private LoadFigures Load(TypeLoad load, int port, double seconds)
    {
        var keys = Math.Max(1, (long)(Math.Max(1, load.FillKeys) * _options.Scale));
        return Check(Send("--command", load.Command, "--keys", Text(keys), "--port", Text(port),
            "--runtime", Text(seconds), "--connections", Text(load.Connections), "--pipeline", Text(load.Pipeline),
            "--subscribers", Text(load.Subscribers)));
    }

    private LoadFigures Send(params string[] flags)
    {
        // Published, the program is a file of its own; built for development, dotnet runs it.
        var self = Environment.ProcessPath!;
        var assembly = typeof(TypesRun).Assembly;
        var isProgram = Path.GetFileName(self) == assembly.GetName().Name;
        var text = ToolProcess.Run(isProgram ? self : "dotnet", _options.ClientCpus,
            [.. isProgram ? Array.Empty<string>() : [assembly.Location], "resp", "--json", .. flags]);
        return JsonSerializer.Deserialize<LoadFigures>(text, BenchJson.Options)
            ?? throw new BenchException($"The load printed no figures but: {ToolProcess.Tail(text)}");
    }

    private static LoadFigures Check(LoadFigures figures)
        => figures.Errors.Count == 0
            ? figures
            : throw new BenchException($"The server answered: {string.Join("; ", figures.Errors.Keys)}");

    private void Keep(TypeLoad load, ServerSpec server, Metric metric, double value)
    {
        if (!_samples.TryGetValue((load.Name, server.Name, metric), out var samples))
        {
            samples = _samples[(load.Name, server.Name, metric)] = [];
        }

        samples.Add(value);
    }

    private Dictionary<string, string> Settings()
    {
        var settings = new Dictionary<string, string>
        {
            ["rounds"] = Text(_options.Rounds),
            ["seconds"] = Text(_options.Seconds),
            ["scale"] = Text(_options.Scale),
            ["server CPUs"] = _options.ServerCpus,
            ["client CPUs"] = _options.ClientCpus,
        };
        _servers.ForEach(s => settings["command of " + s.Name] = s.Command);
        _loads.ForEach(l => settings["load " + l.Name] = l.IsMemory ? l.Fill! : l.Command);
        return settings;
    }

    private static string Text(IFormattable number) => number.ToString(null, CultureInfo.InvariantCulture);

    /// <summary>What of the load's JSON is used.</summary>
    private sealed record LoadFigures(
        long Operations, double OperationsPerSecond, double Seconds, double P50Ms, double P99Ms,
        Dictionary<string, long> Errors);
}
