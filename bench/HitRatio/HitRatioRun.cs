using System.Globalization;
using Strata.Bench.Load;
using Strata.Bench.Reports;
using Strata.Bench.Servers;

namespace Strata.Bench.HitRatio;

/// <summary>Plays every traffic to every server, one after the other, each time to an empty server.</summary>
internal sealed class HitRatioRun(HitRatioOptions options)
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
        var plans = traffics.Select(traffic => TrafficPlan.Of(traffic, options)).ToList();
        var plays = plans.SelectMany(plan => targets.Select(target => (plan, target))).ToList();
        var measurements = new List<Measurement>();
        for (var i = 0; i < plays.Count; i++)
        {
            var (plan, target) = plays[i];
            var played = i;
            measurements.AddRange(Play(plan, target, part =>
                onProgress((played + part) / plays.Count, $"{NameOf(plan)} on {target.Name}")));
        }

        if (options.Bound)
        {
            measurements.AddRange(plans.Where(static plan => plan.IsIndependent).SelectMany(BoundOf));
        }

        return new BenchReport
        {
            Benchmark = "hitratio",
            At = DateTimeOffset.UtcNow,
            Machine = MachineInfo.Current(),
            Settings = Settings(plans),
            Baselines = baselines,
            Measurements = measurements,
        };
    }

    private List<Measurement> Play(TrafficPlan plan, HitRatioTarget target, Action<double> onProgress)
    {
        using var server = target.ToStart is null ? null : ServerProcess.Start(target.ToStart, cpus: null);
        var control = RespClient.Connect(target.Host, server?.Port ?? target.Port, options.Password);
        using var client = new ReadThroughClient(control, plan);
        Prepare(control, target, plan);
        var keys = plan.KeySource();
        var all = (double)(plan.WarmUpReads + plan.Reads);
        client.Play(keys, plan.WarmUpReads, played => Report(played));
        var hits = client.Play(keys, plan.Reads, played => Report(plan.WarmUpReads + played));
        client.Settle();
        var load = NameOf(plan);
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

    private static Measurement[] BoundOf(TrafficPlan plan)
    {
        var cache = new CountingCache(plan);
        var keys = plan.KeySource();
        cache.Play(keys, plan.WarmUpReads);
        var hits = cache.Play(keys, plan.Reads);
        var load = NameOf(plan);
        return
        [
            Measurement.Of(load, BoundName, Metric.HitPercent, [100.0 * hits / plan.Reads]),
            Measurement.Of(load, BoundName, Metric.Items, [cache.Count]),
        ];
    }

    private void Prepare(RespClient control, HitRatioTarget target, TrafficPlan plan)
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

    private Dictionary<string, string> Settings(List<TrafficPlan> plans) => new()
    {
        ["maxmemory"] = options.MaxMemory,
        ["keys"] = OfAll(plans, static plan => plan.Keys),
        ["value size"] = options.ValueSize,
        ["zipf theta"] = options.ZipfTheta.ToString(CultureInfo.InvariantCulture),
        ["scan share"] = options.ScanShare.ToString(CultureInfo.InvariantCulture),
        ["reads to warm up"] = OfAll(plans, static plan => plan.WarmUpReads),
        ["reads counted"] = OfAll(plans, static plan => plan.Reads),
        ["reads per second"] = OfAll(plans, static plan => plan.RatePerSecond, "as fast as it goes"),
        ["seed"] = options.Seed.ToString(CultureInfo.InvariantCulture),
    };

    /// <summary>A figure of all traffics: one number where it is the same for all, else one for each.</summary>
    private static string OfAll(List<TrafficPlan> plans, Func<TrafficPlan, long> figure, string? zero = null)
    {
        var figures = plans.ConvertAll(figure.Invoke);
        return string.Join(" / ", (figures.Distinct().Count() == 1 ? figures.Take(1) : figures).Select(number
            => number == 0 && zero is not null ? zero : number.ToString(CultureInfo.InvariantCulture)));
    }

    private static string NameOf(TrafficPlan plan) => plan.Traffic.ToString().ToLowerInvariant();

    private static double ResidentMb(RespClient control)
        => ServerInfo.Ask(control, "memory").Number("used_memory_rss") / (1 << 20);

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
