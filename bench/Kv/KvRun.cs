using System.Diagnostics;
using Strata.Bench.Statistics;
using Strata.Storage.Devices;
using Strata.Storage.Memory;

namespace Strata.Bench.Kv;

/// <summary>One run: opens the shards, loads them, measures, and sums up.</summary>
internal sealed class KvRun : IDisposable
{
    private const int PollMs = 5;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly KvOptions _options;
    private readonly KvTarget _target;
    private readonly KvPhases _phases;
    private readonly List<KvThread> _threads;
    private readonly Action<double, string>? _onProgress;

    private KvRun(KvOptions options, Action<double, string>? onProgress)
    {
        _options = options;
        _onProgress = onProgress;
        _target = KvTarget.Open(options);
        _phases = new KvPhases(options.Workers);
        _threads = Enumerable.Range(0, options.Workers)
            .Select(number => new KvThread(options, _target, _phases, number))
            .ToList();
    }

    private IEnumerable<KvThread> Measured => _threads.Take(_options.Threads);

    /// <summary>Runs what the flags say; <paramref name="onProgress"/> is told which part (0 to 1) of the phase is
    /// done, and a note.</summary>
    /// <exception cref="BenchException">The device cannot be opened, memory ran out during the load, or a thread hangs.
    /// </exception>
    public static KvResult Execute(KvOptions options, Action<double, string>? onProgress = null)
    {
        options.Validate();
        try
        {
            using var run = new KvRun(options, onProgress);
            return run.Execute();
        }
        catch (Exception exception) when (exception is DeviceException or MemoryExhaustedException)
        {
            throw new BenchException(exception.Message, exception);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _target.Dispose(); // Ends what is in flight, so that its memory can be freed.
        _threads.ForEach(thread => thread.Dispose());
        _phases.Dispose();
    }

    private KvResult Execute()
    {
        try
        {
            var load = Load();
            var took = Measure();
            Join();
            SaveDistribution();
            return Sum(load, took);
        }
        catch (BenchException)
        {
            StopAll();
            throw;
        }
    }

    private KvLoadFigures Load()
    {
        var before = KvMoment.Now(_target);
        _threads.ForEach(thread => thread.Start());
        while (!_phases.HasLoaded && !IsAnyGone())
        {
            Report((double)_threads.Sum(thread => thread.Ended) / _options.Keys, "loading");
        }

        ThrowFailures();
        var took = KvMoment.Now(_target).Since(before);
        var failed = new KvCounts();
        _threads.ForEach(thread => failed.Add(thread.Uncounted));
        if (_options.Device == "null")
        {
            failed.Damaged = 0; // Of keys that look in the index like one whose record has vanished.
        }

        if (failed.Errors().FirstOrDefault() is { Key: { } text, Value: var count })
        {
            var remedy = failed.OutOfMemory > 0 ? ": raise --log-memory, or give another --device." : ".";
            throw new BenchException($"{count} keys could not be loaded ({text}){remedy}");
        }

        return new KvLoadFigures(took, _target.Budget.UsedBytes, _target.Overview?.DeviceUsedBytes ?? 0);
    }

    private KvMoment Measure()
    {
        if (_options.WarmUp > TimeSpan.Zero)
        {
            _phases.Enter(KvPhase.WarmUp);
            Thread.Sleep(_options.WarmUp);
        }

        var before = KvMoment.Now(_target);
        _phases.Enter(KvPhase.Measuring);
        if (_options.Operations > 0)
        {
            while (Measured.Any(thread => !thread.HasEnded) && !IsAnyFailed())
            {
                Report((double)Measured.Sum(thread => thread.Ended) / _options.Operations, "measuring");
            }
        }
        else
        {
            MeasureForTime(before);
        }

        var took = KvMoment.Now(_target).Since(before);
        _phases.Enter(KvPhase.Stopping);
        return took;
    }

    private void MeasureForTime(in KvMoment before)
    {
        while (!IsAnyFailed())
        {
            var elapsed = Stopwatch.GetElapsedTime(before.Timestamp).TotalSeconds;
            if (elapsed >= _options.RuntimeSeconds)
            {
                return;
            }

            Report(elapsed / _options.RuntimeSeconds, "measuring");
        }
    }

    private void Report(double done, string what)
    {
        if (_onProgress != null)
        {
            var ended = _threads.Sum(thread => thread.Ended);
            _onProgress(done, FormattableString.Invariant($"{what}: {ended:N0} operations"));
        }

        Thread.Sleep(PollMs);
    }

    private bool IsAnyFailed() => _threads.Exists(thread => thread.Failure != null);

    // A thread that only loads ends with its part; of the others none ends before the measurement unless it failed.
    private bool IsAnyGone() => IsAnyFailed() || Measured.Any(thread => thread.HasEnded);

    private void ThrowFailures()
    {
        if (_threads.Find(thread => thread.Failure != null) is { } failed)
        {
            throw failed.Failure!;
        }
    }

    private void Join()
    {
        if (!_threads.TrueForAll(thread => thread.Join(s_patience)))
        {
            throw new BenchException($"A thread has not ended for {s_patience.TotalSeconds} s.");
        }

        ThrowFailures();
    }

    private void StopAll()
    {
        _phases.Enter(KvPhase.Stopping);
        _threads.ForEach(thread => thread.Join(s_patience));
    }

    private void SaveDistribution()
    {
        if (_options.DistributionFile == null)
        {
            return;
        }

        var tally = new KeyTally(_options.Keys);
        foreach (var thread in Measured)
        {
            tally.Add(thread.Tally!);
        }

        tally.Save(_options.DistributionFile, _options.Distribution);
    }

    private KvResult Sum(in KvLoadFigures load, in KvMoment took)
    {
        var latencies = new LatencyHistogram();
        var counts = new KvCounts();
        var uncounted = new KvCounts();
        foreach (var thread in _threads)
        {
            latencies.Add(thread.Latencies);
            counts.Add(thread.Counts);
            uncounted.Add(thread.Uncounted);
        }

        var seconds = took.Seconds;
        return new KvResult
        {
            Device = _target.Name,
            Keys = _options.Keys,
            KeyBytes = _options.KeyBytes,
            ValueBytes = _options.ValueBytes,
            Distribution = _options.Distribution.ToString().ToLowerInvariant(),
            Shards = _options.Shards,
            Threads = _options.Threads,
            LoadThreads = _options.Loaders,
            Depth = _options.Depth,
            LogMemoryBytes = _options.LogMemoryBytes,
            LoadSeconds = load.Took.Seconds,
            LoadOpsPerSecond = _options.Keys / load.Took.Seconds,
            LoadCpuUsPerOp = load.Took.Cpu.TotalMicroseconds / _options.Keys,
            MemoryBytes = load.MemoryBytes,
            DeviceBytes = load.DeviceBytes,
            BytesPerKey = (load.MemoryBytes + load.DeviceBytes) / (double)_options.Keys,
            Seconds = seconds,
            Operations = counts.Operations,
            Reads = counts[KvVerb.Read],
            Upserts = counts[KvVerb.Upsert],
            Rmws = counts[KvVerb.Rmw],
            Deletes = counts[KvVerb.Delete],
            Missing = counts.Missing,
            OpsPerSecond = counts.Operations / seconds,
            ColdReads = took.ColdReads,
            ColdReadsPerSecond = took.ColdReads / seconds,
            SecondReads = took.SecondReads,
            WrittenMbPerSecond = took.WrittenBytes / seconds / 1e6,
            CpuUsPerOp = counts.Operations == 0 ? 0 : took.Cpu.TotalMicroseconds / counts.Operations,
            MeanUs = latencies.Mean / 1e3,
            P50Us = latencies.Percentile(50) / 1e3,
            P90Us = latencies.Percentile(90) / 1e3,
            P99Us = latencies.Percentile(99) / 1e3,
            P999Us = latencies.Percentile(99.9) / 1e3,
            MaxUs = latencies.Max / 1e3,
            AllocatedBytes = _threads.Sum(thread => thread.AllocatedBytes),
            Mismatches = counts.Mismatches + uncounted.Mismatches,
            FirstMismatch = uncounted.FirstMismatch ?? counts.FirstMismatch,
            Errors = counts.Errors(),
        };
    }
}
