using System.Globalization;
using Strata.Bench.Load;
using Strata.Bench.Reports;
using Strata.Bench.Servers;
using static Strata.Bench.BenchException;

namespace Strata.Bench.Types;

/// <summary>
/// Runs every load on every server in <see cref="ServerRounds"/>: each time the server is started anew, filled, warmed
/// up with the same load, and then measured. The load comes from another process of this program, pinned to CPUs of its
/// own.
/// </summary>
internal sealed class TypesRun
{
    private const int SettleMs = 1_000;
    // Below, lists could run dry, and the system's clock ticks are too coarse.
    private const int LeastRequests = 10_000;

    private readonly TypesOptions _options;
    private readonly ServerRounds _rounds;
    private readonly List<TypeLoad> _loads;
    private readonly List<MemoryLoad> _memoryLoads;

    /// <exception cref="BenchException">A flag names a server or load wrongly, or is out of range.</exception>
    public TypesRun(TypesOptions options)
    {
        _options = options;
        Require(options.Rounds > 0 && options.Seconds > 0 && options.Items > 0,
            "--rounds, --seconds and --items must be above 0.");
        Require(options.Requests >= LeastRequests, $"--requests must be {LeastRequests} or more.");
        _rounds = new ServerRounds(options.Servers, options.Baseline);
        Require(options.Chart is null || _rounds.Servers.Count > 1, "--chart compares servers: name two or more.");
        _loads = [.. TypeLoad.All(options.Items, options.Requests)];
        _memoryLoads = [.. MemoryLoad.All(options.Items)];
        var names = _loads.Select(load => load.Name).Concat(_memoryLoads.Select(load => load.Name)).ToList();
        var unknown = options.Loads.Except(names).FirstOrDefault();
        Require(unknown is null, $"--loads {unknown} does not exist: choose from {string.Join(' ', names)}.");
        if (options.Loads.Any())
        {
            _loads.RemoveAll(load => !options.Loads.Contains(load.Name));
            _memoryLoads.RemoveAll(load => !options.Loads.Contains(load.Name));
        }
    }

    /// <summary>Runs everything; the progress is told as a part done (0 to 1) and what is running.</summary>
    /// <exception cref="BenchException">A server or the load failed, or a reply was not what it should be.</exception>
    public BenchReport Execute(Action<double, string> onProgress)
    {
        var loads = _loads.SelectMany(load => _rounds.Servers
            .Where(server => load.Workers == 1 || server.TakesWorkers)
            .Select(server => new RoundStep(load.Name, server, () => MeasureLoad(load, server))));
        var memoryLoads = _memoryLoads.SelectMany(load => _rounds.Servers.Select(
            server => new RoundStep(load.Name, server, () => MeasureMemory(load, server))));
        return _rounds.Run("types", Settings(), _options.Rounds, [.. loads, .. memoryLoads], onProgress);
    }

    /// <summary>The name of the same load with one worker; null where it has one.</summary>
    public string? WithOneWorker(string load) => _loads.Find(l => l.Name == load)?.WithOneWorker;

    private void MeasureLoad(TypeLoad load, ServerSpec spec)
    {
        var cpus = load.Workers == 1 ? _options.ServerCpus : _options.TwoWorkerCpus;
        using var server = ServerProcess.Start(spec, cpus, load.Workers);
        Fill(load.Fill, server, spec);
        Send(server, LoadFlags.WarmUp(load, _options.Seconds)).CheckErrors(spec.Name);
        var before = server.CpuTime;
        var figures = Send(server, LoadFlags.Measurement(load, _options.Seconds));
        var cpu = server.CpuTime - before;
        figures.Check(load, spec.Name);
        var cpuUsPerOperation = cpu.TotalMicroseconds * load.RequestsPerOperation / figures.Operations;
        _rounds.Keep(load.Name, spec, Metric.CpuPerOp, cpuUsPerOperation);
        _rounds.Keep(load.Name, spec, Metric.OpsPerSecond, figures.OperationsPerSecond / load.RequestsPerOperation);
        _rounds.Keep(load.Name, spec, Metric.P50Ms, figures.P50Ms);
        _rounds.Keep(load.Name, spec, Metric.P99Ms, figures.P99Ms);
        _rounds.Keep(load.Name, spec, Metric.BusyCores, cpu.TotalSeconds / figures.Seconds);
    }

    private void MeasureMemory(MemoryLoad load, ServerSpec spec)
    {
        using var server = ServerProcess.Start(spec, cpus: null);
        using var control = RespClient.Connect("127.0.0.1", server.Port, password: null);
        Thread.Sleep(SettleMs);
        var (usedBefore, residentBefore) = (UsedBytes(control, spec), server.ResidentBytes);
        Fill(load.Fill, server, spec);
        Thread.Sleep(SettleMs);
        var (used, resident) = (UsedBytes(control, spec), server.ResidentBytes);
        var held = control.Call(load.Count.Split(' '))[0];
        Require(held == Text(load.Expected), $"{spec.Name} holds {held} of {load.Expected} elements: {load.Name} needs "
            + "it to hold all.");
        _rounds.Keep(load.Name, spec, Metric.DataUsedMb, (used - usedBefore) / 1e6);
        _rounds.Keep(load.Name, spec, Metric.DataRssMb, (resident - residentBefore) / 1e6);
    }

    /// <summary>What the server itself says it uses.</summary>
    private static long UsedBytes(RespClient control, ServerSpec spec)
        => long.TryParse(
            ServerInfo.Ask(control, "memory").Find("used_memory"), CultureInfo.InvariantCulture, out var bytes)
            ? bytes
            : throw new BenchException($"{spec.Name} does not say used_memory: in INFO memory.");

    private void Fill(DataFill? fill, ServerProcess server, ServerSpec spec)
    {
        if (fill is not null)
        {
            var figures = Send(server, LoadFlags.Fill(fill));
            figures.CheckErrors(spec.Name);
            Require(figures.Operations == fill.Requests,
                $"{spec.Name} answered {figures.Operations} of {fill.Requests} requests of the fill.");
        }
    }

    private LoadFigures Send(ServerProcess server, string[] flags) =>
        LoadProcess.Run(server.Port, _options.ClientCpus, flags);

    private Dictionary<string, string> Settings()
    {
        var settings = new Dictionary<string, string>
        {
            ["rounds"] = Text(_options.Rounds),
            ["seconds"] = Text(_options.Seconds),
            ["requests"] = Text(_options.Requests),
            ["items"] = Text(_options.Items),
            ["server CPUs"] = _options.ServerCpus,
            ["server CPUs with two workers"] = _options.TwoWorkerCpus,
            ["client CPUs"] = _options.ClientCpus,
        };
        _rounds.Servers.ForEach(s => settings["command of " + s.Name] = s.Command);
        _loads.ForEach(l => settings["load " + l.Name] = l.Command);
        _memoryLoads.ForEach(l => settings["load " + l.Name] = l.Fill.Command);
        return settings;
    }

    private static string Text(IFormattable number) => number.ToString(null, CultureInfo.InvariantCulture);
}
