using System.Globalization;
using Strata.Bench.Load;
using Strata.Bench.Reports;
using Strata.Bench.Servers;
using Strata.Bench.Statistics;
using Strata.Bench.Types;
using static Strata.Bench.BenchException;

namespace Strata.Bench.Observability;

/// <summary>Measures each load on one server that runs on, with those who watch and without them in turn, a few seconds
/// each: what else the machine does, for seconds or minutes, falls on both alike, and what is disturbed all the same is
/// left out, on both sides.</summary>
internal sealed class ObservabilityRun
{
    private const string MetricsPlace = "{metrics}";
    private const string On = "watched";
    private const string Off = "unwatched";
    private const int SettleMs = 300;
    private const int WarmUpMs = 2000;
    private const int SpareSeconds = 4;

    private readonly ObservabilityOptions _options;
    private readonly List<ObservabilityLoad> _loads;
    private readonly List<Measurement> _measurements = [];

    /// <exception cref="BenchException">A flag names a load wrongly, or is out of range.</exception>
    public ObservabilityRun(ObservabilityOptions options)
    {
        _options = options;
        Require(options.Pairs > 0 && options.Seconds > 0 && options.Scrapes > 0 && options.Keys > 0,
            "--pairs, --seconds, --scrapes and --keys must be above 0.");
        Require(options.Server.Contains(MetricsPlace, StringComparison.Ordinal),
            $"--server: the command needs {MetricsPlace}, the port of its metrics.");
        var names = ObservabilityLoad.All.Select(load => load.Name).ToList();
        var unknown = options.Loads.Except(names).FirstOrDefault();
        Require(unknown is null, $"--loads {unknown} does not exist: choose from {string.Join(' ', names)}.");
        _loads =
        [
            .. ObservabilityLoad.All.Where(load => !options.Loads.Any() || options.Loads.Contains(load.Name)),
        ];
    }

    /// <summary>Runs everything; the progress is told as a part done (0 to 1) and what is running.</summary>
    /// <exception cref="BenchException">The server or the load failed.</exception>
    public BenchReport Execute(Action<double, string> onProgress)
    {
        for (var i = 0; i < _loads.Count; i++)
        {
            var load = _loads[i];
            var done = i;
            void Tell(double part) => onProgress((done + part) / _loads.Count, load.Name);
            Tell(0);
            switch (load.Name)
            {
                case ObservabilityLoad.Scrape:
                    WithServer(MeasureScrapes);
                    break;
                case ObservabilityLoad.Idle:
                    WithServer(MeasureIdle);
                    break;
                case ObservabilityLoad.Memory:
                    MeasureMemory();
                    break;
                default:
                    WithServer((server, metrics) => MeasureLoad(load, server, metrics, Tell));
                    break;
            }
        }

        return new BenchReport
        {
            Benchmark = "observability",
            At = DateTimeOffset.UtcNow,
            Machine = MachineInfo.Current(),
            Settings = Settings(),
            Baselines = [Off],
            Measurements = _measurements,
        };
    }

    private void WithServer(Action<ServerProcess, int> measure)
    {
        using var metrics = ReservedPort.Take();
        var command = _options.Server.Replace(
            MetricsPlace, metrics.Number.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);
        using var server = ServerProcess.Start(new ServerSpec("strata", 0, command), _options.ServerCpus);
        var filled = LoadProcess.Run(server.Port, ClientCpus, ["--runtime", "0", "--op", "set", "--keys", Keys]);
        filled.CheckErrors("strata");
        measure(server, metrics.Number);
    }

    private void MeasureLoad(ObservabilityLoad load, ServerProcess server, int metrics, Action<double> tell)
    {
        var phases = 2 * _options.Pairs;
        var runtime = (phases * (_options.Seconds + (SettleMs / 1e3))) + (WarmUpMs / 1e3) + SpareSeconds;
        string[] sent = [.. load.Sent, "--keys", Keys, "--runtime", runtime.ToString(CultureInfo.InvariantCulture)];
        var sending = Task.Run(() => LoadProcess.Run(server.Port, ClientCpus, sent));
        using var control = RespClient.Connect("127.0.0.1", server.Port, password: null);
        Thread.Sleep(WarmUpMs);
        List<double> on = [];
        List<double> off = [];
        List<double> opsOn = [];
        List<double> opsOff = [];
        for (var phase = 0; phase < phases; phase++)
        {
            tell((double)phase / phases);
            // Off, on, on, off, …: what becomes slower by and by does so for both.
            var isOn = phase % 4 is 1 or 2;
            var cost = MeasurePhase(control, isOn ? metrics : null);
            Require(cost.Commands > 1, "The server answered nothing: see its log.");
            (isOn ? on : off).Add(1e6 * cost.CpuSeconds / cost.Commands);
            (isOn ? opsOn : opsOff).Add(cost.Commands / _options.Seconds);
            Require(!sending.IsCompleted, "The load has ended before it was measured: the machine is too slow.");
        }

        var figures = sending.GetAwaiter().GetResult();
        figures.CheckErrors("strata");
        Require(figures.Misses == 0, $"The server did not find what was asked for, {figures.Misses} times.");
        var ratios = on.Zip(off, static (watched, unwatched) => watched / unwatched).ToList();
        Keep(load, Off, Metric.CpuPerOp, Quartiles.Lower(off), off);
        Keep(load, On, Metric.CpuPerOp, Quartiles.Lower(on), on);
        Keep(load, On, Metric.WatchedTimes, Quartiles.MiddleMean(ratios), ratios);
        Keep(load, Off, Metric.OpsPerSecond, Median.Of(opsOff), opsOff);
        Keep(load, On, Metric.OpsPerSecond, Median.Of(opsOn), opsOn);
        Keep(load, Off, Metric.SpreadPercent, 100 * Quartiles.Spread(off), []);
        Keep(load, On, Metric.SpreadPercent, 100 * Quartiles.Spread(on), []);
    }

