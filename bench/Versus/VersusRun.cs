using System.Diagnostics;
using System.Globalization;
using Strata.Bench.Reports;
using Strata.Bench.Servers;
using static Strata.Bench.BenchException;

namespace Strata.Bench.Versus;

/// <summary>
/// Runs every load on every server in <see cref="ServerRounds"/>: each time the server is started anew, filled, warmed
/// up with the same load, and then measured.
/// </summary>
internal sealed class VersusRun
{
    private const string Floor = "floor";

    private readonly VersusOptions _options;
    private readonly ILoadTool _tool;
    private readonly ServerRounds _rounds;
    private readonly List<string> _loads;

    /// <exception cref="BenchException">The flags name a server, load or baseline wrongly.</exception>
    public VersusRun(VersusOptions options, ILoadTool tool)
    {
        _options = options;
        _tool = tool;
        _rounds = new ServerRounds([.. FloorOf(options), .. options.Servers, .. FurtherOf(options)], options.Baseline);
        // The short ones first: a server that cannot do what is asked of it should fail soon.
        _loads = [VersusLoad.Start, VersusLoad.Memory, .. VersusLoad.All.Select(l => l.Name)];
        var unknown = options.Loads.Except(_loads).FirstOrDefault();
        Require(unknown is null, $"--loads {unknown} does not exist: choose from {string.Join(' ', _loads)}.");
        Require(options.Rounds > 0 && options.Seconds > 0, "--rounds and --seconds must be 1 or more.");
        if (options.Loads.Any())
        {
            _loads = [.. _loads.Intersect(options.Loads)];
        }
    }

    /// <summary>The server that the others are compared with.</summary>
    public string Baseline => _rounds.Baseline;

    /// <summary>The loads asked for that the tool cannot run.</summary>
    public IEnumerable<string> LeftOut =>
        VersusLoad.All.Where(l => _loads.Contains(l.Name) && !_tool.Supports(l)).Select(l => l.Name);

    /// <summary>Runs everything; the progress is told as a part done (0 to 1) and what is running.</summary>
    /// <exception cref="BenchException">A server or the load tool failed.</exception>
    public BenchReport Execute(Action<double, string> onProgress)
        => _rounds.Run("versus", Settings(), _options.Rounds, [.. _loads.SelectMany(StepsOf)], onProgress);

    private IEnumerable<RoundStep> StepsOf(string name)
    {
        if (VersusLoad.All.FirstOrDefault(l => l.Name == name) is not { } load)
        {
            return _rounds.Servers
                .Where(s => !IsFloor(s)) // It holds nothing.
                .Select(s => new RoundStep(name, s, () => MeasureFootprint(name, s)));
        }

        return _rounds.Servers
            .Where(s => _tool.Supports(load) && (load.Workers == 1 || s.TakesWorkers))
            .Where(s => load.IsFilled || !IsFloor(s)) // It knows of no missing keys.
            .Select(s => new RoundStep(name, s, () => MeasureLoad(load, s)));
    }

    private bool IsFloor(ServerSpec server) => _options.Floor is not null && server.Name == Floor;

    /// <summary>The server that shows what the kernel costs, as --server would name it, if there is one.</summary>
    private static IEnumerable<string> FloorOf(VersusOptions options)
        => options.Floor is { } command ? [$"{Floor}=0={command}"] : [];

    private static IEnumerable<string> FurtherOf(VersusOptions options)
    {
        if (options.ServersFile is not { } file)
        {
            return [];
        }

        try
        {
            return File.ReadAllLines(file).Select(line => line.Trim())
                .Where(line => line.Length > 0 && !line.StartsWith('#'));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new BenchException($"--servers {file} cannot be read: {e.Message}", e);
        }
    }

    private void MeasureLoad(VersusLoad load, ServerSpec spec)
    {
        var cpus = load.Workers == 1 ? _options.ServerCpus : _options.TwoWorkerCpus;
        var bytes = _options.ValueBytesOf(load).ToString(CultureInfo.InvariantCulture);
        var sized = spec with { Command = spec.Command.Replace("{bytes}", bytes, StringComparison.Ordinal) };
        using var server = ServerProcess.Start(sized, cpus, load.Workers);
        if (load.ReadsKeys)
        {
            _tool.Fill(load, server.Port);
        }

        _tool.Run(load, server.Port, Math.Max(1, _options.Seconds / 2));
        var cpuBefore = server.CpuTime;
        var clock = Stopwatch.StartNew();
        var sample = _tool.Run(load, server.Port, _options.Seconds);
        var elapsed = clock.Elapsed;
        var cpu = server.CpuTime - cpuBefore;
        Require(sample.Operations > 0, $"{_tool.Name} got no reply from {spec.Name}: see the server's log.");
        _rounds.Keep(load.Name, spec, Metric.CpuPerOp, cpu.TotalMicroseconds / sample.Operations);
        _rounds.Keep(load.Name, spec, Metric.OpsPerSecond, sample.OpsPerSecond);
        _rounds.Keep(load.Name, spec, Metric.P50Ms, sample.P50Ms);
        _rounds.Keep(load.Name, spec, Metric.P99Ms, sample.P99Ms);
        _rounds.Keep(load.Name, spec, Metric.BusyCores, cpu / elapsed);
    }

    private void MeasureFootprint(string name, ServerSpec spec)
    {
        if (name == VersusLoad.Memory)
        {
            _rounds.Keep(name, spec, Metric.BytesPerItem, Footprint.BytesPerItem(spec, _options.Items));
            return;
        }

        var (firstPongMs, idleRssMb) = Footprint.AtRest(spec);
        _rounds.Keep(name, spec, Metric.FirstPongMs, firstPongMs);
        _rounds.Keep(name, spec, Metric.IdleRssMb, idleRssMb);
    }

    private Dictionary<string, string> Settings()
    {
        var settings = new Dictionary<string, string>
        {
            ["load tool"] = _tool.Name,
            ["rounds"] = _options.Rounds.ToString(CultureInfo.InvariantCulture),
            ["seconds"] = _options.Seconds.ToString(CultureInfo.InvariantCulture),
            ["keys"] = _options.Keys.ToString(CultureInfo.InvariantCulture),
            ["value bytes"] = _options.ValueSizeBytes.ToString(CultureInfo.InvariantCulture),
            ["items of the memory figure"] = _options.Items.ToString(CultureInfo.InvariantCulture),
            ["server CPUs"] = _options.ServerCpus,
            ["server CPUs with two workers"] = _options.TwoWorkerCpus,
            ["client CPUs"] = _options.ClientCpus,
        };
        _rounds.Servers.ForEach(s => settings["command of " + s.Name] = s.Command);
        return settings;
    }
}
