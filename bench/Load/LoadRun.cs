using System.Diagnostics;
using Strata.Bench.Keys;
using Strata.Bench.Statistics;

namespace Strata.Bench.Load;

/// <summary>
/// One load from connecting to the result. All connections stand before the clock starts; every thread gets its own
/// part of the keys (when loading in order) or its own seed.
/// </summary>
internal static class LoadRun
{
    private const int ReportEveryMs = 100;

    /// <summary>Runs the load; <paramref name="onProgress"/> is told about every 100 ms which part (0 to 1) is done
    /// and how many replies have come.</summary>
    /// <exception cref="BenchException">The server cannot be reached, refuses, or a connection is lost.</exception>
    public static LoadResult Execute(LoadOptions options, Action<double, long>? onProgress = null)
    {
        options.Validate();
        var threads = new List<LoadThread>();
        using var subscribers = options.Subscribers > 0 ? new Subscribers(options) : null;
        try
        {
            for (var i = 0; i < options.Threads; i++)
            {
                var thread = new LoadThread(options, EncoderOf(options, i));
                threads.Add(thread);
                thread.Connect();
            }

            var startedAt = Stopwatch.GetTimestamp();
            Drive(options, threads, onProgress);
            var result = Sum(options, threads, startedAt);
            subscribers?.AwaitAll();
            return result;
        }
        finally
        {
            threads.ForEach(t => t.Dispose());
        }
    }

    private static RequestEncoder EncoderOf(LoadOptions options, int thread)
    {
        var seed = SplitMix64.Mix(options.Seed + ((ulong)thread << 32));
        if (options.LoadsOnly)
        {
            var first = options.Keys * thread / options.Threads;
            var end = options.Keys * (thread + 1) / options.Threads;
            return RequestEncoder.Create(options, new SequentialKeys(first, end), seed, end - first);
        }

        IKeySource keys = options.Distribution == KeyDistribution.Zipf
            ? new ZipfKeys(options.Keys, options.ZipfTheta, seed)
            : new UniformKeys(options.Keys, seed);
        return RequestEncoder.Create(options, keys, seed, requests: long.MaxValue);
    }

    private static void Drive(LoadOptions options, List<LoadThread> loads, Action<double, long>? onProgress)
    {
        var clock = Stopwatch.StartNew();
        var threads = loads.ConvertAll(load => new Thread(load.Run) { IsBackground = true });
        threads.ForEach(t => t.Start());
        while (threads.Exists(t => t.IsAlive))
        {
            var left = options.LoadsOnly ? ReportEveryMs : (options.RuntimeSeconds * 1000) - clock.ElapsedMilliseconds;
            if (left <= 0 || loads.Exists(l => l.Failure is not null))
            {
                loads.ForEach(l => l.Stop());
            }

            threads.First(t => t.IsAlive || t == threads[^1]).Join((int)Math.Clamp(left, 1, ReportEveryMs));
            var operations = loads.Sum(l => l.Operations);
            var done = options.LoadsOnly
                ? (double)operations / options.Keys
                : clock.Elapsed.TotalSeconds / options.RuntimeSeconds;
            onProgress?.Invoke(Math.Min(1, done), operations);
        }
    }

    private static LoadResult Sum(LoadOptions options, List<LoadThread> threads, long startedAt)
    {
        var latencies = new LatencyHistogram();
        var tally = new ReplyTally();
        foreach (var thread in threads)
        {
            if (thread.Failure is { } failure)
            {
                throw failure;
            }

            latencies.Add(thread.Latencies);
            tally.Add(thread.Tally);
        }

        var seconds = Stopwatch.GetElapsedTime(startedAt, threads.Max(t => t.LastReplyAt)).TotalSeconds;
        return new LoadResult
        {
            Operation = options.OperationName,
            Operations = latencies.Count,
            Seconds = seconds,
            OperationsPerSecond = seconds > 0 ? latencies.Count / seconds : 0,
            MeanMs = latencies.Mean / 1e6,
            P50Ms = latencies.Percentile(50) / 1e6,
            P90Ms = latencies.Percentile(90) / 1e6,
            P99Ms = latencies.Percentile(99) / 1e6,
            P999Ms = latencies.Percentile(99.9) / 1e6,
            MaxMs = latencies.Max / 1e6,
            Hits = tally.Hits,
            Misses = tally.Misses,
            IntegerSum = tally.IntegerSum,
            Errors = tally.Errors,
        };
    }
}