    /// <summary>What being watched costs whatever clients do: of a second, while they do nothing.</summary>
    private void MeasureIdle(ServerProcess server, int metrics)
    {
        using var control = RespClient.Connect("127.0.0.1", server.Port, password: null);
        Thread.Sleep(WarmUpMs);
        for (var phase = 0; phase < 2; phase++)
        {
            var isOn = phase == 1;
            var samples = Enumerable.Range(0, Math.Max(1, _options.Pairs / 4)).Select(
                _ => 1e3 * MeasurePhase(control, isOn ? metrics : null).CpuSeconds / _options.Seconds);
            _measurements.Add(Measurement.Of(
                ObservabilityLoad.Idle, isOn ? On : Off, Metric.CpuMsPerSecond, [.. samples]));
        }
    }

    /// <summary>What the server uses and does in a measurement.</summary>
    private ServerCost MeasurePhase(RespClient control, int? metrics)
    {
        using var watchers = metrics is { } port ? new Watchers(port, _options.ClientCpu) : null;
        Thread.Sleep(SettleMs);
        var before = ServerCost.Of(control);
        Thread.Sleep(TimeSpan.FromSeconds(_options.Seconds));
        var after = ServerCost.Of(control);
        watchers?.Stop();
        return new(after.CpuSeconds - before.CpuSeconds, after.Commands - before.Commands);
    }

    private void MeasureScrapes(ServerProcess server, int metrics)
    {
        using var control = RespClient.Connect("127.0.0.1", server.Port, password: null);
        _ = control.Call("SET", "probe", "v");
        using var connection = new MetricsConnection(metrics);
        connection.Get("/metrics"); // The first is slower, by what is made once.
        var cpu = Enumerable.Range(0, Math.Max(1, _options.Scrapes / 10)).Select(_ => CpuOfTen(control, connection));
        KeepMedian(Metric.ScrapeCpuMs, On, [.. cpu]);
        var probe = ScrapeProbe.Run(server.Port, connection, _options.ClientCpu, _options.Scrapes);
        KeepMedian(Metric.ScrapeMs, On, probe.ScrapeMs);
        KeepWaits(Off, probe.Between);
        KeepWaits(On, probe.WhileScraped);
    }

    private static double CpuOfTen(RespClient control, MetricsConnection connection)
    {
        const int Scrapes = 10;
        var before = ServerCost.Of(control).CpuSeconds;
        for (var i = 0; i < Scrapes; i++)
        {
            connection.Get("/metrics");
        }

        return 1e3 * (ServerCost.Of(control).CpuSeconds - before) / Scrapes;
    }

    private void KeepWaits(string server, List<double> longest)
    {
        KeepMedian(Metric.LongestWaitMs, server, longest);
        var late = 100.0 * longest.Count(static ms => ms > 1) / longest.Count;
        _measurements.Add(new(ObservabilityLoad.Scrape, server, Metric.LatePercent.Id, late, []));
    }

    /// <summary>What the server takes at its start, and counts in maxmemory, with one worker and with four.</summary>
    private void MeasureMemory()
    {
        foreach (var workers in (int[])[1, 4])
        {
            var bytes = ObservedMemory.BytesFor(workers);
            var load = workers == 1 ? "memory, 1 worker" : FormattableString.Invariant($"memory, {workers} workers");
            _measurements.Add(Measurement.Of(load, On, Metric.ObservationMb, [bytes / 1e6]));
        }
    }

    private void KeepMedian(Metric metric, string server, List<double> samples)
        => _measurements.Add(Measurement.Of(ObservabilityLoad.Scrape, server, metric, samples));

    private void Keep(ObservabilityLoad load, string server, Metric metric, double value, List<double> samples)
        => _measurements.Add(new Measurement(load.Name, server, metric.Id, value, samples));

    private string ClientCpus => _options.ClientCpu.ToString(CultureInfo.InvariantCulture);

    private string Keys => _options.Keys.ToString(CultureInfo.InvariantCulture);

    private Dictionary<string, string> Settings() => new()
    {
        ["pairs"] = _options.Pairs.ToString(CultureInfo.InvariantCulture),
        ["seconds"] = _options.Seconds.ToString(CultureInfo.InvariantCulture),
        ["scrapes"] = _options.Scrapes.ToString(CultureInfo.InvariantCulture),
        ["keys"] = Keys,
        ["server CPUs"] = _options.ServerCpus,
        ["client CPU"] = ClientCpus,
        ["command"] = _options.Server,
    };
}
