using System.Globalization;
using Strata.Bench.Load;
using Strata.Bench.Reports;
using Strata.Bench.Servers;

namespace Strata.Bench.HitRatio;

/// <summary>Plays every traffic to every server, one after the other, each time to an empty server.</summary>
internal sealed class HitRatioRun(HitRatioOptions options, TrafficPlan plan)
{
    private const int ReportEveryReads = 32 * 1024;
    private const string BoundName = "bound";

    /// <summary>Runs everything; the progress is told as a part done (0 to 1) and what is being played.</summary>
    /// <exception cref="BenchException">A server cannot be reached, refuses, or is not set up for the comparison.
    /// </exception>
    public BenchReport Execute(Action<double, string> onProgress)
    {
        var targets = HitRatioTarget.AllOf(options);
        var baselines = options.Baselines.ToList();
        if (options.Bound && targets.Exists(t => t.Name == BoundName))
        {
            throw new BenchException($"A server is named {BoundName}, as --bound is in the table: name it otherwise.");
        }

        if (baselines.Find(name => !targets.Exists(t => t.Name == name)) is { } unknown)
        {
            throw new BenchException($"--baseline {unknown} is none of the servers: name one of them.");
        }

        var traffics = options.Traffics.Any() ? options.Traffics.Distinct().ToArray() : Enum.GetValues<TrafficKind>();
        var plays = traffics.SelectMany(traffic => targets.Select(target => (traffic, target))).ToList();
        var measurements = new List<Measurement>();
        for (var i = 0; i < plays.Count; i++)
        {
            var (traffic, target) = plays[i];
            var played = i;
            measurements.AddRange(Play(traffic, target, part =>
                onProgress((played + part) / plays.Count, $"{NameOf(traffic)} on {target.Name}")));
        }

        if (options.Bound)
        {
            measurements.AddRange(traffics.SelectMany(BoundOf));
        }

        return new BenchReport
        {
            Benchmark = "hitratio",
            At = DateTimeOffset.UtcNow,
            Machine = MachineInfo.Current(),
            Settings = Settings(),
            Baselines = baselines,
            Measurements = measurements,
        };
    }

    private List<Measurement> Play(TrafficKind traffic, HitRatioTarget target, Action<double> onProgress)
    {
        using var server = target.ToStart is null ? null : ServerProcess.Start(target.ToStart, cpus: null);
        var control = RespClient.Connect(target.Host, server?.Port ?? target.Port, options.Password);
        using var client = new ReadThroughClient(control, plan, options.RatePerSecond);
        Prepare(control, target);
        var keys = plan.KeysOf(traffic);
        var all = (double)(plan.WarmUpReads + plan.Reads);
        client.Play(keys, plan.WarmUpReads, played => Report(played));
        var hits = client.Play(keys, plan.Reads, played => Report(plan.WarmUpReads + played));
        client.Settle();
        var load = NameOf(traffic);
        return
        [
            Measurement.Of(load, target.Name, Metric.HitPercent, [100.0 * hits / plan.Reads]),
            Measurement.Of(load, target.Name, Metric.Items, [Number(control.Call("DBSIZE")[0])]),
            Measurement.Of(load, target.Name, Metric.RssMb, [ResidentMb(control)]),
        ];

        void Report(long played)
        {
            if (played % ReportEveryReads == 0)
            {
                onProgress(played / all);
            }
        }
    }

    private Measurement[] BoundOf(TrafficKind traffic)
    {
        var cache = new CountingCache(plan);
        var keys = plan.KeysOf(traffic);
        cache.Play(keys, plan.WarmUpReads);
        var hits = cache.Play(keys, plan.Reads);
        var load = NameOf(traffic);
        return
        [
            Measurement.Of(load, BoundName, Metric.HitPercent, [100.0 * hits / plan.Reads]),
            Measurement.Of(load, BoundName, Metric.Items, [cache.Count]),
        ];
    }

    private void Prepare(RespClient control, HitRatioTarget target)
    {
        var maxMemory = control.Call("CONFIG", "GET", "maxmemory");
        if (maxMemory.Count != 2 || Number(maxMemory[1]) != plan.MaxMemoryBytes)
        {
            throw new BenchException(
                $"{target.Name} runs with a maxmemory of {maxMemory.LastOrDefault("unknown")} bytes, "
                + $"not {plan.MaxMemoryBytes}: start it with --maxmemory {options.MaxMemory}.");
        }

        if (options.Flush)
        {
            control.Call("FLUSHALL");
        }

        if (control.Call("DBSIZE")[0] is not "0" and var held)
        {
            throw new BenchException($"{target.Name} holds {held} keys: empty it, or give --flush to have that done.");
        }
    }

    private Dictionary<string, string> Settings() => new()
    {
        ["maxmemory"] = options.MaxMemory,
        ["keys"] = plan.Keys.ToString(CultureInfo.InvariantCulture),
        ["value size"] = options.ValueSize,
        ["zipf theta"] = plan.ZipfTheta.ToString(CultureInfo.InvariantCulture),
        ["scan share"] = plan.ScanShare.ToString(CultureInfo.InvariantCulture),
        ["reads to warm up"] = plan.WarmUpReads.ToString(CultureInfo.InvariantCulture),
        ["reads counted"] = plan.Reads.ToString(CultureInfo.InvariantCulture),
        ["reads per second"] = options.RatePerSecond == 0
            ? "as fast as it goes"
            : options.RatePerSecond.ToString(CultureInfo.InvariantCulture),
        ["seed"] = plan.Seed.ToString(CultureInfo.InvariantCulture),
    };

    private static string NameOf(TrafficKind traffic) => traffic.ToString().ToLowerInvariant();

    private static double ResidentMb(RespClient control)
        => ServerInfo.Ask(control, "memory").Number("used_memory_rss") / (1 << 20);

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
